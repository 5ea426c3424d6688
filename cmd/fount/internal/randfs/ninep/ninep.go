// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package ninep serves a tree of random files over 9P2000, to Plan 9, to Linux's v9fs, and to
// plan9port. It neither encrypts nor authenticates: anyone who can connect can use the files. So it
// listens only on unix sockets and loopback.
//
// Each connection has one goroutine, which answers requests in order. So a Tflush finds all earlier
// requests answered. A connection takes memory for its fids, less than 10 KiB while idle, and one
// message of the size that was agreed. A client that breaks the protocol, does not finish a
// message, or does not take an answer loses its own connection and disturbs no other.
//
// The protocol is section 5 of the Plan 9 manual, http://9p.io/sys/man/5/INDEX.html.
package ninep

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"fount/cmd/fount/internal/randfs"
)

// Limits bound what clients can take. A zero field is the default.
type Limits struct {
	Conns int // connections at a time; 1024. Users other than root and the server's may have an eighth
	// Stall is how long a client may take to begin, to finish a message, or to take an answer; 30
	// s. Between messages there is no limit, as a mounted tree may be idle.
	Stall time.Duration
}

const (
	headSize = 7   // of a message: size[4] type[1] tag[2]
	ioHeader = 24  // what a message that carries data may have beside it (IOHDRSZ)
	minMsize = 256 // the longest answer without data is an error, 249 bytes
	maxMsize = 128<<10 + ioHeader
	maxFids  = 256 // of a connection, 150 bytes each
)

func (l Limits) orDefault() Limits {
	return Limits{
		Conns: cmp.Or(l.Conns, 1024),
		Stall: cmp.Or(l.Stall, 30*time.Second),
	}
}

// A Server serves one tree on any number of listeners. Set its fields before its first use. Any
// goroutine may call its methods.
type Server struct {
	Tree   *randfs.Tree
	Limits Limits

	// Log, if not nil, gets a line for each connection that is refused or broken off, and one for
	// the first request of a connection that is refused. It must not block, as accepting waits for
	// it. Journal.Printf does not block.
	Log func(format string, args ...any)

	once   sync.Once
	limits Limits // with defaults
	done   chan struct{}

	mu        sync.Mutex
	closed    bool
	listeners map[net.Listener]bool
	conns     map[*conn]bool
	users     map[int]int    // how many of them each user has
	running   sync.WaitGroup // Serve and connections
}

// ErrClosed is what Serve returns on a server that was closed before.
var ErrClosed = errors.New("the 9P server is closed")

func (s *Server) init() {
	s.once.Do(func() {
		s.limits = s.Limits.orDefault()
		s.done = make(chan struct{})
		s.listeners = map[net.Listener]bool{}
		s.conns = map[*conn]bool{}
		s.users = map[int]int{}
	})
}

func (s *Server) log(format string, args ...any) {
	if s.Log != nil {
		s.Log(format, args...)
	}
}

// Serve accepts connections until the listener fails, or until Close, when it returns nil. It
// closes the listener.
func (s *Server) Serve(l net.Listener) error {
	s.init()
	defer l.Close()

	if !s.listen(l) {
		return ErrClosed
	}
	defer s.unlisten(l)

	wait := time.Duration(0)
	for {
		c, err := l.Accept()
		switch {
		case err == nil:
			wait = 0
			s.accept(c)
		case s.isClosed():
			return nil
		case !isTemporary(err):
			return err
		default:
			wait = min(max(2*wait, 5*time.Millisecond), time.Second)
			s.log("accept: %v; again in %v", err, wait)
			select {
			case <-time.After(wait):
			case <-s.done:
			}
		}
	}
}

// isTemporary reports whether accepting may work again later, as after too many open files.
func isTemporary(err error) bool {
	t, ok := errors.AsType[interface {
		error
		Temporary() bool
	}](err)
	return ok && t.Temporary()
}

// accept serves a connection on a goroutine of its own, or refuses it.
func (s *Server) accept(rw net.Conn) {
	c := newConn(s, rw, peerOf(rw))
	if err := s.add(c); err != nil {
		s.log("%s: refused: %v", c.name, err)
		refuse(rw, err)
		return
	}

	_ = boundBuffer(rw) // fails on a connection that is broken, as its first read will
	go func() {
		defer s.remove(c)
		c.report(c.serve())
	}()
}

// refuse answers the Tversion that is on its way, into the empty buffer of a new connection.
func refuse(rw net.Conn, err error) {
	rw.SetWriteDeadline(time.Now().Add(time.Second))
	rw.Write(encodeError(noTag, err.Error()))
	rw.Close()
}

// Close closes all listeners and connections, and waits until their goroutines have ended. It may
// be called several times.
func (s *Server) Close() error {
	s.init()

	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.done)
	}

	for l := range s.listeners {
		l.Close()
	}
	for c := range s.conns {
		c.rw.Close()
	}

	s.mu.Unlock()
	s.running.Wait()
	return nil
}

func (s *Server) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

func (s *Server) listen(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.listeners[l] = true
	s.running.Add(1)
	return true
}

func (s *Server) unlisten(l net.Listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.listeners, l)
	s.running.Done()
}

// add registers a connection.
func (s *Server) add(c *conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}

	if len(s.conns) >= s.limits.Conns {
		return fmt.Errorf("too many connections: this server takes %d at a time", s.limits.Conns)
	}

	if most := s.limits.share(c.uid); s.users[c.uid] >= most {
		return fmt.Errorf("too many connections of %s: this server takes %d at a time", userName(c.uid), most)
	}

	s.conns[c] = true
	s.users[c.uid]++
	s.running.Add(1)
	return nil
}

func (s *Server) remove(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	s.users[c.uid]--
	if s.users[c.uid] == 0 {
		delete(s.users, c.uid)
	}
	s.running.Done()
}
