// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

import (
	"bytes"
	"net"
	"runtime"
	"sync"
	"testing"
)

// sockets says whether this system has unix sockets.
const sockets = runtime.GOOS != "plan9"

// needSockets is for tests of what a net.Pipe does not have: a user at its other end whom the system names.
func needSockets(t *testing.T) {
	if !sockets {
		t.Skip("this system has no unix sockets")
	}
}

// pipes are a listener where there are no unix sockets: a dial delivers one end of a net.Pipe to Accept.
type pipes struct {
	dialed chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{dialed: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) dial() (net.Conn, error) {
	theirs, ours := net.Pipe()
	select {
	case p.dialed <- theirs:
		return newSender(ours), nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialed:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return pipesAddr{} }

type pipesAddr struct{}

func (pipesAddr) Network() string { return "pipe" }
func (pipesAddr) String() string  { return "pipe" }

// A sender is an end of a pipe whose writes do not wait for the reader, as a socket's do not: a hundred messages fit.
type sender struct {
	net.Conn
	queue  chan []byte
	closed chan struct{}
	once   sync.Once
}

func newSender(c net.Conn) *sender {
	s := &sender{Conn: c, queue: make(chan []byte, 100), closed: make(chan struct{})}
	go s.send()
	return s
}

// send sends until an end is closed.
func (s *sender) send() {
	for {
		select {
		case b := <-s.queue:
			if _, err := s.Conn.Write(b); err != nil {
				s.Close()
			}
		case <-s.closed:
			return
		}
	}
}

func (s *sender) Write(b []byte) (int, error) {
	select {
	case s.queue <- bytes.Clone(b):
		return len(b), nil
	case <-s.closed:
		return 0, net.ErrClosed
	}
}

func (s *sender) Close() error {
	s.once.Do(func() { close(s.closed) })
	return s.Conn.Close()
}
