// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// Tests of the protocol, message by message.

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"9fans.net/go/plan9"
)

const (
	attachT  = plan9.Tattach
	unknown  = "fid unknown or out of range"
	inUse    = "fid already in use"
	allFiles = 5
)

func TestVersion(t *testing.T) {
	s := serve(t, Limits{Msize: 10000})
	r := s.raw(t)
	r.want(&plan9.Fcall{Type: plan9.Tattach, Afid: plan9.NOFID}, "Tversion must come first")
	r.want(&plan9.Fcall{Type: plan9.Tread, Count: 5}, "Tversion must come first")
	for _, test := range []struct {
		version string
		msize   uint32
		want    string
		agreed  uint32
	}{
		{"9P2000", 8192, "9P2000", 8192},
		{"9P2000", 10001, "9P2000", 10000},
		{"9P2000", 1<<32 - 1, "9P2000", 10000},
		{"9P2000.u", 8192, "9P2000", 8192},
		{"9P2000.L", 8192, "9P2000", 8192},
		{"9P2000.", minMsize, "9P2000", minMsize},
		{"9P2001", 8192, "unknown", 8192},
		{"9P20000", 8192, "unknown", 8192},
		{"", 8192, "unknown", 8192},
		{"NFS", 8192, "unknown", 8192},
	} {
		got := r.want(&plan9.Fcall{Type: plan9.Tversion, Tag: noTag, Msize: test.msize, Version: test.version}, "")
		if got.Version != test.want || got.Msize != test.agreed {
			t.Errorf("%q with msize %d is answered %v", test.version, test.msize, got)
		}
		want := "Tversion must come first"
		if test.want == "9P2000" {
			want = ""
		}
		r.want(&plan9.Fcall{Type: plan9.Tattach, Afid: plan9.NOFID}, want)
	}
	for _, msize := range []uint32{0, 1, headSize, minMsize - 1} {
		r.want(&plan9.Fcall{Type: plan9.Tversion, Tag: noTag, Msize: msize, Version: "9P2000"},
			"msize is too small: at least 256")
		r.want(&plan9.Fcall{Type: plan9.Tattach, Afid: plan9.NOFID}, "Tversion must come first")
	}
}

// A second Tversion ends the fids, and the files that they had open.
func TestVersionResets(t *testing.T) {
	s := serve(t, Limits{})
	r := s.started(t)
	for fid := range uint32(8) { // as many texts as a client may have
		r.open(fid+1, "stats", plan9.OREAD)
	}
	r.version(8192)
	r.want(&plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: 5}, unknown)
	r.want(&plan9.Fcall{Type: plan9.Tattach, Afid: plan9.NOFID}, "")
	r.open(1, "stats", plan9.OREAD)
	r.works()
}

func TestFids(t *testing.T) {
	s := serve(t, Limits{})
	r := s.started(t)
	r.open(1, "random", plan9.OREAD)
	for _, test := range []struct {
		f    plan9.Fcall
		want string
	}{
		{plan9.Fcall{Type: plan9.Tattach, Fid: 0, Afid: plan9.NOFID}, inUse},
		{plan9.Fcall{Type: plan9.Tattach, Fid: 9, Afid: 0}, errNoAuth.Error()},
		{plan9.Fcall{Type: plan9.Tattach, Fid: plan9.NOFID, Afid: plan9.NOFID}, unknown},
		{plan9.Fcall{Type: plan9.Tauth, Afid: 9}, errNoAuth.Error()},
		{plan9.Fcall{Type: plan9.Twalk, Fid: 9, Newfid: 10}, unknown},
		{plan9.Fcall{Type: plan9.Twalk, Fid: 0, Newfid: 1}, inUse},
		{plan9.Fcall{Type: plan9.Twalk, Fid: 0, Newfid: plan9.NOFID}, unknown},
		{plan9.Fcall{Type: plan9.Twalk, Fid: 1, Newfid: 2}, errOpenFid.Error()},
		{plan9.Fcall{Type: plan9.Topen, Fid: 9}, unknown},
		{plan9.Fcall{Type: plan9.Topen, Fid: 1}, errOpenFid.Error()},
		{plan9.Fcall{Type: plan9.Tread, Fid: 9}, unknown},
		{plan9.Fcall{Type: plan9.Tread, Fid: 0}, errBadUse.Error()},
		{plan9.Fcall{Type: plan9.Twrite, Fid: 9}, unknown},
		{plan9.Fcall{Type: plan9.Twrite, Fid: 0}, errBadUse.Error()},
		{plan9.Fcall{Type: plan9.Twrite, Fid: 1}, errBadUse.Error()},
		{plan9.Fcall{Type: plan9.Tclunk, Fid: 9}, unknown},
		{plan9.Fcall{Type: plan9.Tremove, Fid: 9}, unknown},
		{plan9.Fcall{Type: plan9.Tstat, Fid: 9}, unknown},
		{plan9.Fcall{Type: plan9.Twstat, Fid: 9}, unknown},
		{plan9.Fcall{Type: plan9.Twstat, Fid: 1}, "bogus wstat buffer"},
		{plan9.Fcall{Type: plan9.Tcreate, Fid: 0, Name: "x"}, "permission denied"},
		{plan9.Fcall{Type: plan9.Tremove, Fid: 1}, "permission denied"},
		{plan9.Fcall{Type: plan9.Tread, Fid: 1}, unknown}, // remove clunks
		{plan9.Fcall{Type: plan9.Tclunk, Fid: 0}, ""},
		{plan9.Fcall{Type: plan9.Tstat, Fid: 0}, unknown},
	} {
		test.f.Tag = 77
		r.want(&test.f, test.want)
	}
}

