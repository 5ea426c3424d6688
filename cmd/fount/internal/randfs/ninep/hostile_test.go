// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// Clients that do what they must not, each beside one that is served as ever.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/test/require"

	"9fans.net/go/plan9"
)

// message makes a message of any size, whatever size it says it has.
func message(size uint32, kind uint8, tag uint16, rest ...byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, size)
	return append(append(b, kind, byte(tag), byte(tag>>8)), rest...)
}

// A size that can't be ends the connection, after an error if there is a tag to send it to.
func TestHostileSizes(t *testing.T) {
	s := serve(t)
	good := s.started(t)
	for state, c := range map[string]struct {
		connect func(testing.TB) *raw
		errors  map[uint32]string // by the size; none: the end comes at once
	}{
		"agreed": {connect: s.started, errors: map[uint32]string{
			0: "", 4: "", headSize - 1: "",
			64<<10 + 1: "a message of 65537 bytes: msize is 65536",
			1 << 31:    "a message of 2147483648 bytes: msize is 65536",
			1<<32 - 1:  "a message of 4294967295 bytes: msize is 65536",
		}},
		"before": {connect: s.raw, errors: map[uint32]string{
			0:             "",
			aheadSize + 1: "a message of 513 bytes: msize is 512",
			1<<32 - 1:     "a message of 4294967295 bytes: msize is 512",
		}},
	} {
		for size, want := range c.errors {
			t.Run(fmt.Sprint(state, " ", size), func(t *testing.T) {
				bad := c.connect(t)
				bad.sendBytes(message(size, plan9.Tread, 7))
				last := bad.ends()
				if (last == nil) != (want == "") || last != nil && (last.Ename != want || last.Tag != 7) {
					t.Errorf("%v, want an error %q", last, want)
				}
				good.works()
			})
		}
	}
	who := ""
	if runtime.GOOS == "linux" {
		who = fmt.Sprintf("pid%d.uid%d: broken off: ", os.Getpid(), os.Getuid())
	}
	s.log.has(who + "a message of 4 bytes: the least is 7")
}

func TestHostileFids(t *testing.T) {
	s := serve(t)
	good, bad := s.started(t), s.started(t)
	for fid := range uint32(maxFids - 1) {
		bad.want(&fcall{Type: plan9.Twalk, Newfid: fid + 1}, "")
	}

	for range 1000 {
		bad.want(&fcall{Type: plan9.Twalk, Newfid: 1000}, "Too many open files")
	}
	if n := s.log.count("more than 256 fids"); n != 1 {
		t.Errorf("a client that was refused 1,000 times is %d lines in the log", n)
	}

	bad.want(&fcall{Type: plan9.Tattach, Fid: 1000, Afid: plan9.NOFID}, "Too many open files")
	bad.want(&fcall{Type: plan9.Twalk, Newfid: 0, Wname: []string{"random"}}, "")
	bad.want(&fcall{Type: plan9.Tclunk, Fid: 0}, "")
	bad.want(&fcall{Type: plan9.Twalk, Fid: 1, Newfid: 1000}, "")
	good.works()
}

// One connection more than the limit is refused and told; when one ends, the next is taken.
func TestHostileConnections(t *testing.T) {
	s := serveWith(t, Limits{Conns: 3})
	good := s.started(t)
	idle := []*raw{s.started(t), s.started(t)}
	for range 20 {
		refused := s.raw(t)
		got, err := plan9.ReadFcall(refused.Conn)
		if err != nil || got.Type != plan9.Rerror || got.Tag != noTag ||
			got.Ename != "too many connections: this server takes 3 at a time" {
			t.Fatalf("%v, %v", got, err)
		}
		if refused.ends() != nil {
			t.Fatal("a refused connection goes on")
		}
	}
	good.works()

	idle[0].Close()
	for { // until the server has seen it
		next := s.raw(t)
		b, _ := versionOf(8192).Bytes()
		next.Write(b) // fails if it was refused before
		if f, err := plan9.ReadFcall(next.Conn); err == nil && f.Type == plan9.Rversion {
			break
		}
		next.Close()
	}
	good.works()
}

// Who may have how many of 100 connections: root and who runs the server all, others an eighth;
// those whom the system does not name, as over tcp, half together.
func TestHostileShares(t *testing.T) {
	s := &Server{Tree: new(source).tree(), Limits: Limits{Conns: 100}}
	s.init()
	add := func(uid int) error { return s.add(newConn(s, nil, peer{"client", uid})) }
	for _, c := range []struct{ uid, most int }{
		{uid: unknown, most: 50}, {uid: 65534, most: 12}, {uid: 65533, most: 12}, {uid: 0, most: 26}, {uid: os.Geteuid(), most: 0},
	} {
		for n := range c.most {
			if err := add(c.uid); err != nil {
				t.Errorf("connection %d of user %d: %v", n, c.uid, err)
			}
		}
		if add(c.uid) == nil {
			t.Errorf("user %d has more than %d connections", c.uid, c.most)
		}
	}
	for c := range s.conns {
		s.remove(c)
	}
	s.Close()
}

