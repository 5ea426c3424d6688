// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"bytes"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fount/cmd/fount/internal/randfs"
	"fount/cmd/fount/internal/randfs/ninep"
	"fount/internal/test/require"

	"9fans.net/go/plan9"
)

// An answer is given to a request after so many reads. If it is nil, the server hangs up.
type answer func(f *plan9.Fcall, reads int) *plan9.Fcall

// scripted is a server that answers each request as answer says. It returns the address.
func scripted(t *testing.T, answer answer) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("no tcp here: ", err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		for reads := 0; ; {
			f, err := plan9.ReadFcall(c)
			if err != nil {
				return
			}
			a := answer(f, reads)
			if a == nil || plan9.WriteFcall(c, a) != nil {
				return
			}
			if f.Type == plan9.Tread {
				reads++
			}
		}
	}()
	return dialString(l.Addr())
}

// usual is the answer of a server without fault.
func usual(f *plan9.Fcall) *plan9.Fcall {
	a := &plan9.Fcall{Type: f.Type + 1, Tag: f.Tag, Msize: 8192, Version: "9P2000", Wqid: make([]plan9.Qid, len(f.Wname))}
	if f.Type == plan9.Tread {
		a.Data = bytes.Repeat([]byte{'r'}, int(f.Count))
	}
	return a
}

// Whatever the server does, the bytes are its own, as many as were asked for, or there is an error
// that says how many came.
func TestRandFromServers(t *testing.T) {
	type fault = func(a *plan9.Fcall) *plan9.Fcall
	const full = 8192 - plan9.IOHDRSZ

	// at is a server whose answers of a kind have a fault, after some reads.
	at := func(kind uint8, reads int, fault fault) answer {
		return func(f *plan9.Fcall, n int) *plan9.Fcall {
			if f.Type == kind && n >= reads {
				return fault(usual(f))
			}
			return usual(f)
		}
	}
	data := func(n func(int) int) fault {
		return func(a *plan9.Fcall) *plan9.Fcall {
			a.Data = bytes.Repeat([]byte{'r'}, n(len(a.Data)))
			return a
		}
	}
	hangUp := func(*plan9.Fcall) *plan9.Fcall { return nil }
	refuse := func(a *plan9.Fcall) *plan9.Fcall {
		return &plan9.Fcall{Type: plan9.Rerror, Tag: a.Tag, Ename: "no\n\x1b[2Jmore"}
	}

	for name, test := range map[string]struct {
		answer answer
		err    string // its beginning, after the address; "": success
		got    int    // bytes
	}{
		"gives less":        {answer: at(plan9.Tread, 0, data(func(n int) int { return n/2 + 1 })), got: 20000},
		"hangs up at once":  {answer: at(plan9.Tread, 0, hangUp), err: " hung up; 0 bytes"},
		"hangs up later":    {answer: at(plan9.Tread, 2, hangUp), err: " hung up; 16336 bytes", got: 2 * full},
		"ends the file":     {answer: at(plan9.Tread, 1, data(func(int) int { return 0 })), err: ": it gives no bytes; 8168 bytes", got: full},
		"gives an error":    {answer: at(plan9.Tread, 0, refuse), err: ": no??[2Jmore; 0 bytes"},
		"gives too much":    {answer: at(plan9.Tread, 1, data(func(n int) int { return n + 1 })), err: ": it sends 8169 bytes, want at most 8168; 8168 bytes", got: full},
		"is endless":        {answer: at(plan9.Tread, 0, data(func(int) int { return 1 << 20 })), err: ": it sends an answer of 1048587 bytes, want at most 131096; 0 bytes"},
		"refuses":           {answer: at(plan9.Tversion, 0, refuse), err: ": no??[2Jmore"},
		"hangs up before":   {answer: at(plan9.Tversion, 0, hangUp), err: " hung up"},
		"is another":        {answer: at(plan9.Tversion, 0, func(a *plan9.Fcall) *plan9.Fcall { a.Version = "unknown"; return a }), err: `: it speaks "unknown"`},
		"has a small msize": {answer: at(plan9.Tversion, 0, func(a *plan9.Fcall) *plan9.Fcall { a.Msize = 24; return a }), err: ": it speaks"},
		"answers another":   {answer: at(plan9.Topen, 0, func(a *plan9.Fcall) *plan9.Fcall { a.Tag++; return a }), err: ": it answers another request than was sent"},
	} {
		t.Run(name, func(t *testing.T) {
			addr := scripted(t, test.answer)
			args := []string{"rand", "20000", "--from", addr}
			if !strings.Contains(test.err, "hung up") { // for all others --wait does not wait
				args = append(args, "--wait")
			}
			want := ""
			if test.err != "" {
				want = "fount rand: " + addr + test.err
			}

			status, out, said := run(nil, args...)
			if (status == statusOK) != (want == "") || !strings.HasPrefix(said, want) || out != strings.Repeat("r", test.got) {
				t.Errorf("status %d, %d bytes, stderr %q, want %d and %q", status, len(out), said, test.got, want)
			}
		})
	}
}

// A server that takes a request and never answers is an error in the end.
func TestRandFromSilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		go io.Copy(io.Discard, far)
		err := (&serverFile{conn: near}).openFile()
		if timeout, ok := err.(net.Error); !ok || !timeout.Timeout() {
			t.Errorf("error %v, want a timeout", err)
		}
	})
}

// A server that ends and comes back is waited for; without --wait the command fails.
func TestRandFromWaits(t *testing.T) {
	addr := "unix!" + filepath.Join(t.TempDir(), "s")
	var last atomic.Pointer[ninep.Server]
	serve := func() {
		l, err := ninep.Listen(addr, 0o600)
		if err != nil {
			t.Skip("no unix sockets here: ", err)
		}
		server := &ninep.Server{Tree: randfs.New(randfs.Source{})}
		t.Cleanup(func() { server.Close() })
		last.Store(server)
		go server.Serve(l)
	}

	serve()
	f, err := dialRandom(addr, true)
	require.NoError(t, err)
	defer f.Close()
	b := make([]byte, 1<<10)
	if n, err := f.Read(b); n != len(b) || err != nil {
		t.Fatalf("%d bytes, %v", n, err)
	}

	last.Load().Close()
	if _, err := dialRandom(addr, false); err == nil {
		t.Error("without --wait it connects to nothing")
	}
	go func() {
		time.Sleep(5 * retryInterval) // what it waits for in vain at first
		serve()
	}()
	if n, err := f.Read(b); n != len(b) || err != nil {
		t.Errorf("after a restart: %d bytes, %v", n, err)
	}

	last.Load().Close()
	f.(*serverFile).addr = "nowhere" // for which nothing waits
	if n, err := f.Read(b); n != 0 || err == nil {
		t.Errorf("from nowhere: %d bytes, %v", n, err)
	}
}
