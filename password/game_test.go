// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/test/game"
)

// A siege is a pool of default options in simulated time, many who ask now and then, and one who
// asks again as soon as he is answered, on several connections.
type siege struct {
	workers, lanes int
	kinds          []effort // Units in milliseconds
	noise          float64  // of the times of hashes, as a part of them
	wrong          float64  // estimates at the start, as a part of what is so

	load       float64 // of the many, as a part of what the machine can do, with their upgrades
	principals int
	callers    int
	within     time.Duration // they wait so long, up to twice; 0: without end
	upgrades   float64       // part of the sign-ins that ask for one
	upKind     int

	flood       int // connections
	floodPause  time.Duration
	floodKind   int // -1: each time another
	floodWithin time.Duration
	floodOn     time.Duration // it comes and goes: so long; 0: it stays
	floodOff    time.Duration

	seed uint64
	long time.Duration
}

// drawSiege draws a machine, its kinds of hashes and who asks.
func drawSiege(d *game.Draw, load float64) *siege {
	g := &siege{workers: int(d.Log(1, 17)), lanes: 1, load: load, seed: d.Rand().Uint64()}
	if d.Chance(0.5) {
		g.lanes = d.Int(1, 5)
	}
	first := d.Log(1, 1000)
	for i := range game.Of(d, 1, 1, 1, 2, 3, 5, 20) {
		k := effort{kind: kindID{algorithm: Algorithm(i + 1)}, units: first, memory: 1 << 20}
		if i > 0 {
			k.units = min(max(first*d.Log(0.1, 10), 1), 1000)
		}
		k.batches = g.lanes > 1 && (i == 0 || d.Chance(0.5))
		g.kinds = append(g.kinds, k)
	}
	g.noise = d.Float(0, 0.1)
	g.wrong = 1
	if d.Chance(0.3) {
		g.wrong = d.Log(0.1, 10)
	}
	g.principals = int(d.Log(5, 1000))
	g.callers = game.Of(d, 1, 1, 2, 10)
	if d.Chance(0.5) {
		g.within = d.Duration(10*ms, time.Hour)
	}
	return g
}

func (g *siege) String() string {
	kinds := ""
	for _, k := range g.kinds {
		kinds += fmt.Sprintf(" %.0f", k.units)
		if k.batches {
			kinds += "b"
		}
	}
	return fmt.Sprintf("%d workers, %d lanes, hashes of%s ms, noise %.2f, estimates %.2f; load %.2f of %d principals by %d callers within %v, %.2f ask for upgrades of kind %d; flood of %d connections, pause %v, kind %d, within %v, %v on, %v off; %v long",
		g.workers, g.lanes, kinds, g.noise, g.wrong, g.load, g.principals, g.callers, g.within, g.upgrades, g.upKind,
		g.flood, g.floodPause, g.floodKind, g.floodWithin, g.floodOn, g.floodOff, g.long)
}

// each returns a worker's milliseconds for a hash of a full batch, and full those of the batch.
func (g *siege) each(k effort) float64 {
	if !k.batches {
		return k.units
	}
	return k.units * measured[g.lanes] / float64(g.lanes)
}

// mean returns the milliseconds of a worker that a sign-in takes, with a part of an upgrade.
func (g *siege) mean(upgrades float64) float64 {
	mean := upgrades * g.each(g.kinds[g.upKind])
	for _, k := range g.kinds {
		mean += g.each(k) / float64(len(g.kinds))
	}
	return mean
}

func (g *siege) full() (most time.Duration) {
	for _, k := range g.kinds {
		n := 1.0
		if k.batches {
			n = measured[g.lanes]
		}
		most = max(most, time.Duration(k.units*n*float64(ms)))
	}
	return most
}

// enough reports whether the many wait for so long that the documentation promises them something.
func (g *siege) enough() bool { return g.within == 0 || g.within > max(7*g.full(), 500*ms) }

// A tally is what became of the many.
type tally struct{ asked, lost, upAsked, upMade int }

// play plays it, with a number of calls by the many.
func (g *siege) play(t *testing.T, calls int) (r tally) {
	synctest.Test(t, func(t *testing.T) { r = g.inBubble(t, calls) })
	return r
}

