// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package randfs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A bench is a tree over a source that counts, and a clock that the test turns.
type bench struct {
	*Tree
	next    atomic.Uint64 // what the next eight bytes read say
	seeds   [][]byte
	reseeds int
	now     time.Time
	step    time.Duration // by which each look at the clock turns it
}

func newBench() *bench {
	b := &bench{now: time.Unix(1e9, 0)}
	b.Tree = New(Source{
		Read: func(p []byte) {
			for ; len(p) >= 8; p = p[8:] {
				binary.BigEndian.PutUint64(p, b.next.Add(1))
			}
			clear(p)
		},
		Seed:   func(p []byte) { b.seeds = append(b.seeds, slices.Clone(p)) },
		Reseed: func() { b.reseeds++ },
		Status: func() string { return fmt.Sprintf("reseeds %d\n", b.reseeds) },
		Now: func() time.Time {
			b.now = b.now.Add(b.step)
			return b.now
		},
	})
	return b
}

func (b *bench) file(t testing.TB, name string) *File {
	t.Helper()
	files, err := b.Files("")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(files, func(f *File) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no file %s", name)
	}
	return files[i]
}

func (b *bench) open(t testing.TB, c *Client, name string, write bool) *Handle {
	t.Helper()
	h, err := c.Open(b.file(t, name), write)
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		got, paths := "", map[uint64]bool{0: true, 1: true} // of the roots
		for _, f := range files {
			got += fmt.Sprintf("%s %o ", f.Name, f.Perm)
			if paths[f.Path] {
				t.Errorf("%s has the path of another, %d", f.Name, f.Path)
			}
			paths[f.Path] = true
		}
		if got != want {
			t.Errorf("%q shows %s, want %s", attach, got, want)
		}
	}
	if _, err := tree.Files("other"); err == nil || !strings.Contains(err.Error(), `"dev"`) {
		t.Errorf("an unknown attach name gives %v", err)
	}
}

// A read is as long as asked for, wherever it begins, and has what no other read has.
func TestRandom(t *testing.T) {
	b := newBench()
	c := b.Client("a", 0)
	defer c.Close()
	next := uint64(1)
	for _, name := range []string{"random", "urandom"} {
		h := b.open(t, c, name, false)
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
		h.Close()
	}
}

// Without a Source the bytes come from package fount: sixteen of them are never the same twice.
func TestDefaults(t *testing.T) {
	tree := New(Source{})
	b := &bench{Tree: tree}
	c := tree.Client("a", 0)
	h := b.open(t, c, "random", false)
	seen := map[[16]byte]bool{}
	for range 1000 {
		var p [16]byte
		if n, err := h.ReadAt(p[:], 0); n != 16 || err != nil {
			t.Fatal(n, err)
		}
		if seen[p] {
			t.Fatalf("%x twice", p)
		}
		seen[p] = true
	}
	if _, err := b.open(t, c, "seed", true).Write([]byte("hello")); err != nil {
		t.Error(err)
	}
	ctl := b.open(t, c, "ctl", true)
	epoch := func() string {
		p := make([]byte, 4096)
		n, err := ctl.ReadAt(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, after, found := strings.Cut(string(p[:n]), "epoch ")
		if !found {
			t.Fatalf("no epoch in\n%s", p[:n])
		}
		return after
	}
	before := epoch()
	if _, err := ctl.Write([]byte("reseed\n")); err != nil {
		t.Error(err)
	}
	if epoch() == before {
		t.Error("reseed did not move the epoch")
	}
}

func TestPermissions(t *testing.T) {
	b := newBench()
	c := b.Client("a", 0)
	for _, test := range []struct {
		name  string
		write bool
		want  error
	}{
		{"random", false, nil}, {"random", true, fs.ErrPermission},
		{"urandom", false, nil}, {"urandom", true, fs.ErrPermission},
		{"seed", false, fs.ErrPermission}, {"seed", true, nil},
		{"stats", false, nil}, {"stats", true, fs.ErrPermission},
		{"ctl", false, nil}, {"ctl", true, nil},
	} {
		h, err := c.Open(b.file(t, test.name), test.write)
		if !errors.Is(err, test.want) {
			t.Errorf("%s, write %t: %v, want %v", test.name, test.write, err, test.want)
		}
		if err != nil {
			continue
		}
		if _, err := h.Write([]byte("reseed")); (err == nil) != test.write {
			t.Errorf("%s, open for writing %t, is written: %v", test.name, test.write, err)
		}
	}
	if _, err := b.open(t, c, "seed", true).ReadAt(make([]byte, 1), 0); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("seed is read: %v", err)
	}
}