func TestWalk(t *testing.T) {
	s := serve(t, Limits{})
	r := s.started(t)
	walk := func(fid, newfid uint32, want int, ename string, names ...string) {
		t.Helper()
		got := r.want(&plan9.Fcall{Type: plan9.Twalk, Fid: fid, Newfid: newfid, Wname: names}, ename)
		if ename == "" && len(got.Wqid) != want {
			t.Fatalf("%q: %d qids, want %d", names, len(got.Wqid), want)
		}
	}
	stat := func(fid uint32, want string) {
		t.Helper()
		d, err := plan9.UnmarshalDir(r.want(&plan9.Fcall{Type: plan9.Tstat, Fid: fid}, "").Stat)
		if err != nil || d.Name != want {
			t.Fatalf("fid %d is %v, %v, want %s", fid, d, err, want)
		}
	}
	gone := func(fid uint32) {
		t.Helper()
		r.want(&plan9.Fcall{Type: plan9.Tstat, Fid: fid}, unknown)
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
	s := serve(t, Limits{})
	r := s.started(t)
	r.want(&plan9.Fcall{Type: plan9.Topen, Fid: 0}, "")
	read := func(offset uint64, count uint32, ename string) []byte {
		t.Helper()
		return r.want(&plan9.Fcall{Type: plan9.Tread, Fid: 0, Offset: offset, Count: count}, ename).Data
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
	read(0, uint32(ends[0]-1), "Invalid argument") // no room for the first record: 0 would be the end
	read(1, 8192, "bad offset in directory read")
	read(0, uint32(ends[1]), "")
	read(uint64(ends[0]), 8192, "bad offset in directory read")
	read(uint64(ends[1]), 8192, "")
	read(uint64(len(whole)), 8192, "")
	if got := read(0, 8192, ""); string(got) != string(whole) {
		t.Error("from the start again it is another")
	}
}

// Everything sent before a Tflush is answered before it.
func TestFlush(t *testing.T) {
	s := serve(t, Limits{})
	r := s.started(t)
	r.open(1, "random", plan9.OREAD)
	r.send(&plan9.Fcall{Type: plan9.Tread, Tag: 1, Fid: 1, Count: 20000})
	r.send(&plan9.Fcall{Type: plan9.Tread, Tag: 2, Fid: 1, Count: 16})
	r.send(&plan9.Fcall{Type: plan9.Tflush, Tag: 3, Oldtag: 1})
	r.send(&plan9.Fcall{Type: plan9.Tflush, Tag: 4, Oldtag: 99})
	for i, want := range []uint8{plan9.Rread, plan9.Rread, plan9.Rflush, plan9.Rflush} {
		if got := r.receive(); got.Type != want || got.Tag != uint16(i+1) {
			t.Fatalf("answer %d is %v", i, got)
		}
	}
}

// Messages that come in pieces of one byte, and many in one piece, are the same to the server.
func TestPieces(t *testing.T) {
	s := serve(t, Limits{})
	r := s.started(t)
	r.open(1, "random", plan9.OREAD)
	r.open(2, "seed", plan9.OWRITE)
	var all []byte
	const rounds = 40 // more than is read ahead
	for i := range rounds {
		for _, f := range []*plan9.Fcall{
			{Type: plan9.Tread, Tag: uint16(i), Fid: 1, Count: uint32(i)},
			{Type: plan9.Twrite, Tag: uint16(i), Fid: 2, Data: make([]byte, 40*i)},
		} {
			b, err := f.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, b...)
		}
	}
	for _, piece := range []int{1, 5, 511, len(all)} {
		go func() {
			for b := range chunks(all, piece) {
				r.Write(b)
			}
		}()
		for i := range rounds {
			if got := r.receive(); got.Type != plan9.Rread || got.Tag != uint16(i) || len(got.Data) != i {
				t.Fatalf("pieces of %d: %v", piece, got)
			}
			if got := r.receive(); got.Type != plan9.Rwrite || got.Tag != uint16(i) || got.Count != uint32(40*i) {
				t.Fatalf("pieces of %d: %v", piece, got)
			}
			if got := <-s.source.seeds; len(got) != 40*i {
				t.Fatalf("mixed %d bytes, want %d", len(got), 40*i)
			}
		}
	}
}

func chunks(b []byte, n int) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(b) > 0 {
			k := min(n, len(b))
			if !yield(b[:k]) {
				return
			}
			b = b[k:]
		}
	}
}

