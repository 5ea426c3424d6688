// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package game plays a promise against an adversary: each play draws a machine, a load and a
// behavior, and says what broke. One that lost is made simpler, choice by choice, while it loses.
//
//	go test -run Game ./password/... ./remote       a fixed number of plays, a second or two a game
//	FOUNT_GAME=1h go test -run Game -timeout 8h ./password/... ./remote    as many as an hour has time for, each game
//	FOUNT_GAME=0 go test ./...                      none
//	FOUNT_SEED=7 go test -run GameShare -v ./password/...         one play, and what it drew
package game

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// A Draw makes the choices of one play. Each is a number whose zero stands for the simplest: the
// least of a range, the first of a list, false.
type Draw struct {
	choices []uint64
	next    int
	rng     *rand.Rand // of what choices do not hold; nil: zeros
}

func (d *Draw) choose() uint64 {
	if d.next == len(d.choices) {
		var c uint64
		if d.rng != nil {
			c = d.rng.Uint64()
		}
		d.choices = append(d.choices, c)
	}
	d.next++
	return d.choices[d.next-1]
}

// Int returns a number from lo to hi.
func (d *Draw) Int(lo, hi int) int {
	n, _ := bits.Mul64(d.choose(), uint64(hi-lo+1))
	return lo + int(n)
}

// Float returns a number from lo up to hi.
func (d *Draw) Float(lo, hi float64) float64 {
	return lo + (hi-lo)*float64(d.choose()>>11)/(1<<53)
}

// Log returns a number from lo up to hi, evenly on a logarithmic scale.
func (d *Draw) Log(lo, hi float64) float64 { return lo * math.Exp(d.Float(0, math.Log(hi/lo))) }

// Duration is Log for durations.
func (d *Draw) Duration(lo, hi time.Duration) time.Duration {
	return time.Duration(d.Log(float64(lo), float64(hi)))
}

// Chance returns true as often as p says.
func (d *Draw) Chance(p float64) bool { return d.Float(0, 1) >= 1-p }

// Of returns one of a list.
func Of[T any](d *Draw, list ...T) T { return list[d.Int(0, len(list)-1)] }

// Rand returns a generator for what is too much to be chosen singly, such as when callers come.
func (d *Draw) Rand() *rand.Rand { return rand.New(rand.NewPCG(d.choose(), 0)) }

// Play plays a number of draws, or as FOUNT_GAME and FOUNT_SEED say, on all processors. Of a
// thousand plays as many as mayLose may lose. play returns what broke and what was drawn; "" if
// nothing broke. It may open a bubble of testing/synctest.
func Play(t *testing.T, plays, mayLose int, play func(t *testing.T, d *Draw) string) {
	of := func(seed int) *Draw { return &Draw{rng: rand.New(rand.NewPCG(uint64(seed), 46))} }
	if seed, err := strconv.Atoi(os.Getenv("FOUNT_SEED")); err == nil {
		if lost := play(t, of(seed)); lost != "" {
			t.Errorf("FOUNT_SEED=%d: %s", seed, lost)
		}
		return
	}

	Skip(t)
	isOver := func(seed int) bool { return seed >= plays }
	if length, err := time.ParseDuration(os.Getenv("FOUNT_GAME")); err == nil {
		began := time.Now()
		isOver = func(int) bool { return time.Since(began) >= length }
	}

	var played, lost atomic.Int64
	workers := runtime.GOMAXPROCS(0)
	t.Run("plays", func(t *testing.T) {
		for worker := range workers {
			t.Run(fmt.Sprint(worker), func(t *testing.T) {
				t.Parallel()
				for seed := worker; !isOver(seed); seed += workers {
					played.Add(1)
					d := of(seed)
					how := play(t, d)
					if how == "" {
						continue
					}

					t.Logf("FOUNT_SEED=%d: %s", seed, how)
					if lost.Add(1) == 1 {
						t.Logf("the same, made simpler: %s", simpler(t, d.choices, how, play))
					}
				}
			})
		}
	})

	t.Logf("%d plays, %d lost", played.Load(), lost.Load())
	if most := played.Load() * int64(mayLose) / 1000; lost.Load() > most {
		t.Errorf("at most %d plays may be lost", most)
	}
}

// Skip skips a test of simulated time where FOUNT_GAME is 0: it is the same on every processor.
func Skip(t testing.TB) {
	if os.Getenv("FOUNT_GAME") == "0" {
		t.Skip("FOUNT_GAME=0 plays no game")
	}
}

// simpler returns what breaks with the smallest choices that are found within half a minute.
func simpler(t *testing.T, choices []uint64, lost string, play func(*testing.T, *Draw) string) string {
	end := time.Now().Add(30 * time.Second)
	for found := true; found; {
		found = false
		for i := 0; i < len(choices); i++ {
			for _, c := range []uint64{0, choices[i] / 2, choices[i] - choices[i]/8} {
				if c == choices[i] || time.Now().After(end) {
					continue
				}

				try := &Draw{choices: slices.Clone(choices)}
				try.choices[i] = c
				if how := play(t, try); how != "" {
					choices = try.choices[:try.next]
					lost = how
					found = true
					break
				}
			}
		}
	}
	return lost
}
