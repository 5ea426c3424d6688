// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// All hostile clients at once.

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"fount/password"
	"fount/remote"
)

func post11(body string) string {
	return fmt.Sprintf("POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// hostile has what each kind of client does with its connection, until that ends.
func hostile(t *testing.T) map[string]func(c *net.UnixConn) {
	slow := post11(verifyBody(strings.Replace(stored(t, cheap), "$04$", "$14$", 1))) // a second for its hash
	half := post11(`{"password":"secret","hash":"$2b$04$`)
	stream := func(c *net.UnixConn, piece string) {
		for {
			if _, err := io.WriteString(c, piece); err != nil {
				return
			}
		}
	}
	silent := func(*net.UnixConn) {}
	return map[string]func(c *net.UnixConn){
		"silent":      silent,
		"slow header": func(c *net.UnixConn) { io.WriteString(c, half[:30]) },
		"slow body":   func(c *net.UnixConn) { io.WriteString(c, half[:len(half)-5]) },
		"endless body": func(c *net.UnixConn) {
			io.WriteString(c, "POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
			stream(c, fmt.Sprintf("%x\r\n%s\r\n", 4096, strings.Repeat(" ", 4096)))
		},
		"GiB": func(c *net.UnixConn) {
			io.WriteString(c, "POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n")
			stream(c, strings.Repeat(" ", 4096))
		},
		"garbage":       func(c *net.UnixConn) { stream(c, "\x00\xff\x16\x03\x01 garbage\r\n\r\n") },
		"endless names": func(c *net.UnixConn) { io.WriteString(c, "GET /healthz HTTP/1.1\r\n"); stream(c, "X: x\r\n") },
		"half-closed":   func(c *net.UnixConn) { io.WriteString(c, slow); c.CloseWrite() },
		"vanishes":      func(c *net.UnixConn) { io.WriteString(c, slow); c.Close() },
		"idle": func(c *net.UnixConn) {
			io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
			io.Copy(io.Discard, c)
		},
		"pipelines": func(c *net.UnixConn) { stream(c, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n") }, // and reads no answer
	}
}

// besiege has several clients of each kind at a server's socket while four ordinary ones make their calls. It returns how many
// were not answered.
func besiege(t *testing.T, socket string) (unanswered int) {
	t.Helper()
	const each, callers, calls = 6, 4, 10
	encoded := stored(t, cheap)
	for range 3 {
		var enemies sync.WaitGroup
		var conns []net.Conn
		for name, behave := range hostile(t) {
			for range each {
				c, err := net.Dial("unix", socket)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				conns = append(conns, c)
				enemies.Go(func() { behave(c.(*net.UnixConn)) })
			}
		}
		client, err := remote.HTTP(socket, remote.HTTPOptions{Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		var friends sync.WaitGroup
		var mu sync.Mutex
		for i := range callers {
			friends.Go(func() {
				for range calls {
					_, err := client.Verify(context.Background(), password.Login{Principal: fmt.Sprint(i)}, []byte("secret"), encoded)
					if err != nil {
						mu.Lock()
						unanswered++
						mu.Unlock()
						return
					}
				}
			})
		}
		friends.Wait()
		client.Close(context.Background())
		for _, c := range conns {
			c.Close()
		}
		enemies.Wait()
	}
	return unanswered
}

const besieged = 40 // places for 66 hostile clients and 4 others

// Ordinary clients wait for places that hostile ones hold, and are answered.
func TestSiege(t *testing.T) {
	p := start(t, nil, "--max-conns", fmt.Sprint(besieged))
	if n := besiege(t, p.socket); n > 0 {
		t.Errorf("%d ordinary clients got no answer: %s", n, p.logged())
	}
	probe := p.client()
	eventually(t, "all are gone", func() bool { return gauge(t, probe, "fountd_http_connections") == 1 })
}
