// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"fount"
	"fount/internal/shard"
)

func init() {
	children["busy generator"] = func() {
		defer func() { recover() }()
		fount.UseBusyGenerator()
	}
}

func TestGeneratorUsedByTwoStops(t *testing.T) {
	stdout, stderr, exit := runChild(t, "busy generator")
	wantStopped(t, stdout, stderr, exit, "two goroutines")
}

func TestGeneratorMisuse(t *testing.T) {
	closed := fount.NewGenerator()
	closed.Nonce()
	closed.Close()
	closed.Close() // again does nothing
	var zero fount.Generator
	for name, g := range map[string]*fount.Generator{"zero": &zero, "closed": closed} {
		for method, f := range map[string]func(){
			"Read":    func() { g.Read(make([]byte, 1)) },
			"Nonce":   func() { g.Nonce() },
			"Nonce12": func() { g.Nonce12() },
			"Nonce24": func() { g.Nonce24() },
			"Key":     func() { g.Key() },
			"Uint64":  func() { g.Uint64() },
			"Uint32":  func() { g.Uint32() },
			"IntN":    func() { g.IntN(10) },
			"Reseed":  func() { g.Reseed() },
		} {
			func() {
				defer func() {
					if e, ok := recover().(string); !ok || !strings.Contains(e, "NewGenerator") {
						t.Errorf("%s of a %s Generator: panic %q, want one that names NewGenerator", method, name, e)
					}
				}()
				f()
				t.Errorf("%s of a %s Generator returned", method, name)
			}()
		}
	}
	zero.Close() // has nothing to wipe
}

// Two Generators, and the package's own state, never give one value twice.
func TestGeneratorsAreDistinct(t *testing.T) {
	const generators, draws = 16, 5000
	var mu sync.Mutex
	var wg sync.WaitGroup
	seen := map[[16]byte]bool{}
	for range generators {
		wg.Go(func() {
			g := fount.NewGenerator()
			defer g.Close()
			mine := make([][16]byte, 0, 2*draws)
			for range draws {
				mine = append(mine, g.Nonce(), fount.Nonce())
			}
			mu.Lock()
			defer mu.Unlock()
			for _, n := range mine {
				seen[n] = true
			}
		})
	}
	wg.Wait()
	if want := 2 * generators * draws; len(seen) != want {
		t.Errorf("%d of %d values came again", want-len(seen), want)
	}
}

func TestGeneratorReseed(t *testing.T) {
	g := fount.NewGenerator()
	defer g.Close()
	for name, reseed := range map[string]func(){"g.Reseed": g.Reseed, "fount.Reseed": fount.Reseed} {
		// The control: a draw from a full buffer takes no seed. The kernel may
		// reseed by itself and move the word meanwhile, but not each time.
		var before uint64
		quiet := false
		for range 20 {
			g.Uint32()
			before = fount.Status().Reseeds
			g.Uint32()
			quiet = quiet || fount.Status().Reseeds == before
		}
		if !quiet {
			t.Fatal("control: draws from a full buffer took seeds each time")
		}
		before = fount.Status().Reseeds
		reseed()
		g.Uint32()
		if now := fount.Status().Reseeds; now == before {
			t.Errorf("%s: the next draw did not reseed", name)
		}
	}
}

// Closing gives the state back; so does losing the Generator, some time after
// a collection.
func TestGeneratorGivesItsStateBack(t *testing.T) {
	if perP := fount.Status().PerP; perP != "procPin" {
		t.Skipf("with %s any collection gives states back: they can't be counted", perP)
	}
	fount.Nonce()
	before := shard.ReadStats().States
	const n = 100
	open := make([]*fount.Generator, n)
	for i := range open {
		open[i] = fount.NewGenerator()
		open[i].Nonce()
	}
	if now := shard.ReadStats().States; now < before+n/2 {
		t.Fatalf("%d states with %d Generators open, %d before", now, n, before)
	}
	for i, g := range open {
		if i%2 == 0 {
			g.Close()
		}
	}
	clear(open)
	for range 1000 {
		runtime.GC()
		runtime.Gosched()
		if shard.ReadStats().States <= before {
			return
		}
	}
	t.Errorf("%d states are in use, %d before the Generators were made", shard.ReadStats().States, before)
}

// A Generator is reachable while it draws: a collection in the middle must not
// hand its state to the next one.
func TestGeneratorLivesWhileItDraws(t *testing.T) {
	const draws = 3000
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := map[[16]byte]bool{}
	for range 4 {
		wg.Go(func() {
			for i := range draws {
				n := fount.NewGenerator().Nonce()
				if i%500 == 0 {
					runtime.GC()
				}
				mu.Lock()
				seen[n] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(seen) != 4*draws {
		t.Errorf("%d of %d nonces came again", 4*draws-len(seen), 4*draws)
	}
}
