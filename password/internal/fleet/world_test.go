// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A machine is a worker's.
type machine struct {
	cores int
	quota float64 // of each core
}

func (m machine) capacity() float64 { return float64(m.cores) * m.quota }

// A stream is an open loop of calls.
type stream struct {
	load       float64   // of the sum of capacities
	burst      bool      // all in the first quarter of each 400 ms
	mix        []float64 // of sorts; nil: the first only
	principals int
	flood      bool
	within     time.Duration // 0: a second
	leave      float64       // part of the callers that go away before their deadline
}

// A fault happens to a worker, or to the broker.
type fault struct {
	what   string
	worker int
	at     time.Duration
	lasts  time.Duration
}

// A scenario is what a route is tried on.
type scenario struct {
	name     string
	machines []machine
	clients  int
	streams  []stream
	rtt      time.Duration // of a request over the broker
	interest time.Duration
	faults   []fault
	lasts    time.Duration // of the calls
}

const (
	warm      = 3 * time.Second // not judged
	reconnect = 250 * ms        // clients and workers come back to a broker within this, at random
)

// mistakes are negative controls: clients that the tests must find out.
type mistakes struct {
	drops   bool // a call that is refused twice is forgotten
	repeats bool // each answer is told, also a second one
	forgets bool // there is no deadline
}

// A world is one run.
type world struct {
	*clock
	*scenario
	route    *route
	seed     uint64
	rng      *rand.Rand
	began    time.Time
	broker   *broker
	workers  []*worker
	clients  []*client
	calls    []*call
	mistakes mistakes
}

// play runs a scenario.
func play(t *testing.T, s scenario, r route, seed uint64, m mistakes) (f figures) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(seed, 5))
		w := &world{clock: newClock(), scenario: &s, route: &r, seed: seed, rng: rng, began: time.Now(), mistakes: m}
		w.broker = &broker{clock: w.clock, rng: rng, hop: s.rtt / 4, interest: s.interest, up: true,
			present: make([]bool, len(s.machines)), links: make([]link, len(s.machines)), clients: make([]link, s.clients)}
		for i := range s.clients {
			c := &client{world: w, id: i, online: true, pending: map[uint64]*call{}, views: make([]*view, len(s.machines)), rtt: s.rtt}
			w.clients = append(w.clients, c)
			c.watch()
		}
		for i, m := range s.machines {
			k := &worker{world: w, id: i, cores: m.cores, paces: w.paces(i, m.quota)}
			w.workers = append(w.workers, k)
		}
		for _, k := range w.workers {
			k.start()
		}
		for _, f := range s.faults {
			w.befall(f)
		}
		for i := range s.streams {
			w.arrivals(i)
		}
		w.run(w.began.Add(s.lasts + 5*time.Second)) // all deadlines are over
		f = w.judge()
		for _, k := range w.workers {
			if k.up {
				k.kill()
			}
		}
		time.Sleep(time.Hour)
		if err := w.adds(); err != nil {
			f.broken = append(f.broken, err.Error())
		}
	})
	return f
}

// paces returns a worker's speeds.
func (w *world) paces(worker int, quota float64) []pace {
	p := []pace{{0, quota}}
	for _, f := range w.faults {
		slow := map[string]float64{"hang": 0, "throttle": 0.25}
		if by, ok := slow[f.what]; ok && f.worker == worker {
			p = append(p, pace{f.at, quota * by}, pace{f.at + f.lasts, quota})
		}
	}
	return p
}

