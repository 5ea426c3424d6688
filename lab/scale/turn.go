// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// A turn: one worker, bound to a core, draws for a time that others know too.

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"fount/internal/numa"
	"fount/lab"
	"fount/lab/measure"
)

// A spot is the CPU that a worker is bound to, and the system's number of its node, -1 where the nodes are not the system's.
type spot struct{ CPU, Node int }

// place is where workers stand: on the CPUs that this process may use, all of a node before the next. It returns too how many
// each node has.
func place(r *lab.Run) (nodes []int, spots []spot) {
	cpus := allowed()
	cpus = cpus[:min(len(cpus), runtime.GOMAXPROCS(0))]
	top := numa.Detect()
	places, err := top.Places(cpus)
	if err != nil || len(places) == 0 {
		r.Note("The nodes of these cores are not known: %v", err)
		places = []numa.Place{{Node: -1, CPUs: cpus}}
	}
	for _, p := range places {
		nodes = append(nodes, len(p.CPUs))
		for _, cpu := range p.CPUs {
			s := spot{cpu, p.Node}
			if top.Source != "sysfs" {
				s.Node = -1
			}
			spots = append(spots, s)
		}
	}
	return nodes, spots
}

// check holds a spot against where a worker found itself; -1 is not known.
func (s spot) check(cpu, node int) error {
	switch {
	case cpu >= 0 && cpu != s.CPU:
		return fmt.Errorf("a thread bound to CPU %d ran on CPU %d", s.CPU, cpu)
	case node >= 0 && s.Node >= 0 && node != s.Node:
		return fmt.Errorf("a thread ran on CPU %d, of node %d by sysfs and of node %d by getcpu", cpu, s.Node, node)
	}
	return nil
}

// A task is what a worker is to do in a turn. It goes to other processes as JSON.
type task struct {
	Setting
	Method string
	Worker int // its number among those that draw at once
	Spot   spot
	Turn   time.Duration
}

// A tally is what a worker did in a turn.
type tally struct {
	Values    int
	From, To  int64         // in Unix ns, by a clock that all processes share
	CPU       time.Duration // of its thread meanwhile, 0 if not known
	Slept     time.Duration
	Accounted bool   // Slept is known
	Err       string // of the method
	Misplaced string // where the thread was elsewhere
}

// threads has a thread at each spot draw from one source. Each is new, and ends with the turn.
func threads(m measure.Method, what task, spots []spot) (turned, error) {
	src, err := m.Open()
	if err != nil {
		return turned{}, err
	}
	defer src.Close()
	tallies := make([]tally, len(spots))
	gate := &measure.Gate{Workers: len(spots), Looks: 4096} // each has a core to itself; another may need this P to get here
	var ended sync.WaitGroup
	for k, s := range spots {
		own := what
		own.Worker, own.Spot = k, s
		ended.Go(func() {
			if err := pin(s.CPU); err != nil {
				tallies[k].Misplaced = err.Error()
				gate.Arrive()
				return
			}
			tallies[k] = own.run(src, gate.Arrive)
		})
	}
	ended.Wait()
	return sum(tallies)
}

// warmup is the part of a turn that a worker draws before it.
const warmup = 4

// run makes the worker's state, warms up, calls arrive, which returns when all others are ready too, and draws until
// the time is over. The calling goroutine is bound to its thread.
func (t task) run(src measure.Source, arrive func()) (done tally) {
	arrived := false
	defer func() {
		if r := recover(); r != nil {
			done = tally{Err: fmt.Sprintf("panic: %v\n%s", r, debug.Stack())}
			if !arrived {
				arrive() // the others wait
			}
		}
	}()
	w := src.Worker(t.Worker)
	defer w.Close()
	draw := w.Draw
	n := measure.Batch(draw, t.Turn, t.Turn/warmup)
	book := openLedger()
	defer book.close()
	epoch := time.Now()
	arrived = true
	arrive()
	before, _ := book.read()
	from, cpu := time.Since(epoch), threadCPU()
	to := from
	for to-from < t.Turn {
		draw(n)
		done.Values += n
		to = time.Since(epoch)
	}
	done.CPU = threadCPU() - cpu
	after, ok := book.read()
	done.Slept, done.Accounted = slept(before, after), ok
	if err := t.Spot.check(numa.Here()); err != nil {
		done.Misplaced = err.Error()
	}
	done.From, done.To = epoch.UnixNano()+int64(from), epoch.UnixNano()+int64(to)
	return done
}

// accounts are what the kernel has counted of a thread.
type accounts struct {
	at     time.Time
	cpu    time.Duration // that it ran
	queued time.Duration // that it was ready and other threads had its CPU
	sleeps int64         // times that it gave its CPU up
}

// slept is how long the thread slept from a to b: the time that it neither ran nor was ready. A thread that never gave
// its CPU up has not slept, whatever is missing then: a hypervisor may have had the CPU.
func slept(a, b accounts) time.Duration {
	if b.sleeps == a.sleeps {
		return 0
	}
	return max(0, b.at.Sub(a.at)-(b.cpu-a.cpu)-(b.queued-a.queued))
}

// A turned is what the tallies of one turn say together.
type turned struct {
	values    int
	elapsed   time.Duration // from the first draw to the end of the last
	cpu       time.Duration // of all threads, 0 if not known
	slept     time.Duration // by all threads
	accounted bool          // slept is known of all
}

// sum adds the tallies up.
func sum(tallies []tally) (r turned, err error) {
	from, to := tallies[0].From, tallies[0].To
	r.accounted = true
	for _, t := range tallies {
		if t.Err != "" {
			return turned{}, fmt.Errorf("%s", t.Err)
		}
		if t.Misplaced != "" {
			return turned{}, fatal{fmt.Errorf("%s", t.Misplaced)}
		}
		r.values += t.Values
		r.cpu += t.CPU
		r.slept += t.Slept
		r.accounted = r.accounted && t.Accounted
		from, to = min(from, t.From), max(to, t.To)
	}
	r.elapsed = time.Duration(to - from)
	if r.elapsed <= 0 || r.values == 0 {
		return turned{}, fmt.Errorf("a turn drew %d values in %v", r.values, r.elapsed)
	}
	return r, nil
}

// rate is values a second.
func (r turned) rate() float64 { return float64(r.values) / r.elapsed.Seconds() }

// coreNS is CPU time a value in ns, of all threads; NaN where it is not known.
func (r turned) coreNS() float64 { return r.time() / float64(r.values) }

// cores is how many cores the threads had.
func (r turned) cores() float64 { return r.time() / float64(r.elapsed) }

func (r turned) time() float64 {
	if r.cpu == 0 {
		return math.NaN()
	}
	return float64(r.cpu)
}

// own is the time that the threads of a run had to themselves: they ran or slept. What other programs took is not in it.
func (r turned) own() float64 {
	if !r.accounted {
		return math.NaN()
	}
	return r.time() + float64(r.slept)
}

// asleep is the share of its own time that a run slept.
func (r turned) asleep() float64 { return float64(r.slept) / r.own() }

// waiting is the share of its own time that a run did not need: what its values would have taken at the CPU time that
// one thread alone takes for one, which alone is. It is below 0 where they took less.
func (r turned) waiting(alone turned) float64 { return 1 - float64(r.values)*alone.coreNS()/r.own() }
