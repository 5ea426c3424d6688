// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// What the tests share: a server on a unix socket, what it logs, and a client that sends any bytes.

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"9fans.net/go/plan9"

	"fount/cmd/fount/internal/randfs"
	"fount/internal/test/require"
)

// A fcall is a message.
type fcall = plan9.Fcall

// attachRoot attaches the root as fid 0.
var attachRoot = &fcall{Type: plan9.Tattach, Afid: plan9.NOFID}

func versionOf(msize uint32) *fcall {
	return &fcall{Type: plan9.Tversion, Tag: noTag, Msize: msize, Version: protocol}
}

// A source hands out numbers, so that a byte served twice, or not served, shows.
type source struct {
	next    atomic.Uint64
	seeds   chan string
	reseeds atomic.Int32
}

func (s *source) read(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		binary.BigEndian.PutUint64(b, s.next.Add(1))
	}
	for i := range b {
		b[i] = 0xa5
	}
}

func (s *source) tree() *randfs.Tree {
	s.seeds = make(chan string, 100)
	return randfs.New(randfs.Source{
		Read:   s.read,
		Seed:   func(b []byte) { s.seeds <- string(b) },
		Reseed: func() { s.reseeds.Add(1) },
	})
}

// noDeadlines are those of a stream that is never late.
type noDeadlines struct{}

func (noDeadlines) SetReadDeadline(time.Time) error  { return nil }
func (noDeadlines) SetWriteDeadline(time.Time) error { return nil }

// A served is a server on a unix socket, and what it logs.
type served struct {
	*Server
	source *source
	addr   string
	log    *logged
	ended  chan error // of Serve
}

func serve(t testing.TB) *served {
	t.Helper()
	return serveWith(t, Limits{})
}

func serveWith(t testing.TB, limits Limits) *served {
	t.Helper()
	if runtime.GOOS == "plan9" {
		t.Skip("this system has no unix sockets; its kernel is the client in test/plan9")
	}
	s := &served{source: new(source), addr: "unix!" + filepath.Join(t.TempDir(), "s"), log: new(logged)}
	s.Server = &Server{Tree: s.source.tree(), Limits: limits, Log: s.log.printf}
	l, err := Listen(s.addr, 0o600)
	require.NoError(t, err)
	s.init() // so that Close can't come before Serve
	s.ended = make(chan error, 1)
	go func() { s.ended <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Close()
		if err := <-s.ended; err != nil && err != ErrClosed {
			t.Errorf("Serve: %v", err)
		}
	})
	return s
}

func (s *served) dial(t testing.TB) net.Conn {
	t.Helper()
	c, err := Dial(s.addr)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// A raw is a client that sends what a test tells it.
type raw struct {
	t testing.TB
	net.Conn
}

func (s *served) raw(t testing.TB) *raw { return &raw{t, s.dial(t)} }

// started is a raw client that has agreed on a version and attached fid 0.
func (s *served) started(t testing.TB) *raw {
	t.Helper()
	r := s.raw(t)
	r.version(64 << 10)
	r.want(attachRoot, "")
	return r
}

func (r *raw) version(msize uint32) *fcall {
	r.t.Helper()
	return r.want(versionOf(msize), "")
}

func (r *raw) send(f *fcall) {
	r.t.Helper()
	r.sendBytes(bytesOf(r.t, f))
}

func bytesOf(t testing.TB, f *fcall) []byte {
	t.Helper()
	b, err := f.Bytes()
	require.NoError(t, err)
	return b
}

func (r *raw) sendBytes(b []byte) {
	r.t.Helper()
	_, err := r.Write(b)
	require.NoError(r.t, err)
}

func (r *raw) receive() *fcall {
	r.t.Helper()
	f, err := plan9.ReadFcall(r.Conn)
	require.NoError(r.t, err)
	return f
}

// want sends a message and wants an answer of its type, or, if ename is not empty, that error.
func (r *raw) want(f *fcall, ename string) *fcall {
	r.t.Helper()
	r.send(f)
	answer := r.receive()
	if answer.Tag != f.Tag {
		r.t.Fatalf("%v is answered %v: another tag", f, answer)
	}
	if ename == "" && answer.Type != f.Type+1 || ename != "" && (answer.Type != plan9.Rerror || answer.Ename != ename) {
		r.t.Fatalf("%v is answered %v, want an error %q", f, answer, ename)
	}
	return answer
}

// open walks from the root, fid 0, to a file and opens it.
func (r *raw) open(fid uint32, name string, mode uint8) {
	r.t.Helper()
	r.want(&fcall{Type: plan9.Twalk, Newfid: fid, Wname: []string{name}}, "")
	r.want(&fcall{Type: plan9.Topen, Fid: fid, Mode: mode}, "")
}

// ends wants the server to close the connection, after at most one answer, which it returns.
func (r *raw) ends() (last *fcall) {
	r.t.Helper()
	last, err := plan9.ReadFcall(r.Conn)
	if err != nil {
		return nil
	}
	if n, err := io.Copy(io.Discard, r.Conn); n != 0 {
		r.t.Fatalf("%d bytes and %v after %v, want the end", n, err, last)
	}
	return last
}

// works wants the connection to be served as ever.
func (r *raw) works() {
	r.t.Helper()
	const fid = 1 << 20
	r.open(fid, "random", plan9.OREAD)
	answer := r.want(&fcall{Type: plan9.Tread, Fid: fid, Count: 1000}, "")
	if len(answer.Data) != 1000 {
		r.t.Fatalf("%d bytes of 1000", len(answer.Data))
	}
	r.want(&fcall{Type: plan9.Tclunk, Fid: fid}, "")
}

// A logged keeps the lines of a log.
type logged struct {
	mu    sync.Mutex
	lines []string
}

func (l *logged) printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// count is how many lines contain a text.
func (l *logged) count(text string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.lines {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// has waits for a line that contains a text.
func (l *logged) has(text string) {
	for l.count(text) == 0 {
		runtime.Gosched()
	}
}