// befall has a fault happen.
func (w *world) befall(f fault) {
	at := w.began.Add(f.at)
	k := w.workers[f.worker]
	switch f.what {
	case "kill":
		w.clock.at(at, 0, k.kill)
		w.clock.at(at.Add(f.lasts), 0, k.start)
	case "drain":
		w.clock.at(at, 0, k.drain)
		w.clock.at(at.Add(f.lasts-ms), 0, k.kill)
		w.clock.at(at.Add(f.lasts), 0, k.start)
	case "partition":
		w.clock.at(at, 0, func() { k.link().cut = at.Add(f.lasts) })
	case "broker":
		w.clock.at(at, 0, func() {
			w.broker.up = false
			w.broker.members = nil
			clear(w.broker.present)
			for _, k := range w.workers {
				k.online, k.joined = false, false
			}
			for _, c := range w.clients {
				c.online = false
			}
		})
		w.clock.at(at.Add(f.lasts), 0, func() {
			w.broker.up = true
			w.broker.life++
			for _, k := range w.workers {
				w.after(time.Duration(w.rng.Int64N(int64(reconnect))), func() {
					if k.up {
						k.connect()
					}
				})
			}
			for _, c := range w.clients {
				w.after(time.Duration(w.rng.Int64N(int64(reconnect))), c.connect)
			}
		})
	case "hang", "throttle":
	default:
		panic(f.what)
	}
}

// capacity is the sum of capacities at a time.
func (w *world) capacity(at time.Duration) (sum float64) {
	for i, m := range w.machines {
		c := m.capacity()
		for _, f := range w.faults {
			if (f.worker == i || f.what == "broker") && f.at <= at && at < f.at+f.lasts {
				if f.what == "throttle" {
					c /= 4
				} else {
					c = 0
				}
			}
		}
		sum += c
	}
	return sum
}

func (w *world) total() (sum float64) {
	for _, m := range w.machines {
		sum += m.capacity()
	}
	return sum
}

// arrivals has the calls of a stream come.
func (w *world) arrivals(i int) {
	s := &w.streams[i]
	rng := rand.New(rand.NewPCG(w.seed, 100+uint64(i)))
	mixed := s.mix
	if mixed == nil {
		mixed = []float64{1}
	}
	mean := 0.0
	for i, part := range mixed {
		mean += part * sorts[i].work().Seconds()
	}
	rate := s.load * w.total() / mean
	var next func()
	var at time.Duration // of a clock that runs only while calls come
	next = func() {
		if at += time.Duration(rng.ExpFloat64() / rate * float64(time.Second)); at > w.lasts {
			return
		}
		come := at
		if s.burst {
			come = at/(400*ms)*(400*ms) + at%(400*ms)/4
		}
		k := &call{id: uint64(len(w.calls)), principal: uint64(i)<<32 | rng.Uint64N(uint64(s.principals)), flood: s.flood, within: s.within}
		for x := rng.Float64(); k.sort < len(mixed)-1 && x >= mixed[k.sort]; k.sort++ {
			x -= mixed[k.sort]
		}
		if k.within == 0 {
			k.within = time.Second
		}
		if rng.Float64() < s.leave {
			k.patience = time.Duration(rng.Int64N(int64(k.within)))
		}
		c := w.clients[rng.IntN(len(w.clients))]
		w.clock.at(w.began.Add(come), 0, func() {
			k.id = uint64(len(w.calls))
			w.calls = append(w.calls, k)
			c.submit(k)
			next()
		})
	}
	next()
}

// figures is what a run came to.
type figures struct {
	submitted, answered, refused, expired, canceled int

	goodput  float64       // of what the sum of capacities can do, or of what was asked for if that is less
	inTime   float64       // of those admitted, but the floods
	refusal  time.Duration // p99, of those that no worker let in
	latency  time.Duration // p50 of the answered
	tail     time.Duration // p99
	messages float64       // that the broker handed on, for each call
	share    float64       // of what it should get with max-min fairness, the worst principal but the floods
	heal     time.Duration // after the worst fault
	least    float64       // part of the calls that went to the machine with the least capacity
	slots    []float64     // goodput by 500 ms, of the sum of capacities
	broken   []string
}

