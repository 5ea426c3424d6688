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
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"fount/password"
	"fount/remote/api"
)

// A flood is made by strangers of two networks. Each attacks a connection, keeps it until fountd
// closes it, and takes another.
type flood struct {
	strangers int
	perSecond rate.Limit // connections, after the first one of each stranger
	attack    func(net.Conn)
	attempts  atomic.Int64
}

// run makes the flood until ctx is done.
func (f *flood) run(ctx context.Context, address string) {
	pace := rate.NewLimiter(f.perSecond, 500)
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
// sign in beside them. With FOUNT_LONG=1 the floods are large, and -v prints what they cost.
func TestStrangers(t *testing.T) {
	strangers, perSecond, span, hashed := 300, rate.Limit(100), 100*time.Millisecond, cheap
	settings, timeout := []string{"--max-conns", "100", "--max-handshakes", "64"}, time.Minute
	if os.Getenv("FOUNT_LONG") != "" {
		strangers, perSecond, span, hashed = 9000, 2000, 4*time.Second, password.Default()
		settings, timeout = nil, 2*time.Second
	}
	ours, theirs := newAuthority(t, "ours"), newAuthority(t, "theirs")
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
		"nobody":               {},
		"silent":               {strangers: strangers, perSecond: perSecond, attack: func(net.Conn) {}},
		"a byte a second":      {strangers: strangers, perSecond: perSecond, attack: drip},
		"half handshakes":      {strangers: strangers, perSecond: perSecond, attack: func(c net.Conn) { c.Write(hello) }},
		"foreign certificates": {strangers: 16, perSecond: perSecond, attack: func(c net.Conn) { tls.Client(c, foreign).Handshake() }},
	} {
		t.Run(name, func(t *testing.T) {
			p, port := startTLS(t, "127.0.0.1:0", cert, key, filepath.Join(ours.dir, "ours.pem"), settings...)
			ctx, stop := context.WithCancel(t.Context())
			var running sync.WaitGroup
			running.Go(func() { f.run(ctx, "127.0.0.1:"+port) })
			var hashes atomic.Int64
			for range 4 {
				v, encoded := p.remote(), stored(t, hashed)
				running.Go(func() {
					for ctx.Err() == nil {
						if _, err := v.Verify(ctx, password.Login{}, []byte("secret"), encoded); err == nil {
							hashes.Add(1)
						}
					}
				})
			}
			eventually(t, "all strangers have come", func() bool { return f.attempts.Load() >= int64(f.strangers) })
			time.Sleep(span)

			hashes.Store(0)
			f.attempts.Store(0)
			begin, before := time.Now(), p.metrics()
			client := ours.client(ours, "client")
			client.Timeout = timeout
			client.Transport.(*http.Transport).DisableKeepAlives = true
			answered, longest := 0, time.Duration(0)
			for range 30 {
				start := time.Now()
				r, err := client.Post("https://127.0.0.1:"+port+"/v1/verify", api.MediaType, strings.NewReader(verifyBody(stored(t, cheap))))
				if err != nil {
					t.Error(err)
					continue
				}
				if status, answer, err := text(r); err != nil || status != http.StatusOK {
					t.Errorf("%d %s, %v", status, answer, err)
					continue
				}
				answered++
				longest = max(longest, time.Since(start))
			}
			time.Sleep(span / 2)
			after, seconds := p.metrics(), time.Since(begin).Seconds()
			if n := after["fountd_http_connections"]; n > 20 {
				t.Errorf("%v connections are open", n)
			}
			each := func(metric string) float64 { return (after[metric] - before[metric]) / seconds }
			t.Logf("%d of 30 logins, longest %v; %.0f hashes/s; %.0f strangers/s; %.0f evicted/s; %.0f failed/s; %.2f cores; %.0f MiB",
				answered, longest.Round(time.Millisecond), float64(hashes.Load())/seconds, float64(f.attempts.Load())/seconds,
				each("fountd_http_handshakes_evicted_total"), each("fountd_http_handshakes_failed_total"),
				each("process_cpu_seconds_total"), after["process_resident_memory_bytes"]/(1<<20))

			stop()
			running.Wait()
			eventually(t, "no handshake is left", func() bool { return p.metrics()["fountd_http_handshakes"] == 0 })
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
	if err != nil {
		t.Fatal(err)
	}
	return hello[:n]
}

var unlabelled = regexp.MustCompile(`(?m)^([a-z_]+) (\S+)$`)

// metrics returns those without labels.
func (p *process) metrics() map[string]float64 {
	p.t.Helper()
	_, text, err := get(p.client(), "http://fountd/metrics")
	if err != nil {
		p.t.Fatal(err)
	}
	values := map[string]float64{}
	for _, m := range unlabelled.FindAllStringSubmatch(text, -1) {
		values[m[1]], _ = strconv.ParseFloat(m[2], 64)
	}
	return values
}
