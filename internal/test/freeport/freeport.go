// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package freeport finds addresses for the servers of tests. It is not for programs.
package freeport

import (
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
)

// New returns an address of loopback, 127.0.0.1:PORT, at which nobody listens. No other call, of any
// process, returns it before the test ends.
func New(t testing.TB) string {
	t.Helper()
	return "127.0.0.1:" + Port(t)
}

// Port returns New's port. It is below those that Linux, as most set it up, gives to whoever asks for
// any.
func Port(t testing.TB) string {
	t.Helper()
	for range 100 {
		port := strconv.Itoa(10000 + rand.IntN(20000))

		mine, err := net.ListenPacket("udp", "127.0.0.1:"+port) // keeps other tests from it
		if err != nil {
			continue
		}
		t.Cleanup(func() { mine.Close() })

		l, err := net.Listen("tcp", "127.0.0.1:"+port)
		if err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return ""
}
