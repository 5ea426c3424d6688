// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// parking is a server whose idle connections keep their servers for so long.
func parking(t testing.TB, linger time.Duration, conns int) *served {
	t.Helper()
	s := newServer(t, patient(), conns)
	s.crowd.linger = linger
	s.start(func(l net.Listener) error { return s.Serve(l, nil) })
	return s
}

func (s *served) parked(n int) {
	s.t.Helper()
	eventually(s.t, fmt.Sprintf("%d are parked", n), func() bool { return s.crowd.count().parked == n })
}

const getHealth = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

// answered reads an answer, and wants it to be 200.
func answered(in *bufio.Reader) error {
	r, err := http.ReadResponse(in, nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = errors.New(r.Status)
	}
	return errors.Join(err, r.Body.Close())
}

// ask sends a request and reads the answer.
func ask(c io.Writer, in *bufio.Reader) error {
	if _, err := io.WriteString(c, getHealth); err != nil {
		return err
	}
	return answered(in)
}

// An idle connection is parked, and serves its client again, as often as it calls.
func TestParkedComesBack(t *testing.T) {
	s := parking(t, time.Millisecond, 100)
	c := s.dial()
	in := bufio.NewReader(c)
	for range 3 {
		if err := ask(c, in); err != nil {
			t.Fatal(err)
		}
		s.parked(1)
		if n := s.crowd.count(); n != (census{open: 1, parked: 1}) {
			t.Errorf("%+v", n)
		}
	}
	c.Close()
	eventually(t, "it is gone", func() bool { return s.crowd.count() == census{} })
}

// splits sends two requests, cut at each place, with a pause in which idle connections are parked, and returns how many
// connections did not get both answers. A header has 5 s from its connection's beginning, so only some wait at a time.
func splits(t *testing.T, s *served) (lost int) {
	t.Helper()
	both := request(`{"password":"a","hash":""}`)
	first := len(both)
	both += both
	const atOnce = 32
	for at := 0; at <= len(both); at += atOnce {
		lost += splitsAt(t, s, both, first, at, min(at+atOnce, len(both)+1))
		eventually(t, "they are gone", func() bool { return s.crowd.count() == census{} })
	}
	return lost
}

// splitsAt cuts at from, and at each place before to.
func splitsAt(t *testing.T, s *served, both string, first, from, to int) (lost int) {
	t.Helper()
	var conns []*net.UnixConn
	var ins []*bufio.Reader
	idle := 1 // those that will be parked: the last, and those of one and two requests
	for at := from; at < to; at++ {
		c := s.dial()
		defer c.Close()
		in := bufio.NewReader(c)
		io.WriteString(c, both[:at])
		if at >= first {
			if err := answered(in); err != nil {
				t.Fatal(err)
			}
		}
		if at == first || at == len(both) {
			idle++
		}
		conns, ins = append(conns, c), append(ins, in)
	}
	pause := s.dial()
	defer pause.Close()
	if err := ask(pause, bufio.NewReader(pause)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "idle connections are parked", func() bool { return s.crowd.count().parked >= idle })
	for i, c := range conns {
		io.WriteString(c, both[from+i:])
		n := 2
		if from+i >= first {
			n = 1
		}
		for range n {
			if err := answered(ins[i]); err != nil {
				lost++
				break
			}
		}
	}
	return lost
}

// Wherever a connection pauses, no byte of what it has sent is lost.
func TestParkedLosesNothing(t *testing.T) {
	if lost := splits(t, parking(t, time.Millisecond, 1000)); lost > 0 {
		t.Errorf("%d of the connections lost an answer", lost)
	}
}

// A careless visit takes the server's buffer for empty, whatever is in it.
type careless struct{ *visit }

func (c careless) NetConn() net.Conn { return c.visit }

func (c careless) Read(p []byte) (int, error) {
	c.empty = len(p)
	return c.visit.Read(p)
}

type carelessListener struct{ net.Listener }

func (l carelessListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return careless{c.(*visit)}, nil
}

// TestParkedLosesNothing sees what is lost where the buffer is not looked at.
func TestCarelessParkingLoses(t *testing.T) {
	s := newServer(t, patient(), 1000)
	s.crowd.linger = time.Millisecond
	s.start(func(l net.Listener) error {
		go s.http.Serve(comeback{s.crowd})
		return s.http.Serve(carelessListener{crowded{l, s.crowd, true}})
	})
	if lost := splits(t, s); lost == 0 {
		t.Error("nothing was lost")
	}
}

// Connections that are parked while their next requests come lose none.
func TestParkedRace(t *testing.T) {
	for _, linger := range []time.Duration{1, 20 * time.Microsecond, 200 * time.Microsecond} {
		s := parking(t, linger, 100)
		var clients sync.WaitGroup
		for range 8 {
			c := s.dial()
			clients.Go(func() {
				in := bufio.NewReader(c)
				for i := range 200 {
					if err := ask(c, in); err != nil {
						t.Errorf("linger %v, call %d: %v", linger, i, err)
						return
					}
				}
			})
		}
		clients.Wait()
	}
}

