// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// What stands for the call to another service that a server makes with each nonce: for a Plan's Call.

import (
	"io"
	"net"
	"runtime"
	"sync"
)

// Gosched is the post's stand-in: it yields the processor, so that a feeder may run. It is no wait: with nobody else to
// run it returns after some 100 ns.
func Gosched() (call, close func()) { return runtime.Gosched, func() {} }

// A Loopback is a service at the other end of the loopback interface, in this process: it sends back what it gets. Its
// Call is a round trip by TCP.
type Loopback struct {
	listener net.Listener
	served   sync.WaitGroup
}

// NewLoopback starts the service on a port of 127.0.0.1 that the system chooses.
func NewLoopback() (*Loopback, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &Loopback{listener: listener}
	l.served.Go(l.accept)
	return l, nil
}

func (l *Loopback) accept() {
	for {
		conn, err := l.listener.Accept()
		if err != nil {
			return // closed
		}
		l.served.Go(func() { echo(conn) })
	}
}

// echo sends each message back until the client leaves.
func echo(conn net.Conn) {
	defer conn.Close()
	var message Nonce
	for {
		if _, err := io.ReadFull(conn, message[:]); err != nil {
			return
		}
		if _, err := conn.Write(message[:]); err != nil {
			return
		}
	}
}

// Call makes a connection of the goroutine's own. Each call sends 16 bytes and waits until they are back. It panics if
// the connection fails.
func (l *Loopback) Call() (call, close func()) {
	conn, err := net.Dial("tcp", l.listener.Addr().String())
	if err != nil {
		panic(err)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0) // thousands of turns must not leave as many ports in TIME_WAIT
	}
	var message Nonce
	call = func() {
		if _, err := conn.Write(message[:]); err != nil {
			panic(err)
		}
		if _, err := io.ReadFull(conn, message[:]); err != nil {
			panic(err)
		}
	}
	return call, func() { conn.Close() }
}

// Close ends the service, after all connections to it are closed, and returns when its goroutines have ended.
func (l *Loopback) Close() {
	l.listener.Close()
	l.served.Wait()
}