// A read of msize - 24 makes a message that is no longer than msize; more is cut to it.
func TestCounts(t *testing.T) {
	s := serve(t, Limits{})
	for _, msize := range []uint32{minMsize, 600, 8192, 65560} {
		r := s.raw(t)
		r.version(msize)
		r.want(&plan9.Fcall{Type: attachT, Afid: plan9.NOFID}, "")
		r.want(&plan9.Fcall{Type: plan9.Twalk, Newfid: 1, Wname: []string{"random"}}, "")
		if got := r.want(&plan9.Fcall{Type: plan9.Topen, Fid: 1}, "").Iounit; got != msize-24 {
			t.Errorf("msize %d: iounit %d", msize, got)
		}
		for _, count := range []uint32{0, 1, 16, msize - 25, msize - 24, msize - 23, msize, 1 << 31, 1<<32 - 1} {
			got := r.want(&plan9.Fcall{Type: plan9.Tread, Fid: 1, Offset: 1<<64 - 1, Count: count}, "").Data
			if uint32(len(got)) != min(count, msize-24) {
				t.Errorf("msize %d: %d bytes of %d", msize, len(got), count)
			}
		}
	}
}

// A stream of reads allocates nothing, and the buffer is as large as the largest read.
func TestAllocations(t *testing.T) {
	s := &Server{Tree: new(source).tree()}
	s.init()
	c := newConn(s, nil, peer{})
	c.client = s.Tree.Client("", 0)
	do := func(f *plan9.Fcall) {
		m, err := f.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := plan9.UnmarshalFcall(c.answer(m)); err != nil || got.Type != f.Type+1 {
			t.Fatalf("%v is answered %v, %v", f, got, err)
		}
	}
	do(&plan9.Fcall{Type: plan9.Tversion, Tag: noTag, Msize: 1 << 20, Version: "9P2000"})
	do(&plan9.Fcall{Type: plan9.Tattach, Afid: plan9.NOFID})
	do(&plan9.Fcall{Type: plan9.Twalk, Newfid: 1, Wname: []string{"random"}})
	do(&plan9.Fcall{Type: plan9.Topen, Fid: 1})
	if c.buf != nil {
		t.Errorf("%d bytes of buffer before any read", len(c.buf))
	}
	for _, test := range []struct{ count, buffer int }{
		{16, 512}, {400, 512}, {8192, 12 << 10}, {64 << 10, 68 << 10}, {16, 68 << 10},
	} {
		f := &plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: uint32(test.count)}
		do(f)
		m, _ := f.Bytes()
		if n := testing.AllocsPerRun(100, func() { c.answer(m) }); n != 0 {
			t.Errorf("a read of %d bytes allocates %v times", test.count, n)
		}
		if len(c.buf) != test.buffer {
			t.Errorf("the buffer for %d bytes has %d, want %d", test.count, len(c.buf), test.buffer)
		}
	}
}