func TestSeedAndControl(t *testing.T) {
	b := newBench()
	c := b.Client("a", 0)
	seed := b.open(t, c, "seed", true)
	for _, s := range []string{"one", "", "two"} {
		if n, err := seed.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := string(bytes.Join(b.seeds, []byte(","))); got != "one,,two" {
		t.Errorf("mixed %q", got)
	}
	ctl := b.open(t, c, "ctl", true)
	for text, want := range map[string]bool{
		"reseed": true, "reseed\n": true, "": false, "reseed now": false, "Reseed": false,
	} {
		before := b.reseeds
		n, err := ctl.Write([]byte(text))
		if done := b.reseeds == before+1; done != want || (err == nil) != want || want && n != len(text) {
			t.Errorf("%q: reseeded %t, %d, %v", text, done, n, err)
		}
	}
	p := make([]byte, 100)
	n, _ := ctl.ReadAt(p[:5], 0)
	m, _ := ctl.ReadAt(p[5:], 5)
	if got := string(p[:n+m]); got != "reseeds 2\n" {
		t.Errorf("ctl reads %q", got)
	}
	b.reseeds = 7
	if n, _ := ctl.ReadAt(p, 8); string(p[:n]) != "2\n" {
		t.Errorf("at an offset ctl reads %q, which is not of the text it began", p[:n])
	}
	if n, _ := ctl.ReadAt(p, 0); string(p[:n]) != "reseeds 7\n" {
		t.Errorf("from the start ctl reads %q", p[:n])
	}
	if n, err := ctl.ReadAt(p, 1<<40); n != 0 || err != nil {
		t.Errorf("past the end: %d, %v", n, err)
	}
}

// A client can't keep more than 32 texts.
func TestTexts(t *testing.T) {
	b := newBench()
	c, other := b.Client("a", 0), b.Client("b", 0)
	var open []*Handle
	for range mostTexts {
		open = append(open, b.open(t, c, "stats", false))
	}
	if _, err := c.Open(b.file(t, "ctl"), false); err == nil || errors.Is(err, fs.ErrPermission) {
		t.Errorf("one more: %v", err)
	}
	b.open(t, c, "random", false)
	b.open(t, other, "stats", false)
	open[0].Close()
	b.open(t, c, "stats", false)
}

// Readers at once get each byte once and are all counted, also while others come and go and stats is read.
func TestConcurrent(t *testing.T) {
	b := newBench()
	// The clock moves with the reads, so that slots are turned.
	b.Tree.clock = func() time.Duration { return time.Duration(b.next.Load()) * time.Millisecond }
	const readers, reads = 8, 500
	var seen sync.Map
	var all sync.WaitGroup
	for i := range readers {
		all.Go(func() {
			for range 5 {
				c := b.Client(fmt.Sprint("reader", i%5), 0)
				h := b.open(t, c, "random", false)
				text := b.open(t, c, "stats", false)
				for range reads / 5 {
					var p [8]byte
					h.ReadAt(p[:], 0)
					if _, twice := seen.LoadOrStore(p, true); twice {
						t.Errorf("%x twice", p)
					}
				}
				text.ReadAt(make([]byte, 100), 0)
				h.Close()
				text.Close()
				c.Close()
			}
		})
	}
	all.Wait()
	all2, now := b.words(t), fmt.Sprint(readers*reads)
	if got := all2["file random"]; got[0] != now || got[1] != fmt.Sprint(readers*reads*8) {
		t.Errorf("counted %s calls and %s bytes, want %s and 8 times that", got[0], got[1], now)
	}
	if got := all2["client other"][0]; got != fmt.Sprint(readers*(reads+5)) {
		t.Errorf("those who are gone made %s calls", got)
	}
	if len(b.named) != 0 {
		t.Errorf("%d clients are named and gone", len(b.named))
	}
}

func BenchmarkReadAt(b *testing.B) {
	tree := New(Source{})
	t := &bench{Tree: tree}
	h := t.open(b, tree.Client("a", 0), "random", false)
	for _, size := range []int{16, 4 << 10, 64 << 10} {
		p := make([]byte, size)
		b.Run(fmt.Sprintf("counted/%dB", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				h.ReadAt(p, 0)
			}
		})
		b.Run(fmt.Sprintf("source/%dB", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				tree.source.Read(p)
			}
		})
	}
}

// ctl names every node, and ends with the epoch.
func TestStatusNamesNodes(t *testing.T) {
	text := status()
	for _, want := range []string{"node          ", " draws ("} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "epoch ") {
		t.Errorf("the last line is %q, want the epoch", last)
	}
}
