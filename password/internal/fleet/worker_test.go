// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"fount/password/internal/sched"
)

const ms = time.Millisecond

// A sort is a kind of work. alone is by itself on a core at full speed.
type sort struct {
	name   string
	kind   sched.Kind
	alone  time.Duration
	batch  bool
	memory int64
}

// The kinds: what two bcrypts and an argon2id take on a core of the machine of docs/performance.md.
var sorts = []sort{
	{"bcrypt 10", sched.Kind{Algorithm: 1, Cost: [3]uint32{10}}, 45 * ms, true, 0},
	{"argon2id", sched.Kind{Algorithm: 2, Cost: [3]uint32{19456, 2, 1}}, 17 * ms, false, 19 << 20},
	{"bcrypt 12", sched.Kind{Algorithm: 1, Cost: [3]uint32{12}}, 180 * ms, true, 0},
}

const lanes = 5

// inLanes is how long k bcrypts take side by side, relative to one (docs/design/0008-lanes.md).
var inLanes = []float64{0, 1, 1.10, 1.22, 1.44, 1.85}

// work is the time of a core at full speed that one takes while there is a queue.
func (s *sort) work() time.Duration {
	if s.batch {
		return time.Duration(float64(s.alone) * inLanes[lanes] / lanes)
	}
	return s.alone
}

// maxWait is password.DefaultMaxWait.
const maxWait = 300 * ms

// A news is what a worker publishes, or sends along with a reply.
type news struct {
	wait         time.Duration   // until all that it has is done
	alone, drain []time.Duration // of one of each sort: by itself, and while there is a queue
	leaving      bool
}

// A pace is a worker's speed from a moment on; 0: the process stands still.
type pace struct {
	from  time.Duration
	speed float64
}

// A worker is one fountd. A quota of a quarter of a core is a core at a quarter of the speed.
type worker struct {
	*world
	id    int
	cores int
	paces []pace

	sched    *sched.Scheduler
	life     int // counts its starts
	up       bool
	leaving  bool // it drains
	joined   bool // it is in the queue group, as far as it knows
	online   bool // it has a connection
	has      map[uint64]context.CancelFunc
	spoke    time.Time // when it published last
	told     news
	looked   time.Time // at the scheduler, which takes longer than a refusal
	recent   news      // as of then
	kept     []func()  // replies while there is no connection
	tokens   int       // given out and not used, as far as it knows
	looking  bool      // it will look for room
	finished sched.Counts
}

// speed returns the speed at a time since the start.
func (w *worker) speed(at time.Duration) (s float64) {
	for _, p := range w.paces {
		if p.from <= at {
			s = p.speed
		}
	}
	return s
}

// lasts returns how long so much work takes from now on.
func (w *worker) lasts(work time.Duration) time.Duration {
	from := time.Since(w.began)
	at, left := from, float64(work)
	for i, p := range w.paces {
		if i+1 == len(w.paces) {
			return max(at, p.from) + time.Duration(left/p.speed) - from
		}
		end := w.paces[i+1].from
		if end <= at {
			continue
		}
		if can := float64(end-at) * p.speed; can >= left {
			return at + time.Duration(left/p.speed) - from
		} else {
			left -= can
		}
		at = end
	}
	panic("no pace")
}

// stands returns until when the process stands still, or the zero time.
func (w *worker) stands() (until time.Time) {
	at := time.Since(w.began)
	for i, p := range w.paces {
		if p.speed == 0 && p.from <= at && at < w.paces[i+1].from {
			return w.began.Add(w.paces[i+1].from)
		}
	}
	return until
}

// start makes the process, and connects it.
func (w *worker) start() {
	w.life++
	w.up, w.leaving, w.has, w.kept, w.tokens = true, false, map[uint64]context.CancelFunc{}, nil, 0
	w.sched = sched.New(sched.Config{
		Workers: w.cores, Memory: 1 << 30, Queue: 8192, MaxWait: maxWait, Lanes: lanes,
		Relative: func(k int) float64 { return inLanes[k] },
		Jitter:   func(n time.Duration) time.Duration { return n / 2 },
		Run:      w.run,
	})
	speed := w.speed(time.Since(w.began))
	for a := range 2 { // what NewPool measures
		w.sched.Seed(uint8(1+a), time.Duration(float64(ms)/speed), 1)
	}
	for i := range sorts {
		w.sched.Expect(w.task(&call{sort: i}))
	}
	w.connect()
	w.tick(w.life)
}

