// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scrypt

import (
	"bytes"
	"crypto/pbkdf2"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	xscrypt "golang.org/x/crypto/scrypt"

	"fount/internal/erase"
)

// setLevel has the test run with ladder[level].
func setLevel(t testing.TB, level int) {
	old := inUse
	inUse = level
	t.Cleanup(func() { inUse = old })
}

// eachLevel runs f as a test for each implementation that this processor has.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	for level, name := range ladder {
		t.Run(name, func(t *testing.T) {
			if level > fastest() {
				t.Skipf("this processor lacks %s", name)
			}
			setLevel(t, level)
			f(t)
		})
	}
}

// Every implementation makes x/crypto's keys: of few blocks and of many, of a block that takes more
// than one turn, of memory that holds anything. All words are random, and all of them count.
func TestMixAgainstXCrypto(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	eachLevel(t, func(t *testing.T) {
		for _, of := range []struct{ cost, r, p int }{{1, 1, 1}, {4, 1, 2}, {6, 8, 1}, {3, 3, 3}, {2, LookEvery/32 + 5, 1}, {10, 2, 1}} {
			given, salt := random(1+r.IntN(40)), random(16)
			want, err := xscrypt.Key(given, salt, 1<<of.cost, of.r, of.p, 64)
			if err != nil {
				t.Fatal(err)
			}
			b, err := pbkdf2.Key(sha256.New, string(given), salt, 1, 128*of.r*of.p)
			if err != nil {
				t.Fatal(err)
			}
			memory := make([]uint32, Words(of.cost, of.r))
			for i := range of.p {
				for k := range memory {
					memory[k] = r.Uint32()
				}
				if !Mix(b[128*of.r*i:][:128*of.r], of.cost, of.r, memory, started(nil)) {
					t.Fatal("given up")
				}
			}
			got, err := pbkdf2.Key(sha256.New, string(given), b, 1, 64)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("N=2^%d, r=%d, p=%d: %x, %v; want %x", of.cost, of.r, of.p, got, err, want)
			}
		}
	})
}

func BenchmarkMix(b *testing.B) {
	for _, cost := range []int{14, 17} {
		for level, name := range ladder {
			b.Run(fmt.Sprintf("N=2^%d/%s", cost, name), func(b *testing.B) {
				if level > fastest() {
					b.Skipf("this processor lacks %s", name)
				}
				setLevel(b, level)
				memory, unmap := erase.Map[uint32](Words(cost, 8))
				defer unmap()
				block := make([]byte, 1024)
				b.ReportAllocs()
				for b.Loop() {
					Mix(block, cost, 8, memory, started(nil))
				}
			})
		}
		b.Run(fmt.Sprintf("N=2^%d/xcrypto", cost), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := xscrypt.Key([]byte("x"), []byte("salt"), 1<<cost, 8, 1, 32); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
