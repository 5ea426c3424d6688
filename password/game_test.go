// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/test/game"
)

// A crowd is many who ask now and then, on a pool whose MaxWait is not set.
type crowd struct {
	world
	load       float64 // with upgrades, as a part of what the machine can do at its slowest
	principals int
	callers    int
	within     time.Duration // they wait so long, up to twice; 0: without end
	upgrades   float64       // part of the sign-ins that ask for one
	upKind     int
	long       time.Duration // set by play
}

// A flood is one client that asks again as soon as it is answered, on several connections.
type flood struct {
	connections int
	pause       time.Duration // after a refusal
	kind        int           // -1: each time another
	within      time.Duration // 0: it waits without end
	on, off     time.Duration // it comes and goes; 0: it stays
}

// drawCrowd draws a machine, its kinds of hashes and who asks.
func drawCrowd(d *game.Draw, load float64) *crowd {
	c := &crowd{load: load}
	c.workers = int(d.Log(1, 17))
	c.seed = d.Rand().Uint64()
	c.lanes = 1
	if d.Chance(0.5) {
		c.lanes = d.Int(1, 5)
	}

	first := d.Log(1, 1000)
	for i := range game.Of(d, 1, 1, 1, 2, 3, 5, 20) {
		k := effort{kind: kind{algorithm: Algorithm(i + 1)}, units: first, memory: 1 << 20}
		if i > 0 {
			k.units = min(max(first*d.Log(0.1, 10), 1), 1000)
		}
		k.batches = c.lanes > 1 && (i == 0 || d.Chance(0.5))
		c.kinds = append(c.kinds, k)
	}

	c.noise = d.Float(0, 0.6) // argon2id on shared machines: 0.25 to 0.42
	if d.Chance(0.3) {
		wrong := d.Log(0.1, 10)
		c.believed = make(map[Algorithm]float64)
		for _, k := range c.kinds {
			c.believed[k.kind.algorithm] = wrong * float64(ms)
		}
	}

	c.principals = int(d.Log(5, 1000))
	c.callers = game.Of(d, 1, 1, 2, 10)
	if d.Chance(0.5) {
		c.within = d.Duration(10*ms, time.Hour)
	}
	return c
}

// mean returns a worker's time for a sign-in with a part of an upgrade.
func (c *crowd) mean(upgrades float64) float64 {
	return (c.world.mean() + upgrades*c.each(c.kinds[c.upKind])) * math.Exp(c.noise*c.noise/2)
}

// promised reports whether they wait for so long that the documentation promises them something.
func (c *crowd) promised() bool {
	return c.within == 0 || c.within > max(7*c.longest(), 500*ms)
}

func (c *crowd) request(rng *rand.Rand) *request {
	who := rng.IntN(c.principals)
	caller := uint64(100)
	if c.callers > 1 {
		caller = uint64(who % c.callers)
	}
	asks := func(k int) *task { return &task{caller: caller, principal: uint64(who), stages: c.kinds[k : k+1]} }

	r := &request{task: asks(rng.IntN(len(c.kinds)))}
	r.within = time.Duration(float64(c.within) * (1 + rng.Float64()))
	if rng.Float64() < c.upgrades {
		r.upgrade = &request{task: asks(c.upKind), within: 10 * time.Second}
		r.upgrade.task.upgrade = true
	}
	return r
}

// play has the crowd ask a number of times, beside a flood or none. In the first quarter the
// estimates heal.
func (c *crowd) play(t *testing.T, calls int, f flood) (sum tally) {
	rate := c.load * c.least() / c.mean(c.upgrades) * float64(time.Second)
	c.long = time.Duration(float64(calls) / rate * float64(time.Second))
	f.pause = max(f.pause, time.Duration(f.connections)*c.long/10_000)
	synctest.Test(t, func(t *testing.T) {
		m := simulate(c.world)
		var all sync.WaitGroup
		for i := range f.connections {
			all.Go(func() { c.flood(m, f, rand.New(rand.NewPCG(c.seed, uint64(1000+i)))) })
		}
		l := &load{rate: rate, to: c.long, next: c.request}
		m.run(t, l)
		all.Wait()
		time.Sleep(time.Minute)
		sum = m.tally(l, c.long/4)
	})
	return sum
}