// task is what a call is for the scheduler.
func (w *worker) task(k *call) *sched.Task {
	s := &sorts[k.sort]
	return &sched.Task{Class: 1, Principal: k.principal, Kind: s.kind, Units: float64(s.alone) / float64(ms),
		Memory: s.memory, Threads: 1, Batch: s.batch, Payload: k.id}
}

// run computes: it sleeps. Times vary by some percent, which follow from the call.
func (w *worker) run(_ int, tasks []*sched.Task) {
	r := 1.0
	if tasks[0].Batch {
		r = inLanes[len(tasks)]
	}
	noise := 1 + 0.1*(float64(mix(tasks[0].Payload.(uint64)^w.seed)>>11)/(1<<53)-0.5)
	time.Sleep(w.lasts(time.Duration(tasks[0].Units * float64(ms) * r * noise)))
}

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (w *worker) link() *link { return &w.broker.links[w.id] }

// connect has the broker know the worker, and its place in the queue group.
func (w *worker) connect() {
	w.online = true
	w.joined = false
	w.broker.toBroker(w.link(), func() { w.broker.present[w.id] = true })
	w.join(true)
	for _, reply := range w.kept {
		reply()
	}
	w.kept = nil
	w.publish()
}

// join changes whether the worker is in the queue group.
func (w *worker) join(in bool) {
	if in == w.joined || !w.online {
		return
	}
	w.joined = in
	b, life := w.broker, w.broker.life
	b.toBroker(w.link(), func() {
		b.after(b.interest, func() {
			switch {
			case b.life != life:
			case in && b.present[w.id]:
				b.subscribe(w.id)
			case !in:
				b.unsubscribe(w.id)
			}
		})
	})
}

// kill ends the process: the broker sees the connection break.
func (w *worker) kill() {
	w.collect()
	w.up, w.online, w.joined = false, false, false
	b := w.broker
	b.toBroker(w.link(), func() { b.gone(w.id) })
	for _, id := range slices.Sorted(maps.Keys(w.has)) {
		w.has[id]()
	}
	w.has = nil
}

// collect adds up what the scheduler counted.
func (w *worker) collect() {
	for _, c := range w.sched.Stats().Classes {
		w.finished.Submitted += c.Submitted
		w.finished.Completed += c.Completed
		w.finished.Canceled += c.Canceled
		w.finished.Expired += c.Expired
		w.finished.Dropped += c.Dropped
		for r, n := range c.Refused {
			w.finished.Refused[r] += n
		}
		w.finished.Queued += c.Queued
		w.finished.Running += c.Running
	}
}

// drain ends the process in order: nothing new, and all that was let in is answered.
func (w *worker) drain() {
	w.leaving, w.looked = true, time.Time{}
	w.join(false)
	w.publish()
}

// receive takes in a request, when the process runs.
func (w *worker) receive(k *call, try int, left time.Duration) {
	if until := w.stands(); !until.IsZero() {
		w.then(until, func() { w.receive(k, try, left) })
		return
	}
	if !w.up {
		return
	}
	w.tokens = max(w.tokens-1, 0)
	k.came(w.id)
	t := w.task(k)
	life := w.life
	ctx, cancel := context.WithTimeout(context.Background(), left)
	w.has[k.id] = cancel
	key := k.id<<1 | 1
	s := w.sched
	go func() {
		err := s.Do(ctx, t)
		admitted := t.Admitted()
		w.clock.at(time.Now(), key, func() {
			cancel()
			if admitted {
				k.admitted = true
			}
			if w.life == life && w.up {
				delete(w.has, k.id)
				w.answer(k, try, err, admitted, t.Waited+t.Served)
			}
		})
	}()
	w.after(0, w.changed)
}

// then runs f in this life of the process.
func (w *worker) then(t time.Time, f func()) {
	life := w.life
	w.clock.at(t, 0, func() {
		if w.up && w.life == life {
			f()
		}
	})
}

// cancel gives a call's place up.
func (w *worker) cancel(id uint64) {
	if until := w.stands(); !until.IsZero() {
		w.then(until, func() { w.cancel(id) })
		return
	}
	if c := w.has[id]; c != nil {
		c()
	}
}

