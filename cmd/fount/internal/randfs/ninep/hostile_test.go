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
	"testing"
	"time"

	"9fans.net/go/plan9"
)

// message makes a message of any size, whatever size it says it has.
func message(size uint32, kind uint8, tag uint16, rest ...byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, size)
	return append(append(b, kind, byte(tag), byte(tag>>8)), rest...)
}

// A size that can't be ends the connection, after an error if there is a tag to send it to.
func TestHostileSizes(t *testing.T) {
	s := serve(t, Limits{})
	good := s.started(t)
	for _, test := range []struct {
		size  uint32
		agree bool
		ename string // none: the end comes at once
	}{
		{0, true, ""},
		{4, true, ""},
		{headSize - 1, true, ""},
		{64<<10 + 1, true, "a message of 65537 bytes: msize is 65536"},
		{1 << 31, true, "a message of 2147483648 bytes: msize is 65536"},
		{1<<32 - 1, true, "a message of 4294967295 bytes: msize is 65536"},
		{0, false, ""},
		{aheadSize + 1, false, "a message of 513 bytes: msize is 512"},
		{1<<32 - 1, false, "a message of 4294967295 bytes: msize is 512"},
	} {
		var bad *raw
		if test.agree {
			bad = s.started(t)
		} else {
			bad = s.raw(t)
		}
		bad.sendBytes(message(test.size, plan9.Tread, 7))
		last := bad.ends()
		if (last == nil) != (test.ename == "") || last != nil && (last.Ename != test.ename || last.Tag != 7) {
			t.Errorf("size %d: %v, want an error %q", test.size, last, test.ename)
		}
		good.works()
	}
	who := ""
	if runtime.GOOS == "linux" {
		who = fmt.Sprintf("pid%d.uid%d: broken off: ", os.Getpid(), os.Getuid())
	}
	s.log.has(who + "a message of 4 bytes: the least is 7")
}

func TestHostileFids(t *testing.T) {
	s := serve(t, Limits{Fids: 10})
	good, bad := s.started(t), s.started(t)
	for fid := range uint32(9) {
		bad.want(&plan9.Fcall{Type: plan9.Twalk, Newfid: fid + 1}, "")
	}
	for range 1000 {
		bad.want(&plan9.Fcall{Type: plan9.Twalk, Newfid: 100}, "Too many open files")
	}
	if n := s.log.count("more than 10 fids"); n != 1 {
		t.Errorf("a client that was refused 1,000 times is %d lines in the log", n)
	}
	bad.want(&plan9.Fcall{Type: plan9.Tattach, Fid: 100, Afid: plan9.NOFID}, "Too many open files")
	bad.want(&plan9.Fcall{Type: plan9.Twalk, Newfid: 0, Wname: []string{"random"}}, "")
	bad.want(&plan9.Fcall{Type: plan9.Tclunk, Fid: 0}, "")
	bad.want(&plan9.Fcall{Type: plan9.Twalk, Fid: 1, Newfid: 100}, "")
	good.works()
}

