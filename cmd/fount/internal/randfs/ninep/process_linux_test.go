// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// The memory and the end of a server, seen from outside.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"9fans.net/go/plan9"
	"golang.org/x/sys/unix"
)

// rss is the resident memory of the server in KiB, of it what no file holds: the code of a program is paged in as it is
// run, and is not memory that grows.
func (c *child) rss(t testing.TB) int {
	t.Helper()
	b, err := os.ReadFile("/proc/" + c.pid + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if w := strings.Fields(line); len(w) == 3 && w[0] == "RssAnon:" {
			n, err := strconv.Atoi(w[1])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("no RssAnon in /proc")
	return 0
}

// visit connects n times, one after the other, reads from each connection, up to 50 reads ahead of their answers, and
// closes it.
func (c *child) visit(t *testing.T, n, reads, size int) {
	t.Helper()
	request, err := (&plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: uint32(size)}).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		conn, err := Dial(c.addr)
		if err != nil {
			t.Fatal(err)
		}
		openRandom(t, conn)
		for left := reads; left > 0; {
			ahead := min(left, 50)
			left -= ahead
			if _, err := conn.Write(bytes.Repeat(request, ahead)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.CopyN(io.Discard, conn, int64(ahead*(dataStart+size))); err != nil {
				t.Fatal(err)
			}
		}
		conn.Close()
	}
}

// openRandom opens random as fid 1, with all messages on the way at once, which an in-line server answers in order.
func openRandom(t testing.TB, c net.Conn) {
	t.Helper()
	r := &raw{t, c}
	calls := []*plan9.Fcall{
		{Type: plan9.Tversion, Tag: noTag, Msize: benchMsize, Version: "9P2000"},
		{Type: plan9.Tattach, Afid: plan9.NOFID},
		{Type: plan9.Twalk, Newfid: 1, Wname: []string{"random"}},
		{Type: plan9.Topen, Fid: 1},
	}
	var all []byte
	for _, f := range calls {
		b, err := f.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	r.sendBytes(all)
	for _, f := range calls {
		if got := r.receive(); got.Type != f.Type+1 {
			t.Fatalf("%v is answered %v", f, got)
		}
	}
}

// A server grows by less than 1 MiB over 1,000 connections that each make 1,000 reads and close. One that keeps 2 KiB
// of each connection grows by more, so that the measurement would show it.
func TestMemory(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("makes a million reads; set FOUNT_LONG=1 to run it")
	}
	const conns, reads, most = 1000, 1000, 1024 // KiB
	grows := func(server string, reads int) int {
		c := startChild(t, server)
		for range 20 { // the collector's pace and the pools find their size
			c.visit(t, 50, 20, 16)
			c.visit(t, 5, 5, 64<<10)
		}
		c.visit(t, conns, reads, 16) // a heap that is new grows by about 1 MiB; what follows must not add to it
		before := c.rss(t)
		c.visit(t, conns, reads, 16)
		after := c.rss(t)
		t.Logf("%s: RssAnon %d KiB before and %d KiB after %d reads over %d connections",
			server, before, after, conns*reads, conns)
		return after - before
	}
	if n := grows("fount", reads); n >= most {
		t.Errorf("grew by %d KiB, want less than %d", n, most)
	}
	if n := grows("leaky", 1); n < most {
		t.Errorf("a server that keeps 2 MiB grew by %d KiB: growth does not show", n)
	}
}

// 1,000 connections that are open at a time, and have read 16 bytes each, take less than 32 KiB each.
func TestMemoryOpen(t *testing.T) {
	const conns, most = 1000, 32 // KiB
	if raceEnabled {
		t.Skip("the race detector keeps more memory than what it watches")
	}
	c := startChild(t, "fount")
	c.visit(t, 50, 20, 16)
	before := c.rss(t)
	for range conns {
		conn := c.dial(t)
		openRandom(t, conn)
		(&raw{t, conn}).want(&plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: 16}, "")
	}
	after := c.rss(t)
	t.Logf("RssAnon %d KiB before and %d KiB with %d connections open: %.1f KiB each",
		before, after, conns, float64(after-before)/conns)
	if after-before > conns*most {
		t.Errorf("each takes more than %d KiB", most)
	}
}

// When the server is killed its clients have an error, and the next server takes the place of its socket.
func TestKill(t *testing.T) {
	c := startChild(t, "fount")
	const readers = 8
	var reading, ended sync.WaitGroup
	errs := make([]error, readers)
	for i := range readers {
		read := bareReader(t, c.dial(t), 4096)
		reading.Add(1)
		ended.Go(func() {
			for n := 0; errs[i] == nil; n++ {
				if errs[i] = read(); n == 10 {
					reading.Done()
				}
			}
		})
	}
	reading.Wait()
	if err := c.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	ended.Wait() // no reader hangs
	c.stop()
	if _, err := os.Stat(strings.TrimPrefix(c.addr, "unix!")); err != nil {
		t.Fatal("the killed server left no socket: ", err)
	}
	again := startChildAt(t, "fount", c.addr, os.Stderr)
	if err := bareReader(t, again.dial(t), 16)(); err != nil {
		t.Error(err)
	}
}

// The codec, which prints what it can't decode, never sees such a message.
func TestQuiet(t *testing.T) {
	var stderr bytes.Buffer
	c := startChildTo(t, "fount", &stderr)
	conn := c.dial(t)
	r := &raw{t, conn}
	r.version(8192)
	for kind := range 256 {
		r.sendBytes(message(headSize+1, uint8(kind), 1, 0))
		if got := r.receive(); got.Type != plan9.Rerror {
			t.Fatal(got)
		}
	}
	c.stop()
	if stderr.Len() != 0 {
		t.Errorf("the server wrote %s", fmt.Sprintf("%.200s", stderr.String()))
	}
}

// A server that is too busy to take the question whether it lives is left alone.
func TestListenBusy(t *testing.T) {
	path := filepath.Join(ownDir(t), "s")
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := errors.Join(unix.Bind(fd, &unix.SockaddrUnix{Name: path}), unix.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	for { // until nobody more can wait
		c, err := net.Dial("unix", path)
		if err != nil {
			break
		}
		defer c.Close()
	}
	if _, err := Listen("unix!" + path); err == nil || !strings.Contains(err.Error(), "can't tell whether") {
		t.Error(err)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Error(err)
	}
}
