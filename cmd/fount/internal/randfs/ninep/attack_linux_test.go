// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// What another user of the machine can do, by programs that do it. Beside each is the way that was open to it once.

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"fount/internal/test/otheruser"

	"9fans.net/go/plan9"
	"golang.org/x/sys/unix"
)

func init() {
	attacks["flood"] = func(args []string) { flood(args[0]) }
	attacks["peek"] = func(args []string) { peek(args[0]) }
	attacks["crowd"] = func(args []string) { crowd(args[0]) }
}

func broken(err error) {
	if err != nil {
		fmt.Println("broken:", err)
		os.Exit(1)
	}
}

func attackClient(addr string) (r *raw) {
	c, err := Dial(addr)
	broken(err)
	r = &raw{dying{}, c}
	return r
}

// dying stands for a test in a process that is none: Fatal ends it.
type dying struct{ testing.TB }

func (dying) Helper()                      {}
func (dying) Fatal(args ...any)            { broken(errors.New(fmt.Sprint(args...))) }
func (dying) Fatalf(f string, args ...any) { broken(fmt.Errorf(f, args...)) }

// flood has a server refuse as many walks as it can.
func flood(addr string) {
	r := attackClient(addr)
	r.version(8192)
	r.want(&plan9.Fcall{Type: plan9.Tattach, Afid: plan9.NOFID}, "")
	fmt.Println("ready")
	for fid := uint32(1); ; fid++ {
		r.send(&plan9.Fcall{Type: plan9.Twalk, Newfid: fid})
		if r.receive().Type == plan9.Rerror && fid%20000 == 0 {
			fmt.Println("20000 refused")
		}
	}
}

// A client that is refused a hundred thousand times is a line in the log.
func TestLogFlood(t *testing.T) {
	otheruser.Need(t)
	log := &logged{t: t}
	s := serveOthers(t, Limits{Fids: 10}, log.printf)
	a := otheruser.Start(t, "flood", s.addr)
	for range 5 {
		if _, err := a.Line(); err != nil {
			t.Fatal(err)
		}
	}
	a.Stop()
	s.left(0)
	log.mu.Lock()
	defer log.mu.Unlock()
	if len(log.lines) < 1 || len(log.lines) > 2 {
		t.Errorf("%d lines: %.3q", len(log.lines), log.lines)
	}
}

// crowd opens connections for ever, and keeps those that are not refused.
func crowd(addr string) {
	fmt.Println("ready")
	var kept []net.Conn
	for refused := 0; ; {
		c, err := Dial(addr)
		broken(err)
		r := &raw{dying{}, c}
		b, _ := (&plan9.Fcall{Type: plan9.Tversion, Tag: noTag, Msize: 8192, Version: "9P2000"}).Bytes()
		c.Write(b)
		if f, err := plan9.ReadFcall(r.Conn); err != nil || f.Type == plan9.Rerror {
			c.Close()
			if refused++; refused%500 == 0 {
				fmt.Println("kept", len(kept))
			}
		} else {
			kept = append(kept, c)
		}
	}
}

