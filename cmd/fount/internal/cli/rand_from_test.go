// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount rand --from with servers that fail: each is an error, and none a short success.

//go:build !plan9

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fount/cmd/fount/internal/randfs"
	"fount/cmd/fount/internal/randfs/ninep"

	"9fans.net/go/plan9"
)

// scripted answers what leads to the file random as a server does, and hands each Tread to read, with its number. It
// returns the address.
func scripted(t *testing.T, read func(c net.Conn, request *plan9.Fcall, number int)) string {
	t.Helper()
	return listening(t, func(c net.Conn) {
		for number := 0; ; {
			request, err := plan9.ReadFcall(c)
			if err != nil {
				return
			}
			answer := &plan9.Fcall{Type: request.Type + 1, Tag: request.Tag, Msize: 8192, Version: "9P2000"}
			switch request.Type {
			case plan9.Twalk:
				answer.Wqid = make([]plan9.Qid, len(request.Wname))
			case plan9.Tread:
				read(c, request, number)
				number++
				continue
			}
			if plan9.WriteFcall(c, answer) != nil {
				return
			}
		}
	})
}

// listening serves connections one after the other.
func listening(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serve(c)
			c.Close()
		}
	}()
	return dialString(l.Addr())
}

// give answers a Tread with n bytes.
func give(c net.Conn, request *plan9.Fcall, n int) {
	plan9.WriteFcall(c, &plan9.Fcall{Type: plan9.Rread, Tag: request.Tag, Data: bytes.Repeat([]byte{'r'}, n)})
}

func TestRandFromFailingServer(t *testing.T) {
	for name, test := range map[string]struct {
		read func(c net.Conn, request *plan9.Fcall, number int)
		want string // after the address
		got  int
	}{
		"hangs up at once": {func(c net.Conn, _ *plan9.Fcall, _ int) { c.Close() }, "hung up", 0},
		"hangs up later": {func(c net.Conn, r *plan9.Fcall, number int) {
			if number == 2 {
				c.Close()
				return
			}
			give(c, r, int(r.Count))
		}, "hung up", 2 * (8192 - plan9.IOHDRSZ)},
		"hangs up within a message": {func(c net.Conn, _ *plan9.Fcall, _ int) {
			c.Write([]byte{100, 0, 0, 0, plan9.Rread})
			c.Close()
		}, "hung up", 0},
		"ends the file": {func(c net.Conn, r *plan9.Fcall, number int) {
			give(c, r, 5-5*min(number, 1))
		}, "hung up", 5},
		"gives an error": {func(c net.Conn, r *plan9.Fcall, number int) {
			plan9.WriteFcall(c, &plan9.Fcall{Type: plan9.Rerror, Tag: r.Tag, Ename: "no\n\x1b[2Jmore"})
		}, "no??[2Jmore", 0},
		"gives too much": {func(c net.Conn, r *plan9.Fcall, number int) {
			give(c, r, int(r.Count)+1)
		}, "more bytes than were asked for", 2 * (8192 - plan9.IOHDRSZ + 1)}, // no room for the third's
	} {
		addr := scripted(t, test.read)
		var stdout, stderr bytes.Buffer
		status := Main([]string{"rand", "20000", "--from", addr}, nil, &stdout, &stderr)
		want := fmt.Sprintf("fount rand: %s: %s; %d bytes were written\n", addr, test.want, test.got)
		if test.want == "hung up" {
			want = strings.Replace(want, ": hung up", " hung up", 1)
		}
		if status != statusFailed || stderr.String() != want || stdout.Len() != test.got {
			t.Errorf("a server that %s: status %d, %d bytes, stderr %q, want %d, %d and %q",
				name, status, stdout.Len(), &stderr, statusFailed, test.got, want)
		}
	}
}

