// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9 && !js

package ninep

import (
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	for addr, want := range map[string]string{
		"unix!/run/fount.sock":       "/run/fount.sock",
		"unix!a!b":                   "a!b",
		"tcp!127.0.0.1!5640":         "127.0.0.1:5640",
		"tcp!127.9.9.9!0":            "127.9.9.9:0",
		"tcp!localhost!564":          "127.0.0.1:564",
		"tcp!::1!5640":               "[::1]:5640",
		"":                           "want 'unix!/run/fount.sock' or 'tcp!127.0.0.1!5640'",
		"unix!":                      "want 'unix!",
		"/run/fount.sock":            "want 'unix!",
		"udp!127.0.0.1!5640":         "want 'unix!",
		"tcp!127.0.0.1":              "want a port",
		"tcp!127.0.0.1!65536":        "want a port",
		"tcp!127.0.0.1!9pfs":         "want a port",
		"tcp!0.0.0.0!5640":           "ssh -N -L 5640:127.0.0.1:5640 HOST",
		"tcp!::!5640":                "ssh -N -L 5640:127.0.0.1:5640 HOST",
		"tcp!*!5640":                 "ssh -N -L 5640:127.0.0.1:5640 HOST",
		"tcp!192.168.1.5!5640":       "neither encrypts nor authenticates",
		"tcp!example.com!5640":       "neither encrypts nor authenticates",
		"tcp!localhost.evil.com!564": "neither encrypts nor authenticates",
		"tcp!!5640":                  "neither encrypts nor authenticates",
	} {
		a, err := parse(addr)
		if good := !strings.ContainsAny(want, " ") && !strings.HasPrefix(want, "want"); good != (err == nil) {
			t.Errorf("%q: %v, %v", addr, a, err)
		} else if good && a.String() != want {
			t.Errorf("%q is %v, want %s", addr, a, want)
		} else if !good && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", addr, err, want)
		}
		if err != nil {
			if _, other := Listen(addr); other == nil || other.Error() != err.Error() {
				t.Errorf("Listen(%q): %v", addr, other)
			}
			if _, other := Dial(addr); other == nil || other.Error() != err.Error() {
				t.Errorf("Dial(%q): %v", addr, other)
			}
		}
	}
}

func TestListenTCP(t *testing.T) {
	l, err := Listen("tcp!127.0.0.1!0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Tree: new(source).tree()}
	s.init()
	ended := make(chan error)
	go func() { ended <- s.Serve(l) }()
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c, err := Dial("tcp!" + host + "!" + port)
	if err != nil {
		t.Fatal(err)
	}
	r := &raw{t, c}
	r.version(8192)
	s.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Of a client on a unix socket Linux knows the process.
func TestPeer(t *testing.T) {
	s := serve(t, Limits{})
	s.started(t).works()
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		want := "unix#1"
		if runtime.GOOS == "linux" {
			want = "pid" + strconv.Itoa(os.Getpid()) + ".uid" + strconv.Itoa(os.Getuid())
		}
		if c.name != want {
			t.Errorf("the client is %s, want %s", c.name, want)
		}
	}
}

func TestPost(t *testing.T) {
	if err := Post("fount", new(Server), nil); err == nil || !strings.Contains(err.Error(), "needs Plan 9") {
		t.Error(err)
	}
}