// serveOthers serves where other users can connect.
func serveOthers(t *testing.T, limits Limits, log func(string, ...any)) *served {
	t.Helper()
	s := &served{source: new(source), addr: "unix!" + filepath.Join(otheruser.Dir(t), "s"), log: &logged{t: t}}
	s.Server = &Server{Tree: s.source.tree(), Limits: limits, Log: log}
	l, err := ListenMode(s.addr, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	s.init()
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return s
}

// A user who takes all the connections that he can gets his share, and those of others are served, though nobody reads
// the log.
func TestCrowd(t *testing.T) {
	otheruser.Need(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	j := NewJournal(w)
	text := strings.Repeat("x", 2000)
	s := serveOthers(t, Limits{Conns: 80}, func(string, ...any) { j.Printf("%s", text) })
	a := otheruser.Start(t, "crowd", s.addr)
	for range 3 {
		if line, err := a.Line(); err != nil || line != "kept 10" {
			t.Errorf("he has %q of 80 connections, want 10; %v", line, err)
		}
		s.started(t).works()
	}
	a.Stop()
	r.Close() // else Close would wait for a second
	j.Close()
}

// The control of TestCrowd: a log that waits for who reads it stops the server for all. Only to see it takes time.
func TestCrowdControl(t *testing.T) {
	otheruser.Need(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	text := make([]byte, 2000)
	s := serveOthers(t, Limits{Conns: 8}, func(string, ...any) { w.Write(text) })
	defer r.Close() // and the server goes on, to its end
	a := otheruser.Start(t, "crowd", s.addr)
	defer a.Stop()
	for {
		c, err := Dial(s.addr)
		if err != nil {
			return // it is full: nobody accepts
		}
		c.SetDeadline(time.Now().Add(time.Second))
		b, _ := (&plan9.Fcall{Type: plan9.Tversion, Tag: noTag, Msize: 8192, Version: "9P2000"}).Bytes()
		c.Write(b)
		_, err = plan9.ReadFcall(c)
		c.Close()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
	}
}

// peek shows what stats shows.
func peek(addr string) {
	r := attackClient(addr)
	r.version(64 << 10)
	r.want(&plan9.Fcall{Type: plan9.Tattach, Afid: plan9.NOFID}, "")
	fmt.Printf("%q\n", r.stats())
	io.Copy(io.Discard, os.Stdin)
}

// stats is the text of the file.
func (r *raw) stats() string {
	r.open(1, "stats", plan9.OREAD)
	return string(r.want(&plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: 60000}, "").Data)
}

// What stats tells of others: root everything, another user the sums.
func TestStatsOfOthers(t *testing.T) {
	otheruser.Need(t)
	s := serveOthers(t, Limits{}, nil)
	root := s.started(t)
	root.works()
	a := otheruser.Start(t, "peek", s.addr)
	own, others := fmt.Sprintf("pid%d.uid0 ", os.Getpid()), fmt.Sprintf("pid%d.uid%d ", a.Process.Pid, otheruser.UID)
	if text := root.stats(); !strings.Contains(text, own) || !strings.Contains(text, others) {
		t.Errorf("root does not see %q and %q:\n%s", own, others, text)
	}
	text, err := strconv.Unquote(a.First)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "pid") || strings.Contains(text, "uid") {
		t.Errorf("another user sees names:\n%s", text)
	}
	if !regexp.MustCompile(`(?m)^client  other +[1-9][0-9]* +1000 `).MatchString(text) {
		t.Errorf("another user does not see that a client read 1000 bytes:\n%s", text)
	}
}

// What the kernel keeps for a client does not hang on the machine's settings.
func TestSendBuffer(t *testing.T) {
	s := serve(t, Limits{})
	s.started(t)
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		raw, err := c.rw.(*net.UnixConn).SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		raw.Control(func(fd uintptr) {
			n, err := unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_SNDBUF)
			if err != nil || n != 2*sendBuffer {
				t.Errorf("a buffer of %d bytes, %v, want %d", n, err, 2*sendBuffer)
			}
		})
	}
}

// Each connection that waits has less than the 10 KiB that the package promises, whatever it read before. What the
// clients have of it, in the same process, counts too.
func TestMemoryIdle(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector keeps more memory than what it watches")
	}
	const conns, most = 200, 10 << 10
	used := func() int {
		for range 3 { // the second empties pools, the third stacks
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc + m.StackInuse)
	}
	each := func(keep bool) int {
		s := serve(t, Limits{})
		var loans []*buffer
		before := used()
		for range conns {
			r := s.started(t)
			r.open(1, "random", plan9.OREAD)
			r.want(&plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: 60000}, "")
			if keep {
				loans = append(loans, borrow(60000)) // the control: it keeps its buffer
			}
		}
		s.until(idle, conns)
		grown := used() - before
		runtime.KeepAlive(loans)
		s.Close()
		return grown / conns
	}
	now, kept := each(false), each(true)
	t.Logf("%d bytes for each idle connection that read 60,000, %d if it keeps its buffer", now, kept)
	if now > most {
		t.Errorf("%d bytes, want %d at most", now, most)
	}
	if kept < most+60000 {
		t.Errorf("%d bytes with a buffer of 60000: what is kept does not show", kept)
	}
}
