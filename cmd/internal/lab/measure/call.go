// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

// What stands for a server's call to another service between two values: a Plan's Call.

import (
	"io"
	"net"
	"runtime"
)

// Gosched yields the processor, so that a feeder may run. It is no wait: with nobody else to run it
// returns after some 100 ns.
func Gosched() (call, close func()) { return runtime.Gosched, func() {} }

// Loopback is a round trip of 16 bytes by TCP to this process. It panics if that fails.
func Loopback() (call, hangUp func()) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}

	ended := make(chan struct{})
	go func() {
		defer close(ended)
		conn, err := listener.Accept()
		listener.Close()
		if err == nil {
			defer conn.Close()
			_, _ = io.Copy(struct{ io.Writer }{conn}, struct{ io.Reader }{conn}) // not by splice(2)
		}
	}()

	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		listener.Close()
		panic(err)
	}
	conn.(*net.TCPConn).SetLinger(0) // thousands of turns must not leave as many ports in TIME_WAIT

	var message [16]byte
	call = func() {
		if _, err := conn.Write(message[:]); err != nil {
			panic(err)
		}
		if _, err := io.ReadFull(conn, message[:]); err != nil {
			panic(err)
		}
	}

	return call, func() {
		conn.Close()
		<-ended
	}
}
