// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the calls.

package nonce

import (
	"io"
	"net"
	"sync"
	"testing"
)

// Every goroutine has a connection of its own, its calls get through, and Close returns when all are over.
func TestLoopback(t *testing.T) {
	l, err := NewLoopback()
	if err != nil {
		t.Skipf("no TCP here: %v", err)
	}
	if addr := l.listener.Addr().(*net.TCPAddr); !addr.IP.IsLoopback() {
		t.Errorf("the service listens at %v, which others can reach", addr)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			call, hangUp := l.Call()
			defer hangUp()
			for range 100 {
				call()
			}
		})
	}
	wg.Wait()
	l.Close()
	defer func() {
		if recover() == nil {
			t.Error("a call without a service got through")
		}
	}()
	l.Call()
}

// What comes back is what was sent.
func TestEcho(t *testing.T) {
	client, server := net.Pipe()
	done := make(chan struct{})
	go func() { echo(server); close(done) }()
	for i := range byte(10) {
		sent := Nonce{i, 15: i}
		if _, err := client.Write(sent[:]); err != nil {
			t.Fatal(err)
		}
		var got Nonce
		if _, err := io.ReadFull(client, got[:]); err != nil || got != sent {
			t.Fatalf("sent %x, got %x, %v", sent, got, err)
		}
	}
	client.Close()
	<-done
}

// A round trip fails if the service is gone in the middle, and says so by a panic, which the harness turns into an error.
func TestLoopbackLost(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no TCP here: %v", err)
	}
	defer listener.Close()
	go func() {
		if conn, err := listener.Accept(); err == nil {
			conn.Close()
		}
	}()
	call, hangUp := (&Loopback{listener: listener}).Call()
	defer hangUp()
	defer func() {
		if recover() == nil {
			t.Error("a call to a service that hung up got through")
		}
	}()
	call()
}