func (g *siege) inBubble(t *testing.T, calls int) (r tally) {
	rate := g.load * float64(g.workers) / g.mean(g.upgrades) // each millisecond
	g.long = time.Duration(float64(calls) / rate * float64(ms))
	pause := max(g.floodPause, time.Duration(g.flood)*g.long/10_000)

	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(g.seed, 1))
	ran := 0
	units := map[Algorithm]float64{}
	for _, k := range g.kinds {
		units[k.kind.algorithm] = float64(ms) * g.wrong
	}
	q := opened(&queue{
		workers: workers(g.workers), memory: int64(g.workers) << 20, maxWaiting: 8192, estimates: estimates{lanes: g.lanes}, stages: g.kinds[:1], discard: func(*task) {},
		run: func(stage int, tasks []*task, answers []Outcome) {
			mu.Lock()
			d := tasks[0].stages[stage].units * math.Exp(g.noise*rng.NormFloat64())
			ran++
			grain := time.Duration(1 + ran%997) // no two workers are ready at one moment
			mu.Unlock()
			if tasks[0].stages[stage].batches {
				d *= measured[len(tasks)]
			}
			const looks = 4 // whether somebody waits
			for i := range looks {
				time.Sleep(time.Duration(d * float64(ms) / looks))
				waits := i == looks-1
				for _, t := range tasks {
					waits = waits || !t.isGone()
				}
				if !waits {
					return
				}
			}
			time.Sleep(grain)
			for i := range tasks {
				answers[i] = OutcomeMatch
			}
		},
	}, units)
	do := func(t *task, within time.Duration) error {
		if within == 0 {
			return q.do(context.Background(), t)
		}
		ctx, cancel := context.WithTimeout(context.Background(), within)
		defer cancel()
		return q.do(ctx, t)
	}
	start := time.Now()
	var all sync.WaitGroup
	for i := range g.flood {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(g.seed, uint64(100+i)))
			time.Sleep(time.Duration(rng.Int64N(int64(10 * ms))))
			for on := start; time.Since(start) < g.long; {
				if g.floodOn > 0 && time.Since(on) > g.floodOn {
					time.Sleep(g.floodOff)
					on = time.Now()
				}
				k := g.floodKind
				if k < 0 {
					k = rng.IntN(len(g.kinds))
				}
				if do(&task{caller: 100, principal: 1 << 40, stages: g.kinds[k : k+1]}, g.floodWithin) != nil {
					time.Sleep(pause)
				}
				time.Sleep(time.Duration(100_000 + rng.Int64N(200_000)))
			}
		})
	}
	crowd := rand.New(rand.NewPCG(g.seed, 2))
	for at := time.Duration(0); at < g.long; at += time.Duration(crowd.ExpFloat64() / rate * float64(ms)) {
		time.Sleep(time.Until(start.Add(at)))
		who, k := crowd.IntN(g.principals), crowd.IntN(len(g.kinds))
		within := time.Duration(float64(g.within) * (1 + crowd.Float64()))
		up := crowd.Float64() < g.upgrades
		all.Go(func() {
			caller := uint64(100)
			if g.callers > 1 {
				caller = uint64(who % g.callers)
			}
			err := do(&task{caller: caller, principal: uint64(who), stages: g.kinds[k : k+1]}, within)
			var upErr error
			if up = up && err == nil; up {
				upErr = do(&task{caller: caller, principal: uint64(who), upgrade: true, stages: g.kinds[g.upKind : g.upKind+1]}, 10*time.Second)
			}
			mu.Lock()
			defer mu.Unlock()
			if at < g.long/4 { // the estimates heal
				return
			}
			r.asked++
			if err != nil {
				r.lost++
			}
			if up {
				r.upAsked++
				if upErr == nil {
					r.upMade++
				}
			}
		})
	}
	time.Sleep(time.Until(start.Add(g.long)))
	all.Wait()
	time.Sleep(time.Minute)
	return r
}

// Who asks for less than the mean is served beside one who floods as he is beside nobody, if he
// waits for more than seven times what the longest full batch takes.
func TestGameShare(t *testing.T) {
	game.Play(t, 40, 1, func(t *testing.T, d *game.Draw) string {
		g := drawSiege(d, d.Log(0.02, 0.25))
		flood := int(d.Log(1, 100))
		g.floodPause = d.Duration(ms, 200*ms)
		g.floodKind = d.Int(-1, len(g.kinds)-1)
		if d.Chance(0.5) {
			g.floodWithin = d.Duration(10*ms, time.Hour)
		}
		if d.Chance(0.3) {
			g.floodOn, g.floodOff = d.Duration(time.Second, time.Minute), d.Duration(time.Second, time.Minute)
		}
		if !g.enough() {
			return ""
		}
		alone := g.play(t, 130)
		g.flood = flood
		r := g.play(t, 130)
		part := 0.02
		if len(g.kinds) > 1 {
			part = 0.05
		}
		if float64(r.lost-alone.lost) > 2+part*float64(r.asked)+g.long.Minutes()/5 {
			return fmt.Sprintf("%d of %d were refused, %d without the flood: %v", r.lost, r.asked, alone.lost, g)
		}
		return ""
	})
}

// Upgrades are made where sign-ins leave room, also by one worker, and sign-ins lose next to
// nothing by them.
func TestGameUpgrades(t *testing.T) {
	game.Play(t, 40, 1, func(t *testing.T, d *game.Draw) string {
		load := d.Log(0.1, 4)
		g := drawSiege(d, load)
		upgrades := d.Float(0.05, 0.5)
		g.upKind = d.Int(0, len(g.kinds)-1)
		if !g.enough() {
			return ""
		}
		calls := int(200 + 60/upgrades)
		g.upgrades = upgrades
		with := g.play(t, calls)
		g.load, g.upgrades = g.load*g.mean(0)/g.mean(upgrades), 0 // the same sign-ins
		without := g.play(t, calls)
		lost := 0.1 // in an overload
		if load <= 0.7 {
			lost = 0.01
		}
		switch {
		case load <= 0.5 && float64(with.upAsked-with.upMade) > 2+0.05*float64(with.upAsked):
			return fmt.Sprintf("%d of %d upgrades were made: load %.2f, %v", with.upMade, with.upAsked, load, g)
		case float64(with.lost-without.lost) > 2+lost*float64(with.asked):
			return fmt.Sprintf("sign-ins lost %d by upgrades (%+v; without %+v): load %.2f, %v", with.lost-without.lost, with, without, load, g)
		}
		return ""
	})
}