// A parked connection makes way for a new one, and ends at its idle timeout, and at Shutdown.
func TestParkedEnds(t *testing.T) {
	for name, end := range map[string]func(*served){
		"evicted": func(s *served) {
			c := s.dial()
			if err := ask(c, bufio.NewReader(c)); err != nil {
				t.Error(err)
			}
		},
		"timeout": func(*served) {},
		"shutdown": func(s *served) {
			if err := s.Shutdown(context.Background()); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, patient(), 1)
			s.crowd.linger = time.Millisecond
			if name == "timeout" {
				s.http.IdleTimeout = 50 * time.Millisecond
			}
			s.start(func(l net.Listener) error { return s.Serve(l, nil) })
			c := s.dial()
			if err := ask(c, bufio.NewReader(c)); err != nil {
				t.Fatal(err)
			}
			if name != "timeout" {
				s.parked(1)
			}
			end(s)
			ended(t, c)
			if name != "evicted" {
				eventually(t, "none is left", func() bool { return s.crowd.count() == census{} })
			}
		})
	}
}

// A ready connection can be read at once.
type ready struct{ net.Conn }

func (ready) SyscallConn() (syscall.RawConn, error) { return atOnce{}, nil }

type atOnce struct{ syscall.RawConn }

func (atOnce) Read(func(uintptr) bool) error { return nil }

// A crowd that is closed closes the connections that are on their way to the next request: those that would be parked, those
// that come back, and those that have.
func TestCloseOnTheWay(t *testing.T) {
	for name, way := range map[string]func(*testing.T, *crowd, *conn){
		"goes": func(t *testing.T, c *crowd, m *conn) {
			c.close()
			if m.park(time.Time{}) {
				t.Error("it is parked")
			}
			m.Close()
		},
		"comes back": func(_ *testing.T, c *crowd, m *conn) {
			m.park(time.Time{})
			synctest.Wait() // for a server to take it
			c.close()
		},
		"has come back": func(t *testing.T, c *crowd, m *conn) {
			m.park(time.Time{})
			m = <-c.back
			c.close()
			m.SetReadDeadline(time.Now().Add(time.Minute))
			if _, err := m.Read(make([]byte, 1)); err != io.ErrClosedPipe {
				t.Errorf("its server reads on: %v", err)
			}
			m.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				near, far := net.Pipe()
				defer far.Close()
				c := newCrowd(10)
				m := c.join(ready{near})
				m.begin()
				m.serve()
				m.rest()
				way(t, c, m)
				ended(t, far)
				synctest.Wait()
				if n := c.count(); n != (census{}) {
					t.Errorf("%+v", n)
				}
			})
		})
	}
}

// A connection of TLS keeps its server: what TLS holds has no other place.
func TestTLSStays(t *testing.T) {
	cert := httptest.NewTLSServer(nil)
	defer cert.Close()
	s := newServer(t, patient(), 100)
	s.crowd.linger = time.Millisecond
	s.start(func(l net.Listener) error { return s.Serve(l, &tls.Config{Certificates: cert.TLS.Certificates}) })
	c := tls.Client(s.dial(), &tls.Config{InsecureSkipVerify: true})
	in := bufio.NewReader(c)
	if err := ask(c, in); err != nil {
		t.Fatal(err)
	}
	time.Sleep(10 * s.crowd.linger) // in which one without TLS would have been parked
	if n := s.crowd.count(); n.parked != 0 {
		t.Errorf("%+v", n)
	}
	if err := ask(c, in); err != nil {
		t.Error(err)
	}
}

// The buffer of a server that waits for a request holds nothing of the one before.
func TestRestWipes(t *testing.T) {
	near, far := net.Pipe()
	defer far.Close()
	crowd := newCrowd(1)
	v := &visit{conn: crowd.join(near), parks: true}
	go io.WriteString(far, "secret")
	buffer := make([]byte, 64)
	if n, err := v.Read(buffer); n != 6 || err != nil {
		t.Fatal(n, err)
	}
	v.serve()
	v.rest()
	crowd.linger = time.Millisecond
	v.SetReadDeadline(time.Time{})
	if _, err := v.Read(buffer); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	if !bytes.Equal(buffer, make([]byte, 64)) {
		t.Errorf("the buffer has %q", buffer)
	}
}

// Nor does it beside the first byte of the next, which came with the one before.
func TestRestWipesBesideAByte(t *testing.T) {
	near, far := net.Pipe()
	defer far.Close()
	v := &visit{conn: newCrowd(1).join(near), parks: true}
	go io.WriteString(far, "PsecretP")
	buffer := make([]byte, 64)
	if n, err := v.Read(buffer); n != 8 || err != nil {
		t.Fatal(n, err)
	}
	v.serve()
	v.rest()
	v.SetReadDeadline(time.Time{})
	go io.WriteString(far, "O")
	if n, err := v.Read(buffer[1:]); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if !bytes.Equal(buffer, append([]byte("PO"), make([]byte, 62)...)) {
		t.Errorf("the buffer has %q", buffer)
	}
}
