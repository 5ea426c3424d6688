// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// Tests of the protocol, message by message.

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"fount/internal/test/require"

	"9fans.net/go/plan9"
)

const (
	unknownFid = "fid unknown or out of range"
	inUse      = "fid already in use"
	allFiles   = 5
)

func TestVersion(t *testing.T) {
	s := serve(t)
	r := s.raw(t)
	r.want(attachRoot, "Tversion must come first")
	r.want(&fcall{Type: plan9.Tread, Count: 5}, "Tversion must come first")
	for version, isKnown := range map[string]bool{
		"9P2000": true, "9P2000.u": true, "9P2000.L": true, "9P2000.": true, "9P2001": false, "9P20000": false, "": false, "NFS": false,
	} {
		for asked, agreed := range map[uint32]uint32{minMsize: minMsize, 8192: 8192, maxMsize + 1: maxMsize, 1<<32 - 1: maxMsize} {
			got := r.want(&fcall{Type: plan9.Tversion, Tag: noTag, Msize: asked, Version: version}, "")
			want, attached := "9P2000", ""
			if !isKnown {
				want, attached = "unknown", "Tversion must come first"
			}
			if got.Version != want || got.Msize != agreed {
				t.Errorf("%q with msize %d is answered %v", version, asked, got)
			}
			r.want(attachRoot, attached)
		}
	}

	r.version(8192)
	r.want(attachRoot, "")

	r.open(1, "stats", plan9.OREAD)
	r.version(8192) // another ends the fids
	r.want(&fcall{Type: plan9.Tread, Fid: 1, Count: 5}, unknownFid)
	for _, msize := range []uint32{0, 1, headSize, minMsize - 1} {
		r.want(versionOf(msize),
			"msize is too small: at least 256")
		r.want(attachRoot, "Tversion must come first")
	}
}

func TestFids(t *testing.T) {
	s := serve(t)
	r := s.started(t)
	r.open(1, "random", plan9.OREAD)
	for _, test := range []struct {
		f    fcall
		want string
	}{
		{fcall{Type: plan9.Tattach, Fid: 0, Afid: plan9.NOFID}, inUse},
		{fcall{Type: plan9.Tattach, Fid: 9, Afid: 0}, errNoAuth.Error()},
		{fcall{Type: plan9.Tattach, Fid: plan9.NOFID, Afid: plan9.NOFID}, unknownFid},
		{fcall{Type: plan9.Tauth, Afid: 9}, errNoAuth.Error()},
		{fcall{Type: plan9.Twalk, Fid: 9, Newfid: 10}, unknownFid},
		{fcall{Type: plan9.Twalk, Fid: 0, Newfid: 1}, inUse},
		{fcall{Type: plan9.Twalk, Fid: 0, Newfid: plan9.NOFID}, unknownFid},
		{fcall{Type: plan9.Twalk, Fid: 1, Newfid: 2}, errOpenFid.Error()},
		{fcall{Type: plan9.Topen, Fid: 9}, unknownFid},
		{fcall{Type: plan9.Topen, Fid: 1}, errOpenFid.Error()},
		{fcall{Type: plan9.Tread, Fid: 9}, unknownFid},
		{fcall{Type: plan9.Tread, Fid: 0}, errBadUse.Error()},
		{fcall{Type: plan9.Twrite, Fid: 9}, unknownFid},
		{fcall{Type: plan9.Twrite, Fid: 0}, errBadUse.Error()},
		{fcall{Type: plan9.Twrite, Fid: 1}, errBadUse.Error()},
		{fcall{Type: plan9.Tclunk, Fid: 9}, unknownFid},
		{fcall{Type: plan9.Tremove, Fid: 9}, unknownFid},
		{fcall{Type: plan9.Tstat, Fid: 9}, unknownFid},
		{fcall{Type: plan9.Twstat, Fid: 9}, unknownFid},
		{fcall{Type: plan9.Twstat, Fid: 1}, "bogus wstat buffer"},
		{fcall{Type: plan9.Tcreate, Fid: 0, Name: "x"}, "permission denied"},
		{fcall{Type: plan9.Tremove, Fid: 1}, "permission denied"},
		{fcall{Type: plan9.Tread, Fid: 1}, unknownFid}, // remove clunks
		{fcall{Type: plan9.Tclunk, Fid: 0}, ""},
		{fcall{Type: plan9.Tstat, Fid: 0}, unknownFid},
	} {
		test.f.Tag = 77
		r.want(&test.f, test.want)
	}
}

