// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// numbers returns a draw that gives 1, 2, 3 and so on, changed by change.
func numbers(change func(i int, v uint64) (uint64, bool)) func() (uint64, bool) {
	i := 0
	return func() (uint64, bool) {
		i++
		return change(i, uint64(i))
	}
}

func sound(_ int, v uint64) (uint64, bool) { return v, true }

func newWords(draw func() (uint64, bool), empty error) *words {
	return &words{draw: draw, empty: empty, tests: newHealth(wordRepetition, wordProportion)}
}

func TestWordsFillEveryLength(t *testing.T) {
	w := newWords(numbers(sound), errBroken)
	next := uint64(startWords + 1) // the first ones are dropped
	for n := range 41 {
		b := make([]byte, n)
		if got, err := w.fill(b); got != n || err != nil {
			t.Fatalf("fill of %d bytes: %d, %v", n, got, err)
		}
		var want []byte
		for len(want) < n {
			want = binary.LittleEndian.AppendUint64(want, next)
			next++
		}
		if !bytes.Equal(b, want[:n]) {
			t.Errorf("%d bytes: %x, want %x", n, b, want[:n])
		}
	}
}

// What is wrong with the words, after how many of them, and what becomes of it.
func TestWordsFaults(t *testing.T) {
	const x = 0x0123456789abcdef
	after := func(sound int, v uint64, ok bool) func(int, uint64) (uint64, bool) {
		return func(i int, number uint64) (uint64, bool) {
			if i <= sound {
				return number, true
			}
			return v, ok
		}
	}
	for _, test := range []struct {
		name   string
		change func(int, uint64) (uint64, bool)
		want   string // the error, "" for none
		fills  int    // of 32 bytes that succeed before
	}{
		{"stuck", after(0, x, true), "stands still: the same 64 bits", 0},
		{"stuck within the start", after(startWords-2, x, true), "stands still: the same 64 bits", 0},
		{"stuck with the last of the start", after(startWords-1, x, true), "repetition count test: 4 equal samples", 0},
		{"stuck later", after(startWords+4, x, true), "repetition count test: 4 equal samples", 1},
		{"stuck later, within a fill", after(startWords+6, x, true), "repetition count test: 4 equal samples", 2},
		{"ones", after(0, ^uint64(0), true), "64 bits that are all equal", 0},
		{"ones later", after(startWords+4, ^uint64(0), true), "64 bits that are all equal", 1},
		{"zeros", after(0, 0, true), "64 bits that are all equal", 0},
		{"every other one the same", func(i int, v uint64) (uint64, bool) {
			if i%2 == 1 {
				return x, true
			}
			return v, true
		}, "adaptive proportion test: 5 of 512", 0},
		{"none", after(0, 0, false), errBroken.Error(), 0},
		{"none later", after(startWords+8, 0, false), errBroken.Error(), 2},
	} {
		w := newWords(numbers(test.change), errBroken)
		fills := 0
		var err error
		for fills < 1000 {
			if _, err = w.fill(make([]byte, 32)); err != nil {
				break
			}
			fills++
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || fills != test.fills {
			t.Errorf("%s: %v after %d fills, want %q after %d", test.name, err, fills, test.want, test.fills)
		}
	}
}

// Three equal words in a row pass, once the start is over.
func TestWordsThreeEqualPass(t *testing.T) {
	w := newWords(numbers(func(i int, v uint64) (uint64, bool) {
		if i > startWords && i <= startWords+wordRepetition-1 {
			return 99, true
		}
		return v, true
	}), errBroken)
	if n, err := w.fill(make([]byte, 64)); n != 64 || err != nil {
		t.Errorf("fill: %d, %v", n, err)
	}
}

// RDSEED may have none for the moment, at the start and later.
func TestWordsDry(t *testing.T) {
	dry := true
	w := newWords(numbers(func(i int, v uint64) (uint64, bool) { return v, !dry }), errDry)
	s := source{name: "dry", absent: present, tested: true, fill: w.fill}
	b := make([]byte, 16)
	if n, err := s.ask(b); n != 0 || err != nil {
		t.Fatalf("dry at the start: %d, %v", n, err)
	}
	if st := s.status(); st.Healthy || st.Why != "it has given nothing yet" {
		t.Errorf("dry at the start: status %+v", st)
	}
	dry = false
	if n, err := s.ask(b); n != 16 || err != nil {
		t.Fatalf("no longer dry: %d, %v", n, err)
	}
	after := 3
	w.draw = numbers(func(i int, v uint64) (uint64, bool) { return v, i <= after })
	if n, err := s.ask(make([]byte, 64)); n != 24 || err != nil {
		t.Errorf("dry after 24 bytes: %d, %v", n, err)
	}
	if st := s.status(); !st.Healthy || st.Bytes != 16+24 {
		t.Errorf("status %+v", st)
	}
}