// A reply is what a worker answers.
type reply struct {
	ok       bool
	admitted bool // it was let in, whatever became of it
	from     int
	took     time.Duration // at the worker
	news     *news         // if it is sent along
}

func (w *worker) answer(k *call, try int, err error, admitted bool, took time.Duration) {
	if until := w.stands(); !until.IsZero() {
		w.then(until, func() { w.answer(k, try, err, admitted, took) })
		return
	}
	if errors.Is(err, context.Canceled) {
		w.changed()
		return // nobody waits
	}
	r := reply{ok: err == nil, admitted: admitted, from: w.id, took: took}
	if w.route.echo {
		n := w.lately()
		r.news = &n
	}
	send := func() {
		w.broker.toBroker(w.link(), func() {
			c := k.client
			if c.online {
				w.broker.fromBroker(c.link(), func() { c.receive(k, try, r) })
			}
		})
	}
	if w.online {
		send()
	} else {
		w.kept = append(w.kept, send)
	}
	w.changed()
}

// lately is what the worker knew of itself a moment ago.
func (w *worker) lately() news {
	if time.Since(w.looked) > 5*ms {
		w.recent = w.news()
	}
	return w.recent
}

// news is what the worker knows of itself.
func (w *worker) news() news {
	w.looked = time.Now()
	st := w.sched.Stats()
	n := news{wait: st.Backlog, leaving: w.leaving, alone: make([]time.Duration, len(sorts)), drain: make([]time.Duration, len(sorts))}
	defer func() { w.recent = n }()
	for i := range sorts {
		for _, t := range st.Timings {
			if t.Kind == sorts[i].kind {
				n.alone[i], n.drain[i] = t.Alone, t.Drain/time.Duration(w.cores)
			}
		}
	}
	return n
}

// tick publishes at intervals.
func (w *worker) tick(life int) {
	if w.route.every == 0 {
		return
	}
	w.after(time.Duration(float64(w.route.every)*(0.9+0.2*w.rng.Float64())), func() {
		if !w.up || w.life != life {
			return
		}
		if until := w.stands(); !until.IsZero() {
			w.clock.at(until, 0, func() { w.tick(life) })
			return
		}
		if time.Since(w.spoke) >= w.route.every*9/10 {
			w.publish()
		}
		w.tick(life)
	})
}

// publish tells all clients.
func (w *worker) publish() {
	if w.route.every == 0 || !w.online {
		return
	}
	n := w.news()
	w.spoke, w.told = time.Now(), n
	b := w.broker
	b.toBroker(w.link(), func() {
		for _, c := range w.clients {
			if c.online {
				b.fromBroker(c.link(), func() { c.hears(w.id, n) })
			}
		}
	})
}

// changed looks at the queue after something has come or gone.
func (w *worker) changed() {
	if !w.up || !w.stands().IsZero() {
		return
	}
	if w.route.leaves > 0 && !w.leaving {
		wait := w.news().wait
		switch {
		case wait > time.Duration(w.route.leaves*float64(maxWait)):
			w.join(false)
		case wait < time.Duration(w.route.leaves*0.75*float64(maxWait)):
			w.join(true)
		}
		if !w.joined { // nothing may happen until there is room again
			w.recheck()
		}
	}
	if w.route.tokens {
		w.deal()
	}
	if w.route.change > 0 && time.Since(w.spoke) >= w.route.gap {
		now := w.news().wait
		expected := max(w.told.wait-time.Since(w.spoke), 0)
		if math.Abs(float64(now-expected)) > w.route.change*float64(maxWait) {
			w.publish()
		}
	}
}

func (w *worker) recheck() {
	if w.looking {
		return
	}
	w.looking = true
	w.after(10*ms, func() {
		w.looking = false
		w.changed()
	})
}

// deal gives tokens to clients drawn at random, one for each place in the queue.
func (w *worker) deal() {
	n := w.news()
	room := int((maxWait - n.wait) / max(n.drain[0], 1))
	for ; w.tokens < room && !w.leaving && w.online; w.tokens++ {
		c := w.clients[w.rng.IntN(len(w.clients))]
		w.broker.toBroker(w.link(), func() {
			if c.online {
				w.broker.fromBroker(c.link(), func() { c.tokens = append(c.tokens, token{w.id, time.Now()}) })
			}
		})
	}
}
