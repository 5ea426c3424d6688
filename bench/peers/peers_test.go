// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package peers

// What must hold of every adapter: it fills what it is given, it does not repeat itself or another
// goroutine, and it leaves nothing behind. Whether a peer's values are random is not for these tests
// to say.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"fount"
)

const (
	draws      = 100_000
	goroutines = 8
)

func TestPeers(t *testing.T) {
	for _, p := range All() {
		t.Run(p.Slug(), func(t *testing.T) {
			if why := p.Missing(); why != "" {
				t.Skip(why)
			}
			if err := check(p); err != nil {
				t.Error(err)
			}
		})
	}
}

// The peers that need FIPS mode are tested in a process that has it, and no others.
func TestPeersInFIPSMode(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skipf("%s can't start a process", runtime.GOOS)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run=^TestPeers$", "-test.v")
	cmd.Env = append(os.Environ(), "GODEBUG=fips140=on")
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "fips140: FIPS 140-3 mode is") {
		t.Skipf("this build has no FIPS mode: %.200s", out)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, p := range All() {
		if ran := strings.Contains(string(out), "--- PASS: TestPeers/"+p.Slug()+" "); ran != p.FIPS {
			t.Errorf("%s: tested in FIPS mode is %v; want %v", p.Name, ran, p.FIPS)
		}
	}
}

// Names are the keys of the results.
func TestNamesDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range All() {
		if slug := p.Slug(); seen[slug] || strings.ContainsAny(slug, "/= ") {
			t.Errorf("%s: the slug %q is taken or not fit for the name of a benchmark", p.Name, slug)
		}
		seen[p.Slug()] = true
	}
	for _, task := range Tasks() {
		if seen[task.Name] || !slices.ContainsFunc(All(), func(p Peer) bool { return p.Name == task.Base }) {
			t.Errorf("%s: the name is taken, or its base %s is no peer", task.Name, task.Base)
		}
		seen[task.Name] = true
	}
}

// A loop draws as often as it is told, whatever the number.
func TestLoopCounts(t *testing.T) {
	var got int
	w := Worker{
		Read:   func(dst []byte, size int) { got += len(dst) / size },
		Uint64: func(dst []uint64) { got += len(dst) },
	}
	for _, task := range []Task{Read(8), Read(4096), Read(1 << 20), Uint64} {
		loop := task.loop(w)
		for _, n := range []int{0, 1, 63, 64, 65, 512, 513, 5000} {
			if got = 0; n > 0 {
				loop(n)
			}
			if got != n {
				t.Errorf("%s: a loop of %d draws %d times", task.Name, n, got)
			}
		}
	}
	if Text.loop(w) != nil || UUID.loop(w) != nil || Read(8).loop(Worker{}) != nil {
		t.Error("a worker that can't do a task has a loop")
	}
}

// Each peer is a method of the lab at some task, draws as that, and undoes what it started; what the lab's studies measure
// is theirs.
func TestMethods(t *testing.T) {
	const own = "IntN/crypto/rand" // rand.Int, where the lab has the post's way
	for _, p := range All() {
		if p.Missing() != "" {
			continue
		}
		tasks := 0
		for _, task := range Tasks() {
			m, ok := task.Method(p)
			if !ok {
				continue
			}
			tasks++
			src, err := m.Open()
			if err != nil {
				t.Fatalf("%s of %s: %v", task.Name, p.Name, err)
			}
			w := src.Worker(0)
			w.Draw(3)
			w.Close()
			src.Close()
			_, here := src.(peerAtWork)
			ours := strings.HasPrefix(p.Name, "fount") || p.Name == "crypto/rand" || p.Name == "math/rand/v2"
			if studied := task.lab != nil && ours && task.Name+"/"+p.Name != own; m.Name != p.Name || here == studied {
				t.Errorf("%s of %s: the method %q, made here: %v", task.Name, p.Name, m.Name, here)
			}
		}
		if tasks == 0 {
			t.Errorf("%s can do nothing", p.Name)
		}
	}
}

// check returns what is wrong with p.
func check(p Peer) error {
	if p.Start != nil {
		defer p.Start()()
	}
	return errors.Join(
		fills(p),
		distinct(p, "Read", read16, nil),
		distinct(p, "Nonce", func(w Worker) func([][16]byte) { return w.Nonce }, nil),
		distinct(p, "Uint64", func(w Worker) func([]uint64) { return w.Uint64 }, nil),
		spread(p),
		distinct(p, "UUID", func(w Worker) func([][16]byte) { return w.UUID }, version(4)),
		distinct(p, "UUIDv7", func(w Worker) func([][16]byte) { return w.UUIDv7 }, version(7)),
		distinct(p, "UUIDString", func(w Worker) func([]string) { return w.UUIDString }, uuidText),
		distinct(p, "Text", func(w Worker) func([]string) { return w.Text }, text),
	)
}

