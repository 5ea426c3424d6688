// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the methods themselves: do they make nonces, and leave nothing behind?

package nonce

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"fount/lab/measure"
)

// all are Standard's methods and those measured elsewhere.
func all() []measure.Method { return append(append(Standard(), AsGo()), Seven(PostParameters())...) }

func TestMethodsAreNamedApart(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range all() {
		if m.Name == "" || seen[m.Name] {
			t.Errorf("name %q: empty or twice", m.Name)
		}
		seen[m.Name] = true
		if strings.HasSuffix(m.Weakness, ".") {
			t.Errorf("%s: weakness %q ends with a full stop", m.Name, m.Weakness)
		}
	}
	if Standard()[0].Name != cryptoRand {
		t.Error("crypto/rand is not the first: ratios would be to something else")
	}
}

// Eight goroutines draw from each method in pieces of changing length: no half of a nonce comes
// twice, none is zero, and no goroutine is left, or synctest fails the test.
func TestMethodsMakeNonces(t *testing.T) {
	for _, m := range all() {
		t.Run(m.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				src, err := m.Open()
				if errors.Is(err, errors.ErrUnsupported) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				defer src.Close()
				distinct(t, src, 8, 5000)
			})
		})
	}
}

// distinct draws each nonces in each of some workers.
func distinct(t *testing.T, src measure.Source, workers, each int) {
	drawn := make([][]Nonce, workers)
	var wg sync.WaitGroup
	for i := range drawn {
		wg.Go(func() {
			w := src.Worker(i).(*worker)
			defer w.Close()
			nonces := make([]Nonce, each)
			for rest, n := nonces, 1; len(rest) > 0; n = n%67 + 1 {
				n := min(n, len(rest))
				w.Fill(rest[:n])
				rest = rest[n:]
			}
			drawn[i] = nonces
		})
	}
	wg.Wait()
	seen := map[[8]byte]bool{{}: true} // halves: of 80,000 random ones, two are equal once in 10^10 runs
	for _, nonces := range drawn {
		for _, n := range nonces {
			for _, half := range [][8]byte{[8]byte(n[:8]), [8]byte(n[8:])} {
				if seen[half] {
					t.Fatalf("%x: half of it is zero or comes twice", n)
				}
				seen[half] = true
			}
		}
	}
}

// Urandom's nonces are its file's bytes, in order, each once.
func TestUrandomReadsItsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "random")
	want := make([]byte, 100*16)
	for i := range want {
		want[i] = byte(i * 7 >> 3)
	}
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(path string) (measure.Source, error) {
		return each(&Via{open: func() (func([]byte) error, func(), error) { return openDevice(path) }})()
	}
	src, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	w := src.Worker(0).(*worker)
	defer w.Close()
	nonces := make([]Nonce, 100)
	w.Fill(nonces[:33])
	w.Fill(nonces[33:])
	var got []byte
	for _, n := range nonces {
		got = append(got, n[:]...)
	}
	if !bytes.Equal(got, want) {
		t.Error("the nonces are not the file's bytes in order")
	}
	if _, err := open(path + "-not-there"); err == nil {
		t.Error("a file that is not there opened")
	}
}
