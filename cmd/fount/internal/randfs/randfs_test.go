// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package randfs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/test/require"
)

// A bench is a tree over a source that counts.
type bench struct {
	*Tree
	next    atomic.Uint64 // what the next eight bytes read say
	slow    time.Duration // that a read or a seed takes
	seeds   [][]byte
	reseeds int
}

func newBench() *bench {
	b := new(bench)
	b.Tree = New(Source{
		Read: func(p []byte) {
			time.Sleep(b.slow)
			for ; len(p) >= 8; p = p[8:] {
				binary.BigEndian.PutUint64(p, b.next.Add(1))
			}
			clear(p)
		},
		Seed:   func(p []byte) { time.Sleep(b.slow); b.seeds = append(b.seeds, slices.Clone(p)) },
		Reseed: func() { b.reseeds++ },
	})
	return b
}

func (b *bench) file(t testing.TB, name string) *File {
	t.Helper()
	i := slices.IndexFunc(b.files, func(f *File) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no file %s", name)
	}
	return b.files[i]
}

func (b *bench) open(t testing.TB, name string, write bool) *Handle {
	t.Helper()
	h, err := b.Open(b.file(t, name), write)
	require.NoError(t, err)
	return h
}

func TestFiles(t *testing.T) {
	tree := newBench().Tree
	for attach, want := range map[string]string{
		"":    "random 444 urandom 444 seed 200 stats 444 ctl 644 ",
		"/":   "random 444 urandom 444 seed 200 stats 444 ctl 644 ",
		"dev": "random 444 urandom 444 ",
	} {
		files, err := tree.Files(attach)
		require.NoError(t, err)
		got, paths := "", map[uint64]bool{0: true, 1: true} // of the roots
		for _, f := range files {
			got += fmt.Sprintf("%s %o ", f.Name, f.Perm)
			if paths[f.Path] || f.Writable() != (f.Perm&0o200 != 0) {
				t.Errorf("%s has the path %d; writable %t with mode %o", f.Name, f.Path, f.Writable(), f.Perm)
			}
			paths[f.Path] = true
		}
		if got != want {
			t.Errorf("%q shows %s, want %s", attach, got, want)
		}
	}
}

// A read is as long as asked for, wherever it begins, and has what no other read has.
func TestRandom(t *testing.T) {
	b := newBench()
	next := uint64(1)
	for _, name := range []string{"random", "urandom"} {
		h := b.open(t, name, false)
		for _, off := range []int64{0, 0, 1 << 62, 5} {
			p := make([]byte, 64)
			if n, err := h.ReadAt(p, off); n != len(p) || err != nil {
				t.Fatalf("%s at %d: %d, %v", name, off, n, err)
			}
			for i := 0; i < len(p); i += 8 {
				if got := binary.BigEndian.Uint64(p[i:]); got != next {
					t.Fatalf("%s: word %d, want %d", name, got, next)
				}
				next++
			}
		}
		if n, err := h.ReadAt(nil, 0); n != 0 || err != nil {
			t.Errorf("an empty read: %d, %v", n, err)
		}
		if _, err := h.ReadAt(make([]byte, 1), -1); err == nil {
			t.Error("a negative offset is taken")
		}
		p := make([]byte, 16)
		if n := testing.AllocsPerRun(100, func() { h.ReadAt(p, 0) }); n != 0 {
			t.Errorf("a read allocates %v times", n)
		}
		next = b.next.Load() + 1
	}
}

