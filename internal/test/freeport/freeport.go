// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package freeport finds addresses for the servers of tests. It is not for programs.
package freeport

import (
	"net"
	"testing"
)

// New returns an address of loopback, 127.0.0.1:PORT, at which nobody listens.
func New(t testing.TB) string {
	t.Helper()
	return "127.0.0.1:" + Port(t)
}

// Port returns New's port.
func Port(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}