// fills reads each size into zeros, small ones 8 times and looks at each byte, large ones once and
// looks at 8 bytes at a time: if all are still 0 they were left out. The odds that this is said of
// a good reader of 1 MiB are 2^-47.
func fills(p Peer) error {
	w := p.Open()
	if w.Close != nil {
		defer w.Close()
	}
	if w.Read == nil {
		return nil
	}
	for _, size := range Sizes {
		rounds := 8
		if size > 4096 {
			rounds = 1
		}
		seen := make([]byte, size*max(1, 64/size))
		dst := make([]byte, len(seen))
		for range rounds {
			clear(dst)
			w.Read(dst, size)
			for i, b := range dst {
				seen[i] |= b
			}
		}
		window := 8 / rounds
		for i := 0; i < len(seen); i += window {
			if bytes.Count(seen[i:i+window], []byte{0}) == window {
				return fmt.Errorf("Read: of %d bytes in reads of %d, byte %d was not drawn", len(seen), size, i)
			}
		}
	}
	return nil
}

// distinct checks that no value comes twice, nor the zero value, and that each is right. The odds
// that of 10^5 values of 62 bits, the fewest random bits here, two are equal are one in 10^9.
func distinct[T comparable](p Peer, name string, pick func(Worker) func(dst []T), right func(T) error) error {
	seen := make(map[T]bool, draws)
	var zero T
	for i, v := range drawAll(p, pick) {
		if v == zero {
			return fmt.Errorf("%s: value %d was not drawn", name, i)
		}
		if seen[v] {
			return fmt.Errorf("%s: value %d, %v, came before", name, i, v)
		}
		seen[v] = true
		if right == nil {
			continue
		}
		if err := right(v); err != nil {
			return fmt.Errorf("%s: value %d, %v: %w", name, i, v, err)
		}
	}
	return nil
}

// spread checks that 10^5 integers keep to [0, Bound) and take most of its values. On average 0.03
// of them are not taken.
func spread(p Peer) error {
	all := drawAll(p, func(w Worker) func([]int) { return w.IntN })
	taken := map[int]bool{}
	for i, v := range all {
		if v < 0 || v >= Bound {
			return fmt.Errorf("IntN: value %d is %d, want [0, %d)", i, v, Bound)
		}
		taken[v] = true
	}
	if all != nil && len(taken) < Bound-10 {
		return fmt.Errorf("IntN: %d of %d values came", len(taken), Bound)
	}
	return nil
}

// drawAll draws with several goroutines at once. It returns nil if p can't.
func drawAll[T any](p Peer, pick func(Worker) func(dst []T)) []T {
	all := make([]T, draws)
	var can [goroutines]bool
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() {
			w := p.Open()
			if w.Close != nil {
				defer w.Close()
			}
			draw := pick(w)
			if draw == nil {
				return
			}
			can[i] = true
			// Pieces of an odd length, as a draw must not depend on it.
			for part := range slices.Chunk(all[i*draws/goroutines:(i+1)*draws/goroutines], 37) {
				draw(part)
			}
		})
	}
	wg.Wait()
	if can == [goroutines]bool{} {
		return nil
	}
	return all
}

// read16 is w.Read in the shape of the others.
func read16(w Worker) func(dst [][16]byte) {
	if w.Read == nil {
		return nil
	}
	return func(dst [][16]byte) {
		buf := make([]byte, 16*len(dst))
		w.Read(buf, 16)
		for i := range dst {
			dst[i] = [16]byte(buf[16*i:])
		}
	}
}

func version(want byte) func([16]byte) error {
	return func(u [16]byte) error {
		if u[6]>>4 != want || u[8]>>6 != 0b10 {
			return fmt.Errorf("version %d, variant %02b; want %d, 10", u[6]>>4, u[8]>>6, want)
		}
		return nil
	}
}

func uuidText(s string) error {
	u, err := fount.ParseUUID(s)
	if err != nil {
		return err
	}
	return version(4)(u)
}

func text(s string) error {
	if len(s) != 26 || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		return errors.New("want 26 characters of A to Z, 2 to 7")
	}
	return nil
}