// Those who connect and say nothing, send a byte at a time, or never take an answer are broken off.
// Those who idle, and those who go on, are not.
func TestHostileStalls(t *testing.T) {
	const stall = time.Minute
	version := bytesOf(t, versionOf(64<<10))
	attach := bytesOf(t, attachRoot)

	write := func(c net.Conn, parts ...[]byte) {
		for _, b := range parts {
			c.Write(b) // fails once it is broken off
		}
	}

	for name, client := range map[string]struct {
		does   func(c net.Conn)
		ends   error
		within time.Duration
	}{
		"silent": {func(net.Conn) {}, errStalled, stall},
		"head":   {func(c net.Conn) { write(c, version, attach[:2]) }, errStalled, stall},
		"body":   {func(c net.Conn) { write(c, version, attach[:len(attach)-1]) }, errStalled, stall},
		"large":  {func(c net.Conn) { write(c, version, message(60000, plan9.Twrite, 1, make([]byte, 30000)...)) }, errStalled, stall},
		"slow": {func(c net.Conn) {
			write(c, version)
			for _, b := range attach {
				write(c, []byte{b})
				time.Sleep(stall / 8)
			}
		}, errStalled, stall},
		"idle": {func(c net.Conn) {
			write(c, version)
			time.Sleep(10 * stall)
			write(c, attach)
			synctest.Wait() // for the answer
			c.Close()
		}, nil, 10 * stall},
		"steady": {func(c net.Conn) { // a part of a message is always there
			write(c, version)
			for range 10 {
				write(c, attach[:5])
				time.Sleep(stall / 2)
				write(c, append(attach[5:len(attach):len(attach)], attach[:3]...))
				time.Sleep(stall / 2)
				write(c, attach[3:])
			}
			synctest.Wait()
			c.Close()
		}, nil, 10 * stall},
		"takes nothing": {func(c net.Conn) { write(c, version) }, errStalled, stall},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				here, there := net.Pipe()
				var clients sync.WaitGroup
				clients.Go(func() { client.does(here) })
				if name != "takes nothing" {
					clients.Go(func() { io.Copy(io.Discard, here) })
				}
				s := &Server{Tree: new(source).tree(), Limits: Limits{Stall: stall}}
				s.init()
				began := time.Now()
				err := newConn(s, there, peer{"client", unknown}).serve()
				if took := time.Since(began); err != client.ends || took != client.within {
					t.Errorf("it ended with %v after %v, want %v after %v", err, took, client.ends, client.within)
				}
				clients.Wait()
			})
		})
	}
}

// left waits for n connections.
func (s *served) left(n int) {
	for found := -1; found != n; runtime.Gosched() {
		s.mu.Lock()
		found = len(s.conns)
		s.mu.Unlock()
	}
}

// A TCP client that ends its side after a request gets its answer, and gives up its place.
func TestHalfClosed(t *testing.T) {
	s := serve(t)
	l, err := Listen("tcp!127.0.0.1!0", 0)
	if err != nil {
		t.Skip("no tcp here: ", err)
	}
	go s.Serve(l)
	for range 50 {
		c, err := Dial("tcp!" + strings.ReplaceAll(l.Addr().String(), ":", "!"))
		require.NoError(t, err)
		c.SetDeadline(time.Now().Add(time.Minute))
		_, err = c.Write(bytesOf(t, versionOf(8192)))
		err = errors.Join(err, c.(*net.TCPConn).CloseWrite())
		if answer, failed := io.ReadAll(c); err != nil || failed != nil || len(answer) == 0 {
			t.Fatalf("%v, %d bytes of an answer, %v", err, len(answer), failed)
		}
		c.Close()
	}
	s.left(0)
}

// A client that goes away within a message, or without taking its answer, harms nobody.
func TestHostileGone(t *testing.T) {
	s := serve(t)
	good := s.started(t)
	for range 100 {
		bad := s.started(t)
		bad.open(1, "random", plan9.OREAD)
		bad.send(&fcall{Type: plan9.Tread, Fid: 1, Count: 60000})
		bad.sendBytes(message(23, plan9.Tread, 1, 1))
		bad.Close()
	}
	good.works()
}
