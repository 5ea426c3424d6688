// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A million nonces of each method: none twice, none zero.

package nonce

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"fount/lab/measure"
)

// In 32 goroutines, as many as ChannelRoundRobin has channels; synctest fails if a goroutine is left after Close. The
// race detector makes the twin of fount's state per P slow, some 30 µs a draw, so there fount's rows are shorter.
func TestMillion(t *testing.T) {
	for _, m := range append(Seven(PostParameters()), CryptoRand(), Fount(), Generator(), Strict()) {
		t.Run(m.Name, func(t *testing.T) {
			n := 1_000_000
			if raceEnabled && strings.HasPrefix(m.Name, "fount") && os.Getenv("FOUNT_LONG") == "" {
				n = 20_000
				defer t.Skipf("%d nonces: under the race detector a million of fount's take 30 s; set FOUNT_LONG=1", n)
			}
			synctest.Test(t, func(t *testing.T) {
				src, err := m.Open()
				if errors.Is(err, errors.ErrUnsupported) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				defer src.Close()
				if f := fault(draws(src, 32, n)); f != "" {
					t.Error(f)
				}
			})
		})
	}
}

// draws takes n nonces from workers goroutines, in pieces of 64.
func draws(src measure.Source, workers, n int) []Nonce {
	nonces := make([]Nonce, n)
	var wg sync.WaitGroup
	for share := range slices.Chunk(nonces, (n+workers-1)/workers) {
		wg.Go(func() {
			w := src.Worker(0).(*worker)
			defer w.Close()
			for piece := range slices.Chunk(share, 64) {
				w.Fill(piece)
			}
		})
	}
	wg.Wait()
	return nonces
}

// fault says if the first half of a nonce is zero or comes twice. Of a million random ones two are equal in one of 37
// million runs. (Words, and half of them, as the race detector makes a sort ten times as long.)
func fault(nonces []Nonce) string {
	halves := make([]uint64, len(nonces))
	for i, n := range nonces {
		halves[i] = binary.NativeEndian.Uint64(n[:])
	}
	slices.Sort(halves)
	if halves[0] == 0 {
		return "half a nonce is zero"
	}
	for i, half := range halves[1:] {
		if half == halves[i] {
			return fmt.Sprintf("half a nonce comes twice: %x", half)
		}
	}
	return ""
}

// The negative control.
func TestFault(t *testing.T) {
	nonces := make([]Nonce, 1000)
	for i := range nonces {
		binary.NativeEndian.PutUint64(nonces[i][:], uint64(i*37%1000+1))
	}
	if f := fault(nonces); f != "" {
		t.Errorf("all are different, and %s", f)
	}
	nonces[700] = nonces[20]
	if fault(nonces) == "" {
		t.Error("a nonce that comes twice is not seen")
	}
	nonces[700] = Nonce{}
	if fault(nonces) == "" {
		t.Error("a zero is not seen")
	}
}
