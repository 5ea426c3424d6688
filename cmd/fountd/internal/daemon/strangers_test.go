// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package daemon

// Floods over TLS by strangers, who have no certificate that fountd lets in.

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"fount/internal/test/require"
	"fount/remote/api"
)

// A flood is made by strangers of two networks. Each attacks a connection, keeps it until fountd
// closes it, and takes another.
type flood struct {
	strangers int
	attack    func(net.Conn)
	attempts  atomic.Int64
}

// run makes the flood until ctx is done.
func (f *flood) run(ctx context.Context, address string) {
	pace := rate.NewLimiter(100, 300) // connections a second, after the first ones
	var running sync.WaitGroup
	for i := range f.strangers {
		from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+i%2))}} // Linux has all of 127.0.0.0/8
		running.Go(func() {
			for ; ctx.Err() == nil; pace.Wait(ctx) {
				conn, err := from.DialContext(ctx, "tcp", address)
				if err != nil {
					continue
				}
				f.attempts.Add(1)
				stop := context.AfterFunc(ctx, func() { conn.Close() })
				f.attack(conn)
				io.Copy(io.Discard, conn)
				stop()
				conn.Close()
			}
		})
	}
	running.Wait()
}

// Whatever part of a handshake strangers make, they take no place of clients with a certificate, who
// sign in beside them.
func TestStrangers(t *testing.T) {
	t.Parallel() // it waits
	ours := newAuthority(t, "ours")
	theirs := newAuthority(t, "theirs")
	cert, key := ours.issue("server")
	foreign := theirs.client(theirs, "client").Transport.(*http.Transport).TLSClientConfig
	foreign.InsecureSkipVerify = true
	hello := clientHello(t)
	drip := func(c net.Conn) {
		for i := range hello {
			if _, err := c.Write(hello[i : i+1]); err != nil {
				return
			}
			time.Sleep(time.Second)
		}
	}

	for name, f := range map[string]*flood{
		"a byte a second":      {strangers: 300, attack: drip},
		"half handshakes":      {strangers: 300, attack: func(c net.Conn) { c.Write(hello) }},
		"foreign certificates": {strangers: 16, attack: func(c net.Conn) { tls.Client(c, foreign).Handshake() }},
	} {
		t.Run(name, func(t *testing.T) {
			p, port := startTLS(t, "127.0.0.1:0", cert, key, filepath.Join(ours.dir, "ours.pem"), "--max-conns", "100", "--max-handshakes", "64")
			ctx, stop := context.WithCancel(t.Context())
			var running sync.WaitGroup
			running.Go(func() { f.run(ctx, "127.0.0.1:"+port) })
			eventually(t, "all strangers have come", func() bool { return f.attempts.Load() >= int64(f.strangers) })

			client := ours.client(ours, "client")
			client.Transport.(*http.Transport).DisableKeepAlives = true
			for range 30 {
				r, err := client.Post("https://127.0.0.1:"+port+"/v1/verify", api.MediaType, strings.NewReader(verifyBody(stored(t, cheap))))
				if err != nil {
					t.Error(err)
					continue
				}
				if status, answer, err := text(r); err != nil || status != http.StatusOK {
					t.Errorf("%d %s, %v", status, answer, err)
				}
			}
			stop()
			running.Wait()
			eventually(t, "no handshake is left", func() bool {
				_, text, err := get(p.client(), "http://fountd/metrics")
				return err == nil && strings.Contains(text, "\nfountd_http_handshakes 0\n")
			})
		})
	}
}

// clientHello returns what a client sends first.
func clientHello(t *testing.T) []byte {
	near, far := net.Pipe()
	defer near.Close()
	go tls.Client(near, &tls.Config{ServerName: "server"}).Handshake()
	hello := make([]byte, 4<<10)
	n, err := far.Read(hello)
	require.NoError(t, err)
	return hello[:n]
}
