// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import (
	"bytes"
	"crypto/sha512"
	"runtime"
	"strings"
	"testing"
)

// clockOf returns a clock that goes on by step(i) at its i-th reading.
func clockOf(step func(i int) uint64) func() uint64 {
	i, now := -1, uint64(1<<40)
	return func() uint64 {
		i++
		now += step(i)
		return now
	}
}

func newJitter(clock func() uint64) *jitter {
	return &jitter{clock: clock, tests: newHealth(jitterRepetition, jitterProportion)}
}

// lively is a clock step whose low 8 bits take all values in turn.
func lively(i int) uint64 { return 1000 + uint64(i)*7 }

// 64 bytes are SHA-512 of 1152 samples, and a sample is the low 8 bits of the time
// between two readings: both again from the steps of the clock.
func TestJitterConditioning(t *testing.T) {
	j := newJitter(clockOf(lively))
	got := make([]byte, 100)
	if n, err := j.fill(got); n != 100 || err != nil {
		t.Fatalf("fill: %d, %v", n, err)
	}
	var want []byte
	reading := jitterStart // samples are read one by one, and dropped
	for range 2 {
		reading++ // the clock is read once before the first sample
		var samples []byte
		for range jitterSamples {
			samples = append(samples, byte(lively(reading)))
			reading++
		}
		sum := sha512.Sum512(samples)
		want = append(want, sum[:]...)
	}
	if !bytes.Equal(got, want[:100]) {
		t.Errorf("got  %x\nwant %x", got, want[:100])
	}
	if !bytes.Equal(j.samples[:], make([]byte, jitterSamples)) {
		t.Error("the raw samples were not wiped")
	}
}

// The clock is at fault, from the first sample on or later.
func TestJitterFaults(t *testing.T) {
	for _, test := range []struct {
		name string
		step func(i int) uint64
		want string
	}{
		{"stands still", func(int) uint64 { return 0 }, "repetition count test: 81 equal"},
		{"goes evenly", func(int) uint64 { return 613 }, "repetition count test: 81 equal"},
		{"goes in steps of 256", func(i int) uint64 { return uint64(i%5) << 8 }, "repetition count test: 81 equal"},
		{"hardly ever moves", func(i int) uint64 {
			if i%20 == 0 {
				return uint64(i)
			}
			return 0
		}, "adaptive proportion test: 432 of 512"},
		{"stops after the start", func(i int) uint64 {
			if i < jitterStart+100 {
				return lively(i)
			}
			return 0
		}, "repetition count test: 81 equal"},
	} {
		j := newJitter(clockOf(test.step))
		b := bytes.Repeat([]byte{0x55}, 64)
		s := source{name: "jitter", absent: present, tested: true, fill: j.fill}
		if n, err := s.ask(b); n != 0 || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("a clock that %s: %d bytes, %v; want %q", test.name, n, err, test.want)
		}
		if st := s.status(); st.Healthy || !strings.HasPrefix(st.Why, "cut off: ") {
			t.Errorf("a clock that %s: status %+v", test.name, st)
		}
		if raw := make([]byte, 3000); j.raw(raw) == nil && test.name == "stands still" {
			t.Errorf("a clock that %s: raw samples pass later", test.name)
		}
	}
}

// The walk reaches all of memory, not a short cycle of it.
func TestJitterWalk(t *testing.T) {
	j := newJitter(clockOf(lively))
	raw := make([]byte, 1<<16) // 2^20 accesses, one a byte of memory
	if err := j.raw(raw); err != nil {
		t.Fatal(err)
	}
	plain := uint64(0)
	for range jitterAccesses * (len(raw) + jitterStart) {
		plain = 6364136223846793005*plain + 1442695040888963407
	}
	if j.place == plain {
		t.Error("what an access finds does not change where the next one goes")
	}
	reached := 0
	for _, x := range j.memory {
		if x != 0 {
			reached++
		}
	}
	// A share of 1-1/e is what 2^20 random accesses reach; 1024 samples came before.
	if share := float64(reached) / jitterMemory; share < 0.63 || share > 0.65 {
		t.Errorf("%d accesses reached %.3f of memory, want 0.63 to 0.65", 16*(len(raw)+jitterStart), share)
	}
}

// The real source, on this machine. That it passes its tests says that it is
// plugged in, not that it is unpredictable.
func TestJitterHere(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the clock of " + runtime.GOOS + " may be too coarse for this source, which is then cut off")
	}
	a, b := make([]byte, 64), make([]byte, 64)
	for _, p := range [][]byte{a, b} {
		if n, err := Draw("jitter", p); n != 64 || err != nil {
			t.Fatalf("Draw: %d, %v", n, err)
		}
	}
	if bytes.Equal(a, b) {
		t.Error("two draws are equal")
	}
	raw := make([]byte, 4096)
	RawJitter(raw)
	var count [256]int
	for _, x := range raw {
		count[x]++
	}
	values := 0
	for _, n := range count {
		if n > 0 {
			values++
		}
	}
	if values < 4 {
		t.Errorf("%d raw samples have %d values", len(raw), values)
	}
}