// keeping keeps what is written to it, in place.
type keeping struct{ kept [][]byte }

func (k *keeping) Read([]byte) (int, error)    { return 0, io.EOF }
func (k *keeping) Write(b []byte) (int, error) { k.kept = append(k.kept, b); return len(b), nil }
func (k *keeping) Close() error                { return nil }

// What was sent, and seeds that were taken, are not kept, whoever has the buffer next.
func TestBuffersAreCleared(t *testing.T) {
	s := &Server{Tree: new(source).tree()}
	s.init()
	out := new(keeping)
	c := newConn(s, out, peer{})
	c.client = s.Tree.Client("", 0)
	feed := func(b []byte) {
		t.Helper()
		for len(b) > 0 {
			n := copy(c.room(), b)
			b = b[n:]
			if err := c.took(n); err != nil {
				t.Fatal(err)
			}
			if c.long > 0 {
				out.kept = append(out.kept, c.buf)
			}
		}
	}
	do := func(f *plan9.Fcall) {
		t.Helper()
		b, err := f.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		feed(b)
	}
	secret := bytes.Repeat([]byte{0xee}, 5000)
	do(&plan9.Fcall{Type: plan9.Tversion, Tag: noTag, Msize: 8192, Version: "9P2000"})
	do(&plan9.Fcall{Type: plan9.Tattach, Afid: plan9.NOFID})
	do(&plan9.Fcall{Type: plan9.Twalk, Newfid: 1, Wname: []string{"random"}})
	do(&plan9.Fcall{Type: plan9.Twalk, Newfid: 2, Wname: []string{"seed"}})
	do(&plan9.Fcall{Type: plan9.Topen, Fid: 1})
	do(&plan9.Fcall{Type: plan9.Topen, Fid: 2, Mode: plan9.OWRITE})
	do(&plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: 5000})
	if n := len(out.kept[len(out.kept)-1]); n != dataStart+5000 {
		t.Fatalf("an answer of %d bytes", n)
	}
	do(&plan9.Fcall{Type: plan9.Twrite, Fid: 2, Data: secret})
	do(&plan9.Fcall{Type: plan9.Twrite, Fid: 1, Data: secret}) // refused
	if c.loan != nil || len(c.buf) > aheadSize {
		t.Errorf("a connection that waits has a buffer of %d bytes", len(c.buf))
	}
	b, _ := (&plan9.Fcall{Type: plan9.Twrite, Fid: 2, Data: secret}).Bytes()
	feed(b[:4000]) // and goes away
	c.giveBack()
	for i, kept := range out.kept {
		if bytes.Contains(kept, secret[:4]) || len(kept) > 1000 && !bytes.Equal(kept, make([]byte, len(kept))) {
			t.Errorf("buffer %d has something left of %d bytes", i, len(kept))
		}
	}
}

func TestServerClose(t *testing.T) {
	s := serve(t, Limits{})
	r := s.started(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("after Close a client reads %d bytes, %v", n, err)
	}
	if _, err := s.connect(); err == nil {
		t.Error("after Close somebody listens")
	}
	here, there := net.Pipe()
	if err := s.ServeConn(there, ""); err != ErrClosed {
		t.Errorf("ServeConn: %v", err)
	}
	if _, err := here.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("and the connection: %v", err)
	}
	l, err := s.listen()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(l); err != ErrClosed {
		t.Errorf("Serve: %v", err)
	}
	if err := (&Server{}).Close(); err != nil {
		t.Error(err)
	}
}

func TestLimitsCheck(t *testing.T) {
	for _, test := range []struct {
		limits Limits
		ok     bool
	}{
		{Limits{}, true},
		{Limits{Conns: 1, Fids: 2, Msize: 256, Stall: 1}, true},
		{Limits{Conns: -1}, false},
		{Limits{Fids: 1}, false},
		{Limits{Msize: 255}, false},
		{Limits{Msize: 16<<20 + 25}, false},
		{Limits{Stall: -time.Second}, false},
	} {
		if err := test.limits.Check(); (err == nil) != test.ok {
			t.Errorf("%+v: %v", test.limits, err)
		}
	}
	here, there := net.Pipe()
	if err := (&Server{Limits: Limits{Conns: -1}}).ServeConn(there, ""); err == nil {
		t.Error("ServeConn takes -1 connections")
	}
	if _, err := here.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the connection: %v", err)
	}
}