// flood is one connection.
func (c *crowd) flood(m *sim, f flood, rng *rand.Rand) {
	time.Sleep(time.Duration(rng.Int64N(int64(10 * ms))))
	for came := m.now(); m.now() < c.long; {
		if f.on > 0 && m.now()-came > f.on {
			time.Sleep(f.off)
			came = m.now()
		}
		k := f.kind
		if k < 0 {
			k = rng.IntN(len(c.kinds))
		}
		r := &request{task: &task{caller: 100, principal: 1 << 40, stages: c.kinds[k : k+1]}, within: f.within}
		if m.ask(r) != nil {
			time.Sleep(f.pause)
		}
		time.Sleep(100_000 + time.Duration(rng.Int64N(200_000)))
	}
}

// Who asks for less than the mean is served beside one who floods as he is beside nobody, if he
// waits for more than seven times what the longest full batch takes.
func TestGameShare(t *testing.T) {
	game.Play(t, 20, 1, func(t *testing.T, d *game.Draw) string {
		c := drawCrowd(d, d.Log(0.02, 0.25))
		f := flood{connections: int(d.Log(1, 100)), pause: d.Duration(ms, 200*ms), kind: d.Int(-1, len(c.kinds)-1)}
		if d.Chance(0.5) {
			f.within = d.Duration(10*ms, time.Hour)
		}
		if d.Chance(0.3) {
			f.on = d.Duration(time.Second, time.Minute)
			f.off = d.Duration(time.Second, time.Minute)
		}
		c.uneven(game.Of(d, "", "drift", "workers", "memory"))
		if !c.promised() {
			return ""
		}

		alone := c.play(t, 130, flood{})
		beside := c.play(t, 130, f)
		lost := float64(alone.answered - beside.answered)
		part := 0.02
		switch {
		case c.workers == 1: // one slow hash holds everything up
			part = 0.1
		case len(c.kinds) > 1:
			part = 0.05
		}
		if lost > 2+part*float64(beside.asked)+c.long.Minutes()/5 {
			return fmt.Sprintf("beside the flood %+v, without it %+v: %+v, %+v", beside, alone, f, c)
		}
		return ""
	})
}

// Upgrades are made where sign-ins leave room, also by one worker, and sign-ins lose next to
// nothing by them.
func TestGameUpgrades(t *testing.T) {
	game.Play(t, 40, 2, func(t *testing.T, d *game.Draw) string {
		load := d.Log(0.1, 4)
		c := drawCrowd(d, load)
		upgrades := d.Float(0.05, 0.5)
		c.upKind = d.Int(0, len(c.kinds)-1)
		c.uneven(game.Of(d, "", "drift", "neighbor", "workers", "memory"))
		if !c.promised() {
			return ""
		}

		calls := int(200 + 60/upgrades)
		c.upgrades = upgrades
		with := c.play(t, calls, flood{})
		c.load *= c.mean(0) / c.mean(upgrades) // the same sign-ins
		c.upgrades = 0
		without := c.play(t, calls, flood{})

		missing := float64(with.upgrades - with.upgraded)
		lost := float64(without.answered - with.answered)
		part := 0.1 // in an overload
		if load <= 0.7 {
			part = 0.01
		}
		switch {
		case load <= 0.5 && missing > 2+0.05*float64(with.upgrades):
			return fmt.Sprintf("upgrades are not made: %+v: load %.2f, %+v", with, load, c)
		case lost > 2+part*float64(with.asked):
			return fmt.Sprintf("sign-ins are lost by upgrades: %+v, without them %+v: load %.2f, %+v", with, without, load, c)
		}
		return ""
	})
}
