// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// A game of machines that stop, slow down and heal: whatever is drawn, goodput returns.

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/test/game"
)

// The goodput counts in window, which begins heals after the last change. An idle pool may
// refuse for idles what it could do.
const (
	heals  = 5 * time.Second
	window = 3 * time.Second
	idles  = time.Second
)

// A change is what happens to a machine, and who asks meanwhile.
type change struct {
	world
	name    string
	settled time.Duration // nothing happens to the machine after it
	quota   bool

	rate     float64 // of requests, a second
	within   [2]time.Duration
	misdated bool    // a clock is set between the making of some deadlines and the call
	storm    float64 // rate of others, who come from begins until settled; 0: none
	begins   time.Duration
	leave    float64 // part of them that leaves

	enough   time.Duration // a deadline that leaves room for full batches
	patience time.Duration // how long the pool lets a call wait

	// What was played.
	start    time.Time
	requests []*request // in the order in which they came
}

func (c *change) ends() time.Duration { return c.settled + heals + window }

// factor draws a number between 1/most and most, evenly on a logarithmic scale.
func factor(rng *rand.Rand, most float64) float64 {
	return math.Exp((2*rng.Float64() - 1) * math.Log(most))
}

func between[T ~int64 | ~float64](rng *rand.Rand, least, most T) T {
	return least + T(rng.Float64()*float64(most-least))
}

// drawChange draws a machine, what happens to it, and who asks.
func drawChange(seed uint64) *change {
	rng := rand.New(rand.NewPCG(seed, 77))
	c := &change{}
	c.seed = seed
	c.workers = 1 + rng.IntN(3)
	c.lanes = []int{1, 5}[rng.IntN(2)]
	c.maxWait = []time.Duration{0, time.Second, 2 * time.Second}[rng.IntN(3)]
	c.noise = 0.1 * rng.Float64()

	wrong := rng.IntN(3) > 0
	c.unit = make(map[Algorithm]float64)
	c.believed = make(map[Algorithm]float64)
	for i := range 1 + rng.IntN(2) {
		a := Algorithm(1 + i)
		alone := between(rng, 60*ms, 250*ms)
		k := effort{kind: kind{algorithm: a, cost: [3]uint32{10}}, batches: i == 0, units: float64(uint64(1) << rng.IntN(16))}
		if !k.batches {
			k.memory = 1 << 20
		}
		c.kinds = append(c.kinds, k)
		c.unit[a] = float64(alone) / k.units
		c.believed[a] = c.unit[a]
		if wrong {
			c.believed[a] *= factor(rng, 30)
		}
	}
	c.happen(rng)
	c.ask(rng)
	return c
}

// happen draws what happens to the machine.
func (c *change) happen(rng *rand.Rand) {
	at := between(rng, time.Second, 3*time.Second)
	c.settled = at

	switch rng.IntN(6) {
	case 0:
		c.name = "nothing"
		c.settled = 0
	case 1:
		c.name = "slower"
		c.speed.steps = []step{{0, 1}, {at, 1 / between(rng, 1.5, 10)}}
	case 2:
		c.name = "slower, and back"
		by := between(rng, 1.5, 10)
		c.settled = at + between(rng, 500*ms, 3*time.Second)
		c.speed.steps = []step{{0, 1}, {at, 1 / by}, {c.settled, 1}}
	case 3:
		c.name = "a standstill"
		c.settled = at + between(rng, 200*ms, 4*time.Second)
		c.speed.steps = []step{{0, 1}, {at, 0}, {c.settled, 1}}
	case 4:
		c.name = "a quota"
		c.quota = true
		on := between(rng, 20*ms, 80*ms)
		c.speed = course{steps: []step{{0, 1}, {at + on, 0}}, from: at, period: 100 * ms}
	case 5:
		c.name = "slower from the start, then at full speed"
		c.speed.steps = []step{{0, 1 / between(rng, 1.5, 10)}, {at, 1}}
	}
}