func TestWalk(t *testing.T) {
	s := serve(t)
	r := s.started(t)
	walk := func(fid, newfid uint32, want int, ename string, names ...string) {
		t.Helper()
		got := r.want(&fcall{Type: plan9.Twalk, Fid: fid, Newfid: newfid, Wname: names}, ename)
		if ename == "" && len(got.Wqid) != want {
			t.Fatalf("%q: %d qids, want %d", names, len(got.Wqid), want)
		}
	}
	stat := func(fid uint32, want string) {
		t.Helper()
		d, err := plan9.UnmarshalDir(r.want(&fcall{Type: plan9.Tstat, Fid: fid}, "").Stat)
		if err != nil || d.Name != want {
			t.Fatalf("fid %d is %v, %v, want %s", fid, d, err, want)
		}
	}
	gone := func(fid uint32) {
		t.Helper()
		r.want(&fcall{Type: plan9.Tstat, Fid: fid}, unknownFid)
	}

	walk(0, 1, 0, "") // a clone
	stat(1, "/")
	walk(0, 2, 1, "", "random")
	stat(2, "random")
	walk(2, 3, 0, "")
	stat(3, "random")
	walk(0, 4, 3, "", "..", "..", "ctl")
	stat(4, "ctl")

	walk(0, 5, 1, "", "random", "x") // as far as it goes, and no fid
	gone(5)
	walk(0, 5, 2, "", "..", "random", "..")
	gone(5)
	walk(0, 5, 0, "file does not exist", "x")
	gone(5)
	walk(0, 5, 0, "file does not exist", "")
	walk(0, 5, 0, "file does not exist", "random/x")
	walk(0, 1, 0, inUse, "random", "x")
	walk(2, 5, 0, "not a directory", "..")

	walk(1, 1, 0, "file does not exist", "x") // fid 1 stays where it is
	stat(1, "/")
	walk(1, 1, 1, "", "..", "x")
	stat(1, "/")
	walk(1, 1, 1, "", "seed")
	stat(1, "seed")

	up := make([]string, 16)
	for i := range up {
		up[i] = ".."
	}
	walk(0, 5, 16, "", up...)
	stat(5, "/")
}

// The listing comes in whole records, for any size that holds one.
func TestDirectory(t *testing.T) {
	s := serve(t)
	r := s.started(t)
	r.want(&fcall{Type: plan9.Topen, Fid: 0}, "")
	read := func(offset uint64, count uint32, ename string) []byte {
		t.Helper()
		return r.want(&fcall{Type: plan9.Tread, Fid: 0, Offset: offset, Count: count}, ename).Data
	}

	whole := read(0, 8192, "")
	var longest int
	var ends []int
	for at := 0; at < len(whole); {
		n := 2 + int(whole[at]) + int(whole[at+1])<<8
		longest = max(longest, n)
		at += n
		ends = append(ends, at)
	}
	if len(ends) != allFiles || ends[len(ends)-1] != len(whole) {
		t.Fatalf("records end at %d, in %d bytes", ends, len(whole))
	}

	for _, count := range []int{longest, longest + 1, 2 * longest, len(whole) - 1, len(whole)} {
		var all []byte
		for {
			b := read(uint64(len(all)), uint32(count), "")
			if len(b) == 0 {
				break
			}
			all = append(all, b...)
		}
		if string(all) != string(whole) {
			t.Errorf("in pieces of %d: %q", count, all)
		}
	}
	read(0, uint32(ends[0]-1), "Invalid argument") // 0 would be the end
	read(1, 8192, "bad offset in directory read")
	read(0, uint32(ends[1]), "")
	read(uint64(ends[0]), 8192, "bad offset in directory read")
	read(uint64(ends[1]), 8192, "")
	read(uint64(len(whole)), 8192, "")
	if got := read(0, 8192, ""); string(got) != string(whole) {
		t.Error("from the start again it is another")
	}
}

// A read of msize - 24 makes a message that is no longer than msize; more is cut to it.
func TestCounts(t *testing.T) {
	s := serve(t)
	for _, msize := range []uint32{minMsize, 600, 8192, 65560} {
		r := s.raw(t)
		r.version(msize)
		r.want(attachRoot, "")
		r.want(&fcall{Type: plan9.Twalk, Newfid: 1, Wname: []string{"random"}}, "")
		if got := r.want(&fcall{Type: plan9.Topen, Fid: 1}, "").Iounit; got != msize-24 {
			t.Errorf("msize %d: iounit %d", msize, got)
		}
		for _, count := range []uint32{0, 1, 16, msize - 25, msize - 24, msize - 23, msize, 1 << 31, 1<<32 - 1} {
			got := r.want(&fcall{Type: plan9.Tread, Fid: 1, Offset: 1<<64 - 1, Count: count}, "").Data
			if uint32(len(got)) != min(count, msize-24) {
				t.Errorf("msize %d: %d bytes of %d", msize, len(got), count)
			}
		}
	}
}

// keeping keeps what is written to it, in place.
type keeping struct {
	noDeadlines
	kept [][]byte
}

func (k *keeping) Read([]byte) (int, error)    { return 0, io.EOF }
func (k *keeping) Write(b []byte) (int, error) { k.kept = append(k.kept, b); return len(b), nil }
func (k *keeping) Close() error                { return nil }