// judge looks at what became of all calls.
func (w *world) judge() (f figures) {
	load := 0.0
	for _, s := range w.streams {
		load += s.load
	}
	smallest := 0
	for i, m := range w.machines {
		if m.capacity() < w.machines[smallest].capacity() {
			smallest = i
		}
	}
	var waits, answers []time.Duration
	done := make([]float64, (w.lasts+10*time.Second)/(100*ms)) // work answered, by 100 ms
	sum, offered, admitted, good, least, judged := 0.0, 0.0, 0, 0, 0, 0
	asked, got := map[uint64]float64{}, map[uint64]float64{}
	floods := map[uint64]bool{}
	for _, k := range w.calls {
		f.submitted++
		switch k.outcome {
		case answered:
			f.answered++
		case refused:
			f.refused++
		case expired:
			f.expired++
		case canceled:
			f.canceled++
		}
		if k.ends != 1 {
			f.broken = append(f.broken, fmt.Sprintf("call %d has %d outcomes", k.id, k.ends))
		}
		if k.took > k.within {
			f.broken = append(f.broken, fmt.Sprintf("call %d took %v of %v", k.id, k.took, k.within))
		}
		work := sorts[k.sort].work().Seconds()
		ended := k.begin.Add(k.took).Sub(w.began)
		if k.outcome == answered {
			done[ended/(100*ms)] += work
		}
		if k.begin.Sub(w.began) < warm {
			continue
		}
		judged++
		if slices.Contains(k.seen, smallest) {
			least++
		}
		if k.admitted && k.outcome != canceled && !k.flood {
			admitted++
			if k.outcome == answered {
				good++
			}
		}
		floods[k.principal] = k.flood
		asked[k.principal] += work
		if k.outcome != canceled {
			offered += work
		}
		switch {
		case k.outcome == answered:
			got[k.principal] += work
			sum += work
			answers = append(answers, k.took)
		case k.outcome == refused && !k.admitted:
			waits = append(waits, k.took)
		}
	}
	span := (w.lasts - warm).Seconds()
	f.goodput = sum / min(w.total()*span, offered)
	f.inTime = float64(good) / float64(max(admitted, 1))
	f.refusal = percentile(waits, 0.99)
	f.latency, f.tail = percentile(answers, 0.5), percentile(answers, 0.99)
	f.messages = float64(w.broker.messages) / float64(max(f.submitted, 1))
	f.least = float64(least) / float64(max(judged, 1))
	f.share = worst(asked, got, floods, w.total()*span)
	for i := 0; i < int(w.lasts/(100*ms)); i += 5 {
		f.slots = append(f.slots, (done[i]+done[i+1]+done[i+2]+done[i+3]+done[i+4])/0.5/w.total())
	}
	for _, x := range w.faults {
		f.heal = max(f.heal, w.heals(done, x.at, load), w.heals(done, x.at+x.lasts, load))
	}
	return f
}

// heals returns how long after a moment the answers of a second come to 0.9 of what can be done.
func (w *world) heals(done []float64, from time.Duration, load float64) time.Duration {
	for at := from; at < w.lasts-time.Second; at += 100 * ms {
		sum, can := 0.0, 0.0
		for i := range 10 {
			slot := at + time.Duration(i)*100*ms
			sum += done[slot/(100*ms)]
			can += min(w.capacity(slot), load*w.total()) / 10
		}
		if sum >= 0.9*can {
			return at - from
		}
	}
	return w.lasts - from
}

func percentile(d []time.Duration, p float64) time.Duration {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return d[int(p*float64(len(d)-1))]
}

// worst returns the least part that a principal got of what max-min fairness would give it; a flood's
// does not count.
func worst(asked, got map[uint64]float64, floods map[uint64]bool, capacity float64) float64 {
	var demands []float64
	for _, a := range asked {
		demands = append(demands, a)
	}
	slices.Sort(demands)
	level := math.Inf(1)
	for i, d := range demands {
		if each := capacity / float64(len(demands)-i); d > each {
			level = each
			break
		}
		capacity -= d
	}
	least := math.Inf(1)
	for p, a := range asked {
		if !floods[p] {
			least = min(least, got[p]/min(a, level))
		}
	}
	return least
}

// adds returns an error if the calls of some worker don't add up.
func (w *world) adds() error {
	for _, k := range w.workers {
		c := k.finished
		sum := c.Completed + c.Canceled + c.Expired + c.Dropped + uint64(c.Queued+c.Running)
		for _, n := range c.Refused {
			sum += n
		}
		if c.Submitted != sum {
			return fmt.Errorf("worker %d: %d submitted, and %d with an end", k.id, c.Submitted, sum)
		}
	}
	return nil
}