// ask draws who asks for what.
func (c *change) ask(rng *rand.Rand) {
	from := c.settled + heals
	speed := c.done(from, from+window) / float64(window)
	capacity := speed * float64(c.workers) / (c.mean() / float64(time.Second))
	batch := time.Duration(float64(c.longest()) / speed)
	c.enough = batch * 5 / 2
	if c.quota {
		c.enough += 250 * ms
	}
	c.patience = cmp.Or(c.maxWait, max(minWait, 5*batch))

	least := between(rng, 100*ms, 2*time.Second)
	c.within = [2]time.Duration{least, least}
	if rng.IntN(2) == 0 {
		c.within[1] = between(rng, least, 2*time.Second)
	}
	c.rate = capacity * []float64{0.03, 0.15, 0.45, 1.4, 2, 3}[rng.IntN(6)]
	c.misdated = rng.IntN(8) == 0
	if rng.IntN(4) == 1 {
		c.storm = capacity * between(rng, 0.5, 2)
		c.begins = between(rng, 0, c.settled+1)
		c.leave = rng.Float64()
	}
}

// request makes the next request. A part of the callers leaves before its deadline.
func (c *change) request(rng *rand.Rand, leave float64, misdated bool) *request {
	k := rng.IntN(len(c.kinds))
	r := &request{task: &task{stages: c.kinds[k : k+1]}, within: between(rng, c.within[0], c.within[1])}
	if rng.Float64() < leave {
		r.leaves = between(rng, 1, r.within)
	}
	if misdated && rng.IntN(16) == 0 {
		off := []time.Duration{-1 << 60, -time.Hour, time.Hour, 1 << 60}[rng.IntN(4)]
		r.clock = time.Now().Add(off)
	}
	r.principal = uint64(rng.IntN(1000))
	return r
}

// play plays the change, and returns what broke.
func (c *change) play(t *testing.T) (faults string) {
	synctest.Test(t, func(t *testing.T) {
		m := simulate(c.world)
		crowd := &load{rate: c.rate, to: c.ends(), next: func(rng *rand.Rand) *request { return c.request(rng, 0, c.misdated) }}
		storm := &load{rate: c.storm, from: c.begins, next: func(rng *rand.Rand) *request { return c.request(rng, c.leave, false) }}
		if c.storm > 0 {
			storm.to = c.settled
		}
		m.run(t, crowd, storm)
		time.Sleep(time.Minute)
		m.look(t)
		if err := m.scheduler.close(t.Context()); err != nil {
			t.Error(err)
		}

		c.start = m.start
		c.requests = append(crowd.requests, storm.requests...)
		slices.SortFunc(c.requests, func(a, b *request) int { return a.arrived.Compare(b.arrived) })
		faults = c.idleRefusals()
		if c.enough <= min(c.within[0], c.patience) {
			faults += c.lateAdmitted() + c.lostGoodput()
		}
		c.requests = nil
	})
	if faults != "" {
		faults += fmt.Sprintf("%+v", c)
	}
	return faults
}

func (c *change) came(r *request) time.Duration     { return r.arrived.Sub(c.start) }
func (c *change) deadline(r *request) time.Duration { return c.came(r) + r.within }

// counts reports whether what becomes of a request counts: it stays and has time enough.
func (c *change) counts(r *request) bool {
	return r.leaves == 0 && r.clock.IsZero() && r.within >= c.enough
}

// idleRefusals says if a pool that has nothing to do refuses for too long what it could do.
func (c *change) idleRefusals() string {
	refused := make(map[kind]time.Duration) // since when
	for _, r := range c.requests {
		e := r.stages[0]
		if r.outcome != OutcomeRefused { // it has work, and will have learned from it
			delete(refused, e.kind)
			continue
		}

		came := c.came(r)
		ready := c.until(came, time.Duration(float64(c.time(e, 1))*math.Exp(3*c.noise)))
		if c.quota {
			ready += 200 * ms // it depends on the phase
		}
		if ready > c.deadline(r) || !r.idle || !r.clock.IsZero() {
			continue
		}
		since, before := refused[e.kind]
		_, same, _ := c.speed.at(ready)
		switch {
		case !before, same > since && since <= c.settled: // the machine has changed since
			refused[e.kind] = came
		case came-since > idles:
			return fmt.Sprintf("an idle pool refuses %v of work within %v, from %v to %v: %v\n", c.time(e, 1), r.within, since, came, r.err)
		}
	}
	return ""
}