// feed has the connection read bytes, and keeps the buffers that they go through.
func (k *keeping) feed(t *testing.T, c *conn, b []byte) {
	t.Helper()
	for len(b) > 0 {
		n := copy(c.room(), b)
		b = b[n:]
		c.add(n)
		require.NoError(t, c.answerAll())
		if c.long > 0 {
			k.kept = append(k.kept, c.buf)
		}
	}
}

// offline is a connection that a test feeds, with random open as fid 1 and seed as fid 2.
func offline(t *testing.T) (*conn, *keeping) {
	t.Helper()
	s := &Server{Tree: new(source).tree()}
	s.init()
	out := new(keeping)
	c := newConn(s, out, peer{})
	for _, f := range []*fcall{
		versionOf(1 << 20), attachRoot,
		{Type: plan9.Twalk, Newfid: 1, Wname: []string{"random"}}, {Type: plan9.Topen, Fid: 1},
		{Type: plan9.Twalk, Newfid: 2, Wname: []string{"seed"}}, {Type: plan9.Topen, Fid: 2, Mode: plan9.OWRITE},
	} {
		out.feed(t, c, bytesOf(t, f))
	}
	return c, out
}

// A stream of reads allocates nothing.
func TestAllocations(t *testing.T) {
	c, _ := offline(t)
	for _, count := range []uint32{16, 400, 8192, 64 << 10, 16} {
		m := bytesOf(t, &fcall{Type: plan9.Tread, Fid: 1, Count: count})
		if n := testing.AllocsPerRun(100, func() { c.answer(m) }); n != 0 {
			t.Errorf("a read of %d bytes allocates %v times", count, n)
		}
	}
}

// What was sent, and seeds that were taken, are not kept, whoever has the buffer next.
func TestBuffersAreCleared(t *testing.T) {
	c, out := offline(t)
	secret := bytes.Repeat([]byte{0xee}, 5000)
	out.feed(t, c, bytesOf(t, &fcall{Type: plan9.Tread, Fid: 1, Count: 5000}))
	if n := len(out.kept[len(out.kept)-1]); n != dataStart+5000 {
		t.Fatalf("an answer of %d bytes", n)
	}

	write := bytesOf(t, &fcall{Type: plan9.Twrite, Fid: 2, Data: secret})
	out.feed(t, c, write)
	out.feed(t, c, bytesOf(t, &fcall{Type: plan9.Twrite, Fid: 1, Data: secret})) // refused
	if c.loan != nil || len(c.buf) > aheadSize {
		t.Errorf("a connection that waits has a buffer of %d bytes", len(c.buf))
	}
	out.feed(t, c, write[:4000]) // and goes away
	c.giveBack()

	for i, kept := range out.kept {
		if bytes.Contains(kept, secret[:4]) || len(kept) > 1000 && !bytes.Equal(kept, make([]byte, len(kept))) {
			t.Errorf("buffer %d has something left of %d bytes", i, len(kept))
		}
	}
}

func TestServerClose(t *testing.T) {
	s := serve(t)
	r := s.started(t)
	require.NoError(t, s.Close())
	if n, err := r.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("after Close a client reads %d bytes, %v", n, err)
	}
	if _, err := Dial(s.addr); err == nil {
		t.Error("after Close somebody listens")
	}

	l, err := Listen(s.addr, 0o600)
	require.NoError(t, err)
	if err := s.Serve(l); err != ErrClosed {
		t.Errorf("Serve: %v", err)
	}
	if err := (&Server{}).Close(); err != nil {
		t.Error(err)
	}
}

// Only unix sockets and loopback are addresses, of servers and of clients.
func TestAddresses(t *testing.T) {
	for addr, want := range map[string]string{
		"unix!/run/fount.sock": "/run/fount.sock", "unix!a!b": "a!b", "tcp!127.0.0.1!5640": "127.0.0.1:5640",
		"tcp!127.9.9.9!0": "127.9.9.9:0", "tcp!localhost!564": "127.0.0.1:564", "tcp!::1!5640": "[::1]:5640",
		"": "", "unix!": "", "/run/fount.sock": "", "udp!127.0.0.1!5640": "",
		"tcp!127.0.0.1": "", "tcp!127.0.0.1!65536": "", "tcp!127.0.0.1!9pfs": "",
		"tcp!0.0.0.0!5640": "", "tcp!::!5640": "", "tcp!*!5640": "", "tcp!192.168.1.5!5640": "", "tcp!example.com!5640": "",
		"tcp!localhost.evil.com!564": "", "tcp!!5640": "", "tcp!::ffff:10.0.0.1!5640": "",
	} {
		_, address, err := parse(addr)
		if want != "" && (err != nil || address != want) {
			t.Errorf("%q is %v, %v, want %s", addr, address, err, want)
		}
		if want != "" {
			continue
		}
		_, listens := Listen(addr, 0)
		_, dials := Dial(addr)
		for _, err := range []error{err, listens, dials} {
			if err == nil || !strings.HasPrefix(err.Error(), "address ") {
				t.Errorf("%q: %v", addr, err)
			}
		}
	}
}
