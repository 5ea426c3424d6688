// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9

package ninep

// The tree as 9fans.net/go/plan9/client sees it, which on Plan 9 uses the kernel.

import (
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"testing"

	"fount/internal/test/require"

	"9fans.net/go/plan9"
	"9fans.net/go/plan9/client"
)

// attach connects the client and attaches a tree.
func (s *served) attach(t testing.TB, name string) *client.Fsys {
	t.Helper()
	c, err := client.NewConn(s.dial(t))
	require.NoError(t, err)
	fsys, err := c.Attach(nil, "glenda", name)
	require.NoError(t, err)
	return fsys
}

func open(t testing.TB, fsys *client.Fsys, name string, mode uint8) *client.Fid {
	t.Helper()
	f, err := fsys.Open(name, mode)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Reads through both files, by two clients, have each number once, and are as long as asked.
func TestClientReads(t *testing.T) {
	s := serve(t)
	var fids []*client.Fid
	for range 2 {
		fsys := s.attach(t, "")
		fids = append(fids, open(t, fsys, "random", plan9.OREAD), open(t, fsys, "urandom", plan9.OREAD))
	}
	next := uint64(1)
	for _, size := range []int{8, 16, 512, 8 << 10, 64 << 10} {
		for i, f := range fids {
			b := make([]byte, size)
			if n, err := f.Read(b); n != size || err != nil {
				t.Fatalf("%d of %d bytes, %v", n, size, err)
			}
			for ; len(b) > 0; b = b[8:] {
				if got := binary.BigEndian.Uint64(b); got != next {
					t.Fatalf("fid %d, size %d: word %d, want %d", i, size, got, next)
				}
				next++
			}
		}
	}
}

func TestClientLists(t *testing.T) {
	s := serve(t)
	for attach, want := range map[string]string{"": "random urandom seed stats ctl", "dev": "random urandom"} {
		fsys := s.attach(t, attach)
		root := open(t, fsys, "/", plan9.OREAD)
		dirs, err := root.Dirreadall()
		require.NoError(t, err)
		var names []string
		for _, d := range dirs {
			names = append(names, d.Name)
			same, err := fsys.Stat(d.Name)
			if err != nil || *same != *d {
				t.Errorf("stat of %s: %v, %v, in the listing %v", d.Name, same, err, d)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("attached %q, the listing is %s, want %s", attach, got, want)
		}
		for _, name := range []string{"seed", "stats", "ctl"} {
			if _, err := fsys.Stat(name); (err == nil) != slices.Contains(names, name) {
				t.Errorf("attached %q, stat of %s: %v", attach, name, err)
			}
		}
	}
	d, err := s.attach(t, "").Stat("seed")
	require.NoError(t, err)
	if d.Mode != 0o200 || d.Length != 0 || d.Qid.Type != 0 || int64(d.Mtime) != s.Tree.Started().Unix() {
		t.Errorf("seed is %v", d)
	}
	root, err := s.attach(t, "").Stat("")
	if err != nil || root.Mode != plan9.DMDIR|0o555 || root.Qid.Type != plan9.QTDIR {
		t.Errorf("the root is %v, %v", root, err)
	}
}

func TestClientWrites(t *testing.T) {
	s := serve(t)
	fsys := s.attach(t, "")
	for _, mode := range []uint8{plan9.OWRITE, plan9.OWRITE | plan9.OTRUNC} {
		seed := open(t, fsys, "seed", mode)
		long := strings.Repeat("x", 5000) // longer than what is read ahead
		for _, text := range []string{"some bits", long} {
			if n, err := seed.Write([]byte(text)); n != len(text) || err != nil {
				t.Fatal(n, err)
			}
			if got := <-s.source.seeds; got != text {
				t.Fatalf("mixed %q", got)
			}
		}
	}
	ctl := open(t, fsys, "ctl", plan9.ORDWR|plan9.OTRUNC)
	if _, err := ctl.Write([]byte("reseed\n")); err != nil || s.source.reseeds.Load() != 1 {
		t.Errorf("reseed: %v, done %d times", err, s.source.reseeds.Load())
	}
	if _, err := ctl.Write([]byte("halt")); err == nil || err.Error() != "unknown request: ctl takes reseed" {
		t.Errorf("halt: %v", err)
	}
	b, err := io.ReadAll(open(t, fsys, "stats", plan9.OREAD))
	if words := strings.Join(strings.Fields(string(b)), " "); err != nil || !strings.Contains(words, " seed 4 10018 ") {
		t.Errorf("%v, %s", err, b)
	}
}

func TestClientRefused(t *testing.T) {
	s := serve(t)
	fsys := s.attach(t, "")
	for _, test := range []struct {
		name string
		mode uint8
		want string
	}{
		{"random", plan9.ORDWR, "permission denied"},
		{"random", plan9.OREAD | plan9.OTRUNC, "permission denied"},
		{"random", plan9.OEXEC, "permission denied"},
		{"random", plan9.OREAD | plan9.ORCLOSE, "permission denied"},
		{"seed", plan9.ORDWR, "permission denied"},
		{"seed", plan9.OREAD, "permission denied"},
		{"stats", plan9.OWRITE, "permission denied"},
		{"/", plan9.OWRITE, "permission denied"},
		{"/", plan9.OREAD | plan9.OTRUNC, "permission denied"},
		{"nothing", plan9.OREAD, "file does not exist"},
	} {
		if _, err := fsys.Open(test.name, test.mode); err == nil || err.Error() != test.want {
			t.Errorf("%s, mode %d: %v, want %s", test.name, test.mode, err, test.want)
		}
	}
	if _, err := open(t, fsys, "ctl", plan9.OREAD).Write([]byte("reseed")); err == nil || err.Error() != "bad use of fid" {
		t.Errorf("ctl open for reading is written: %v", err)
	}
	if _, err := open(t, fsys, "ctl", plan9.OWRITE).Read(make([]byte, 1)); err == nil || err.Error() != "bad use of fid" {
		t.Errorf("ctl open for writing is read: %v", err)
	}
	c, err := client.NewConn(s.dial(t))
	require.NoError(t, err)
	if _, err := c.Attach(nil, "glenda", "usr"+strings.Repeat("\x00", 60000)); err == nil || len(err.Error()) > 240 {
		t.Errorf("an unknown tree: %v", err)
	}
}

// What Linux does before it opens a file with O_TRUNC is taken, any other change is not.
func TestClientWstat(t *testing.T) {
	s := serve(t)
	fsys := s.attach(t, "")
	truncate := func(d *plan9.Dir) { d.Length, d.Mtime = 0, 5 }
	for _, test := range []struct {
		name string
		set  func(d *plan9.Dir)
		ok   bool
	}{
		{"seed", truncate, true},
		{"ctl", truncate, true},
		{"random", truncate, false},
		{"/", truncate, false},
		{"random", func(*plan9.Dir) {}, true}, // fsync
		{"seed", func(d *plan9.Dir) { d.Mtime = 5 }, false},
		{"seed", func(d *plan9.Dir) { d.Length = 1 }, false},
		{"seed", func(d *plan9.Dir) { d.Length, d.Mode = 0, 0o666 }, false},
		{"seed", func(d *plan9.Dir) { d.Name = "other" }, false},
	} {
		d := new(plan9.Dir)
		d.Null()
		test.set(d)
		if err := fsys.Wstat(test.name, d); (err == nil) != test.ok || err != nil && err.Error() != "wstat prohibited" {
			t.Errorf("%s, %v: %v", test.name, d, err)
		}
	}
}