// lateAdmitted says if some who are admitted are late: more than one in twenty, and one.
func (c *change) lateAdmitted() string {
	from := c.settled + heals
	admitted := 0
	late := 0
	for _, r := range c.requests {
		if c.came(r) < from || !c.counts(r) || r.outcome == OutcomeRefused {
			continue
		}
		admitted++
		if r.outcome != OutcomeMismatch {
			late++
		}
	}
	if late > 1+admitted/20 {
		return fmt.Sprintf("%d of %d that were admitted are late\n", late, admitted)
	}
	return ""
}

// lostGoodput says if too little was done in time, in workers' time of full batches.
func (c *change) lostGoodput() string {
	from := c.settled + heals
	good := 0.0 // for those who came since then
	for _, r := range c.requests {
		if r.outcome == OutcomeMismatch && c.came(r) >= from && c.counts(r) {
			good += c.each(r.stages[0])
		}
	}

	can := min(c.plain(from), c.done(from, c.ends())*float64(c.workers))
	if grain := float64(c.longest()) * float64(c.workers); good < 0.8*can-grain {
		return fmt.Sprintf("%.2f of what can be done was done in time\n", good/can)
	}
	return ""
}

// plain returns the work that a plain queue does, first come, first served, for the callers who
// count and come from a time on. It begins when the last change is over, knows how long everything
// takes, and drops who would be late; a worker takes with the first all that wait of his kind, as
// far as none is late by it.
func (c *change) plain(from time.Duration) (can float64) {
	var queue []*request
	for _, r := range c.requests {
		if c.came(r) >= c.settled && c.counts(r) {
			queue = append(queue, r)
		}
	}
	free := slices.Repeat([]time.Duration{c.settled}, c.workers)
	for len(queue) > 0 {
		slices.Sort(free)
		now := max(free[0], c.came(queue[0]))
		first := queue[0].stages[0]
		waiting := slices.IndexFunc(queue, func(r *request) bool { return c.came(r) > now })
		if waiting < 0 {
			waiting = len(queue)
		}

		n := 0
		end := now
		with := c.until(now, c.time(first, 1))
		due := time.Duration(math.MaxInt64)
		left := queue[:0]
		for _, r := range queue[:waiting] {
			switch {
			case r.stages[0].kind != first.kind, n > 0 && (n == c.width(first) || with > min(due, c.deadline(r))):
				left = append(left, r)
			case now-c.came(r) > c.patience || with > c.deadline(r): // late
			default:
				n++
				end = with
				due = min(due, c.deadline(r))
				with = c.until(now, c.time(first, n+1))
				if c.came(r) >= from {
					can += c.each(first)
				}
			}
		}
		queue = append(left, queue[waiting:]...)
		free[0] = end
	}
	return can
}

// Whatever happens to a machine, its pool heals.
func TestGameHeal(t *testing.T) {
	game.Play(t, 300, 1, func(t *testing.T, d *game.Draw) string {
		c := drawChange(d.Rand().Uint64())
		if c.name == "nothing" {
			c.uneven(game.Of(d, "", "drift"))
		}
		return c.play(t)
	})
}

// Overloaded at twice its capacity, the machine becomes eight times slower. Whoever learns
// nothing from batches that somebody left goes on to begin each with as much time as it took
// before, and each has callers who leave: answers have all but ended, for ever.
func TestSlowdownUnderLoad(t *testing.T) {
	const at = 3 * time.Second
	c := &change{
		world:   world{workers: 2, lanes: 5, kinds: []effort{fast}, maxWait: time.Second, noise: 0.05, speed: course{steps: []step{{0, 1}, {at, 1.0 / 8}}}},
		settled: at, rate: 4 * capacity, within: [2]time.Duration{600 * ms, 900 * ms},
		patience: time.Second,
	}
	if faults := c.play(t); faults != "" {
		t.Error(faults)
	}
}
