// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

import (
	"strings"
	"testing"
)

// Only unix sockets and loopback are addresses, of servers and of clients.
func TestAddresses(t *testing.T) {
	for addr, want := range map[string]string{
		"unix!/run/fount.sock": "/run/fount.sock", "unix!a!b": "a!b", "tcp!127.0.0.1!5640": "127.0.0.1:5640",
		"tcp!127.9.9.9!0": "127.9.9.9:0", "tcp!localhost!564": "127.0.0.1:564", "tcp!::1!5640": "[::1]:5640",
		"": "", "unix!": "", "/run/fount.sock": "", "udp!127.0.0.1!5640": "",
		"tcp!127.0.0.1": "", "tcp!127.0.0.1!65536": "", "tcp!127.0.0.1!9pfs": "",
		"tcp!0.0.0.0!5640": "", "tcp!::!5640": "", "tcp!*!5640": "", "tcp!192.168.1.5!5640": "", "tcp!example.com!5640": "",
		"tcp!localhost.evil.com!564": "", "tcp!!5640": "", "tcp!::ffff:10.0.0.1!5640": "",
	} {
		a, err := parse(addr)
		if want != "" && (err != nil || a.String() != want) {
			t.Errorf("%q is %v, %v, want %s", addr, a, err, want)
		}
		if want != "" {
			continue
		}
		_, listens := Listen(addr)
		_, dials := Dial(addr)
		for _, err := range []error{err, listens, dials} {
			if err == nil || !strings.HasPrefix(err.Error(), "address ") {
				t.Errorf("%q: %v", addr, err)
			}
		}
	}
}