// Without a Source bytes and reseeds are package fount's, and no sixteen bytes come twice.
func TestDefaults(t *testing.T) {
	b := &bench{Tree: New(Source{})}
	h := b.open(t, "random", false)
	seen := map[[16]byte]bool{}
	for range 1000 {
		var p [16]byte
		if n, err := h.ReadAt(p[:], 0); n != 16 || err != nil || seen[p] {
			t.Fatal(n, err, p)
		}
		seen[p] = true
	}
	if _, err := b.open(t, "seed", true).Write([]byte("hello")); err != nil {
		t.Error(err)
	}
	ctl := b.open(t, "ctl", true)
	epoch := func() string {
		p := make([]byte, 4096)
		n, err := ctl.ReadAt(p, 0)
		_, after, found := strings.Cut(string(p[:n]), "epoch ")
		if err != nil || !found || !strings.Contains(string(p[:n]), "node ") {
			t.Fatalf("%v, no epoch or node in\n%s", err, p[:n])
		}
		return after
	}
	before := epoch()
	if _, err := ctl.Write([]byte("reseed\n")); err != nil || epoch() == before {
		t.Errorf("reseed did not move the epoch: %v", err)
	}
}

func TestSeedAndControl(t *testing.T) {
	b := newBench()
	seed := b.open(t, "seed", true)
	for _, s := range []string{"one", "", "two"} {
		if n, err := seed.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := string(bytes.Join(b.seeds, []byte(","))); got != "one,,two" {
		t.Errorf("mixed %q", got)
	}
	ctl := b.open(t, "ctl", true)
	for text, want := range map[string]bool{
		"reseed": true, "reseed\n": true, "": false, "reseed now": false, "Reseed": false,
	} {
		before := b.reseeds
		n, err := ctl.Write([]byte(text))
		if done := b.reseeds == before+1; done != want || (err == nil) != want || want && n != len(text) {
			t.Errorf("%q: reseeded %t, %d, %v", text, done, n, err)
		}
	}
}

// What is read in pieces is of one moment: a text is made anew at its start only.
func TestTextInPieces(t *testing.T) {
	b := newBench()
	stats, random := b.open(t, "stats", false), b.open(t, "random", false)
	read := func(off int64) string {
		p := make([]byte, 1000)
		n, err := stats.ReadAt(p, off)
		require.NoError(t, err)
		return string(p[:n])
	}
	whole := read(0)
	random.ReadAt(make([]byte, 8), 0)
	if got := read(20); got != whole[20:] {
		t.Errorf("from offset 20 on %q, want %q", got, whole[20:])
	}
	if got := read(0); got == whole {
		t.Errorf("after a read of random stats reads the same:\n%s", got)
	}
	if got := read(1 << 40); got != "" {
		t.Errorf("past the end %q", got)
	}
}

// A descriptor that has written stands behind what it wrote: it reads on from there, as of Plan 9's
// own ctl files, and what is in force now.
func TestReadBehindWrite(t *testing.T) {
	b := newBench()
	b.file(t, "ctl").text = func() string { return fmt.Sprintf("reseeds %d", b.reseeds) }
	ctl := b.open(t, "ctl", true)
	const request = "reseed\n"
	for _, want := range []string{" 1", " 2"} {
		_, err := ctl.Write([]byte(request))
		require.NoError(t, err)
		p := make([]byte, 100)
		if n, err := ctl.ReadAt(p, int64(len(request))); err != nil || string(p[:n]) != want {
			t.Errorf("behind a write %q, %v, want %q", p[:n], err, want)
		}
	}
}

// Each file has its own totals.
func TestStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench()
		b.slow = time.Millisecond
		random, seed := b.open(t, "random", false), b.open(t, "seed", true)
		for range 1000 {
			random.ReadAt(make([]byte, 100), 0)
		}
		seed.Write(make([]byte, 10))
		b.slow = 3 * time.Millisecond
		seed.Write(make([]byte, 15))
		text := strings.Join(strings.Fields(b.stats()), " ") + " "
		for _, want := range []string{" file calls bytes mean_ns ", " random 1000 100000 1000000 ", " seed 2 25 2000000 ", " urandom 0 0 0 "} {
			if !strings.Contains(text, want) {
				t.Errorf("no%sin %s", want, text)
			}
		}
		if !strings.HasPrefix(b.stats(), "up 1.0 s\n") {
			t.Error(b.stats())
		}
	})
}