// One connection more than the limit is refused and told; when one ends, the next is taken.
func TestHostileConnections(t *testing.T) {
	s := serve(t, Limits{Conns: 3})
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
		b, _ := (&plan9.Fcall{Type: plan9.Tversion, Tag: noTag, Msize: 8192, Version: "9P2000"}).Bytes()
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
	for _, c := range []struct{ uid, most int }{{unknown, 50}, {65534, 12}, {65533, 12}, {0, 26}, {os.Geteuid(), 0}} {
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

// stalls lets the time of a stalled client pass: the watch looks as often as it would.
func (s *served) stalls() {
	for range looks + 1 { // the first look finds what the connection does
		s.look(s.limits.Stall / looks)
	}
}

// Those who connect and say nothing, send a byte at a time, or never take an answer are broken off.
// Those who idle, and those who go on, are not.
func TestHostileStalls(t *testing.T) {
	s := serve(t, Limits{Msize: 4 << 20, Stall: 8 * time.Hour}) // the watch itself will not look
	good := s.started(t)
	defer good.works()

	silent := s.raw(t)
	head, body, large := s.started(t), s.started(t), s.started(t)
	head.sendBytes([]byte{23, 0})
	body.sendBytes(message(23, plan9.Tread, 1, 1, 2, 3))
	large.sendBytes(message(60000, plan9.Twrite, 1, make([]byte, 30000)...))

	const most = 4 << 20 // more than a socket holds
	taker := s.raw(t)
	taker.version(most)
	taker.want(&plan9.Fcall{Type: plan9.Tattach, Afid: plan9.NOFID}, "")
	taker.open(1, "random", plan9.OREAD)
	taker.send(&plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: most})

	bad := []*raw{silent, head, body, large, taker}
	s.until(partial, 3)
	s.until(fresh, 1)
	s.until(busy, 1)
	good.works()
	s.until(idle, 1) // it has its answer before the server is back from giving it
	s.stalls()
	for _, r := range bad {
		io.Copy(io.Discard, r) // ends
	}
	s.log.has("the client took too long")
	s.left(1)
	s.until(idle, 1)
	s.stalls() // good idles, without a limit
	good.works()
}

// until waits for n connections in a phase.
func (s *served) until(p phase, n int) {
	s.count(n, func(c *conn) bool {
		word := c.word.Load()
		return word != 0 && phase(word%uint64(phases)) == p // 0: its goroutine has not begun
	})
}

// left waits for n connections in all.
func (s *served) left(n int) { s.count(n, func(*conn) bool { return true }) }

func (s *served) count(n int, is func(*conn) bool) {
	for found := -1; found != n; runtime.Gosched() {
		found = 0
		s.mu.Lock()
		for c := range s.conns {
			if is(c) {
				found++
			}
		}
		s.mu.Unlock()
	}
}

// A client that sends a byte before each look and never ends its message is broken off too.
func TestHostileLoris(t *testing.T) {
	s := serve(t, Limits{Stall: 8 * time.Hour})
	good := s.started(t)
	bad, there := net.Pipe() // a Write returns when the server has read
	ended := make(chan error)
	c := newConn(s.Server, there, peer{"loris", unknown})
	if err := s.add(c); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer s.remove(c)
		ended <- c.serve()
	}()
	s.until(idle, 1) // good has its answer before the server is back from giving it
	for _, b := range message(aheadSize, plan9.Tversion, 1, make([]byte, 4*looks)...) {
		if _, err := bad.Write([]byte{b}); err != nil {
			break
		}
		s.look(time.Hour)
	}
	bad.Close()
	if err := <-ended; err != errStalled {
		t.Errorf("it ended with %v", err)
	}
	good.works()
}

// A TCP client that ends its side after a request gets its answer, and gives up its place.
func TestHalfClosed(t *testing.T) {
	s := serve(t, Limits{})
	l, err := Listen("tcp!127.0.0.1!0")
	if err != nil {
		t.Skip("no tcp here: ", err)
	}
	go s.Serve(l)
	for range 50 {
		c, err := Dial("tcp!" + strings.ReplaceAll(l.Addr().String(), ":", "!"))
		if err != nil {
			t.Fatal(err)
		}
		c.SetDeadline(time.Now().Add(time.Minute))
		_, err = c.Write(bytesOf(t, &plan9.Fcall{Type: plan9.Tversion, Tag: noTag, Msize: 8192, Version: "9P2000"}))
		err = errors.Join(err, c.(*net.TCPConn).CloseWrite())
		if answer, failed := io.ReadAll(c); err != nil || failed != nil || len(answer) == 0 {
			t.Fatalf("%v, %d bytes of an answer, %v", err, len(answer), failed)
		}
		c.Close()
	}
	s.left(0)
}

// The watch looks by itself.
func TestWatch(t *testing.T) {
	s := serve(t, Limits{Stall: 8 * time.Millisecond})
	silent := s.raw(t)
	if silent.ends() != nil {
		t.Error("an answer came")
	}
	s.log.has("the client took too long")
	s.left(0) // the watch has ended, and begins again
	again := s.raw(t)
	if again.ends() != nil {
		t.Error("an answer came")
	}
}

// A client that goes away within a message, or without taking its answer, harms nobody.
func TestHostileGone(t *testing.T) {
	s := serve(t, Limits{})
	good := s.started(t)
	for range 100 {
		bad := s.started(t)
		bad.open(1, "random", plan9.OREAD)
		bad.send(&plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: 60000})
		bad.sendBytes(message(23, plan9.Tread, 1, 1))
		bad.Close()
	}
	good.works()
}