// The control of the test above: the same server, without a fault.
func TestRandFromScriptedServer(t *testing.T) {
	addr := scripted(t, func(c net.Conn, r *plan9.Fcall, _ int) { give(c, r, int(r.Count)/2+1) })
	var stdout, stderr bytes.Buffer
	status := Main([]string{"rand", "20000", "--from", addr}, nil, &stdout, &stderr)
	if status != statusOK || stdout.String() != strings.Repeat("r", 20000) || stderr.Len() > 0 {
		t.Errorf("status %d, %d bytes, stderr %q, want 0, 20000 and none", status, stdout.Len(), &stderr)
	}
}

func TestRandFromRefusal(t *testing.T) {
	for want, serve := range map[string]func(net.Conn){
		": too many connections": func(c net.Conn) {
			plan9.ReadFcall(c)
			plan9.WriteFcall(c, &plan9.Fcall{Type: plan9.Rerror, Tag: plan9.NOTAG, Ename: "too many connections"})
		},
		" hung up": func(c net.Conn) { plan9.ReadFcall(c) },
		": invalid version unknown": func(c net.Conn) {
			plan9.ReadFcall(c)
			plan9.WriteFcall(c, &plan9.Fcall{Type: plan9.Rversion, Tag: plan9.NOTAG, Msize: 256, Version: "unknown"})
		},
	} {
		addr := listening(t, serve)
		var stdout, stderr bytes.Buffer
		status := Main([]string{"rand", "--from", addr}, nil, &stdout, &stderr)
		if status != statusFailed || !strings.HasPrefix(stderr.String(), "fount rand: "+addr+want) || stdout.Len() > 0 {
			t.Errorf("status %d, %d bytes, stderr %q, want %d, none and %q", status, stdout.Len(), &stderr, statusFailed, want)
		}
	}
}

// What a write to a dead server returns is the same error as that of a pipe whose reader had enough.
func TestRandFromBrokenPipe(t *testing.T) {
	if !isReaderGone(fmt.Errorf("pipe: %w", syscall.EPIPE)) {
		t.Skip("no such pipes here")
	}
	err := (&remote{addr: "unix!s"}).explain(fmt.Errorf("write: %w", syscall.EPIPE))
	if status, message := outcome(err, true); status != statusFailed || !strings.Contains(message, "unix!s") {
		t.Errorf("status %d, message %q, want %d and one with the address", status, message, statusFailed)
	}
}

// A server that takes a request and never answers is an error in the end.
func TestRandFromSilentServer(t *testing.T) {
	near, far := net.Pipe()
	defer far.Close()
	go io.Copy(io.Discard, far)
	_, err := openRandom(patient{near, time.Millisecond})
	if timeout, ok := errors.AsType[net.Error](err); !ok || !timeout.Timeout() {
		t.Errorf("error %v, want a timeout", err)
	}
}

// A server that ends in the middle, and comes back, is waited for; without --wait the command fails.
func TestRandFromWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	serve := func() net.Listener {
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Skip("no unix sockets here: ", err)
		}
		server := &ninep.Server{Tree: randfs.New(randfs.Source{})}
		go server.Serve(l)
		t.Cleanup(func() { server.Close() })
		return stopped{l, server}
	}
	first := serve()
	f, err := dialRandom("unix!"+path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 1<<10)
	if n, err := f.Read(b); n != len(b) || err != nil {
		t.Fatalf("%d bytes, %v", n, err)
	}
	first.Close()
	if _, err := dialRandom("unix!"+path, false); err == nil {
		t.Error("without --wait it connects to nothing")
	}
	go func() {
		time.Sleep(5 * againEvery) // what it waits for in vain at first
		serve()
	}()
	if n, err := f.Read(b); n != len(b) || err != nil {
		t.Errorf("after a restart: %d bytes, %v", n, err)
	}
}

// A stopped listener ends its server, connections and all.
type stopped struct {
	net.Listener
	server *ninep.Server
}

func (s stopped) Close() error { return s.server.Close() }
