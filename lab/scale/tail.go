// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// How often a single draw takes long: every draw of every core is timed, for half a minute, while memory is collected.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"fount"
	"fount/internal/judge"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/nonce"
)

// TailOptions say how long to measure latency.
type TailOptions struct {
	Time time.Duration // of all methods together
	Turn time.Duration // of one method, before the next has its turn

	// Progress, if not nil, is called before each turn with the number of turns done and of all.
	Progress func(done, all int)
}

// FullTail is what is measured of latency unless told otherwise: 30 s.
func FullTail() TailOptions { return TailOptions{Time: 30 * time.Second, Turn: 100 * time.Millisecond} }

// QuickTail is for a report of many parts: 8 s.
func QuickTail() TailOptions { return TailOptions{Time: 8 * time.Second, Turn: 100 * time.Millisecond} }

// A TailResult is what Tail measured.
type TailResult struct {
	Label      string        `json:"label"`
	Machine    machine.Facts `json:"machine"`
	Goroutines int           `json:"goroutines"` // that draw, one for each core that Go uses
	Seconds    float64       `json:"seconds"`
	TurnNS     int64         `json:"turn_ns"`
	Methods    []TailMethod  `json:"methods"`
	Bars       []Check       `json:"checks"`
}

// A TailMethod is how long one method's draws take: each from the end of the one before to its own end, so that whatever
// comes in between counts, whether in the draw or beside it. TailClock draws nothing.
//
// Percentiles of draws would compare nothing. Who draws twice as often has twice as many short draws beside the same
// interruptions: 800 a second and core are one draw in 14,000 at 69 ns and in 7,000 at 142, and so lie beyond the 99.99th
// percentile of the one and not of the other. What compares is how often in a second a draw takes long.
type TailMethod struct {
	Name     string  `json:"name"`
	Weakness string  `json:"weakness,omitempty"`
	Error    string  `json:"error,omitempty"` // why it was not measured; then there are no figures
	Seconds  float64 `json:"seconds"`         // its turns
	Draws    int64   `json:"draws"`
	P50NS    float64 `json:"p50_ns"`
	MaxNS    float64 `json:"max_ns"`

	Stalls []Stalls `json:"stalls"` // draws that took long: no draw takes so long, it was interrupted, or it waited

	Reseeds     uint64     `json:"reseeds,omitempty"`    // of fount's states in its turns
	Collections int64      `json:"gc_cycles"`            // in its turns
	Share       float64    `json:"core_share,omitempty"` // of the cores' time that this process had, 0 if not known
	Curve       []Exceeded `json:"exceeded"`
}

// Stalls are the draws that took more than AboveNS.
type Stalls struct {
	AboveNS float64         `json:"above_ns"`
	Count   int64           `json:"count"`
	PerS    *measure.Sample `json:"per_s_and_core"` // by runs of turns
}

// thresholds are those of the Stalls.
var thresholds = [...]time.Duration{10 * time.Microsecond, 100 * time.Microsecond, time.Millisecond}

// Exceeded is how many draws a second and core took more than AboveNS.
type Exceeded struct {
	AboveNS float64 `json:"above_ns"`
	PerS    float64 `json:"per_s_and_core"`
}

// The methods of Tail.
const (
	TailFount   = "fount"
	TailCrypto  = "crypto/rand"
	TailChannel = "channel"
	TailClock   = "clock alone"
)

// tailed is one method being measured.
type tailed struct {
	TailMethod
	method  measure.Method
	source  measure.Source
	meters  []*meter                   // one of each goroutine
	stalls  [len(thresholds)][]float64 // a second and core, by turn
	elapsed time.Duration
	cpu     time.Duration
}

// digits of the times of draws.
const digits = 2

// A meter records the draws of one goroutine.
type meter struct {
	times *measure.Histogram
	long  [len(thresholds)]int64 // in this turn
}

func (m *meter) add(d time.Duration) {
	if d > thresholds[0] {
		for i, t := range thresholds {
			if d > t {
				m.long[i]++
			}
		}
	}
	m.times.Add(d)
}

// Tail measures how often a 16-byte nonce takes long under full load: as many goroutines as cores draw and time every
// draw, while one more allocates, so that the collector begins again all the time. fount's states refill after 62 draws.
// The methods take short turns in an order drawn anew each round, so that a slow phase of the machine meets all alike.
// Nothing is left out: a draw in whose middle a goroutine loses its core counts once, with all the time it was away. A
// draw that would have been made in that time is not made up. When ctx ends, Tail returns its error.
func Tail(ctx context.Context, o TailOptions) (TailResult, error) {
	if o.Turn <= 0 || o.Time < o.Turn {
		return TailResult{}, fmt.Errorf("%v in turns of %v; want at least one turn", o.Time, o.Turn)
	}
	goroutines := runtime.GOMAXPROCS(0)
	methods := []*tailed{
		{TailMethod: TailMethod{Name: TailFount}, method: nonce.Fount()},
		{TailMethod: TailMethod{Name: TailCrypto}, method: nonce.CryptoRand()},
		{TailMethod: TailMethod{Name: TailChannel}, method: nonce.Channel()},
		{TailMethod: TailMethod{Name: TailClock}, method: measure.Empty()},
	}
	for _, t := range methods {
		defer t.open(goroutines)()
	}
	stop := allocate()
	defer stop()
	rounds := max(1, int(o.Time/o.Turn)/len(methods))
	for round := range rounds {
		for i, k := range rand.Perm(len(methods)) {
			if err := ctx.Err(); err != nil {
				return TailResult{}, err
			}
			if o.Progress != nil {
				o.Progress(round*len(methods)+i, rounds*len(methods))
			}
			methods[k].turn(o.Turn)
		}
	}
	r := TailResult{Label: Label, Machine: machine.Inspect(), Goroutines: goroutines,
		Seconds: (time.Duration(rounds*len(methods)) * o.Turn).Seconds(), TurnNS: int64(o.Turn)}
	for _, t := range methods {
		r.Methods = append(r.Methods, t.result())
	}
	r.Bars = r.Checks()
	return r, nil
}

// open starts the method and returns what ends it.
func (t *tailed) open(goroutines int) (close func()) {
	t.Weakness = t.method.Weakness
	for _, above := range thresholds {
		t.Stalls = append(t.Stalls, Stalls{AboveNS: float64(above)})
	}
	for range goroutines {
		t.meters = append(t.meters, &meter{times: measure.NewHistogram(digits)})
	}
	src, err := t.method.Open()
	if err != nil {
		t.Error = err.Error()
		return func() {}
	}
	t.source = src
	return src.Close
}

// turn has all goroutines draw for that long.
func (t *tailed) turn(long time.Duration) {
	if t.Error != "" {
		return
	}
	before, reseeds, cpu, start := collections(), fount.Status().Reseeds, processCPU(), time.Now()
	errs := make([]error, len(t.meters))
	var ended sync.WaitGroup
	for k, m := range t.meters {
		ended.Go(func() { errs[k] = timed(t.source, m, long) })
	}
	ended.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error = err.Error()
	}
	t.count(time.Since(start))
	t.cpu += processCPU() - cpu
	t.Collections += collections() - before
	t.Reseeds += fount.Status().Reseeds - reseeds
}

// count adds up what the goroutines met in a turn that took so long.
func (t *tailed) count(elapsed time.Duration) {
	t.elapsed += elapsed
	for i := range thresholds {
		n := int64(0)
		for _, m := range t.meters {
			n += m.long[i]
			m.long[i] = 0
		}
		t.Stalls[i].Count += n
		t.stalls[i] = append(t.stalls[i], float64(n)/elapsed.Seconds()/float64(len(t.meters)))
	}
}

// timed draws for that long and records every draw.
func timed(src measure.Source, m *meter, long time.Duration) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	w := src.Worker(0)
	defer w.Close()
	epoch := time.Now()
	for last := time.Since(epoch); ; {
		w.Draw(1)
		now := time.Since(epoch)
		m.add(now - last)
		if last = now; now >= long {
			return nil
		}
	}
}

func processCPU() time.Duration {
	if measure.ProcessCPU == nil {
		return 0
	}
	return measure.ProcessCPU()
}

func collections() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m) // stops the world for some µs, between turns
	return int64(m.NumGC)
}

// What the allocating goroutine keeps and how much it makes at a time. It is always ready to run, so it gets a core
// about each 10 ms, when Go takes one from a goroutine that draws: the collector begins again some 10 times a second.
const (
	live     = 32 << 20
	portion  = 4 << 20
	pieceLen = 1 << 10
)

// A piece is memory with a pointer in it, which the collector has to follow.
type piece struct {
	next *piece
	_    [pieceLen - 8]byte
}

// allocate starts a goroutine that allocates until stop is called, which returns when it has ended.
func allocate() (stop func()) {
	halt := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		kept := make([]*piece, live/pieceLen)
		for i := 0; ; {
			select {
			case <-halt:
				return
			default:
			}
			for range portion / pieceLen {
				i++
				fresh := new(piece)
				fresh.next = fresh
				kept[i%len(kept)] = fresh
			}
			runtime.Gosched()
		}
	})
	return func() {
		close(halt)
		ended.Wait()
	}
}

// result sums the goroutines up.
func (t *tailed) result() TailMethod {
	m := t.TailMethod
	if m.Error != "" {
		m.Stalls = nil
		return m
	}
	all := measure.NewHistogram(digits)
	for _, k := range t.meters {
		all.Merge(k.times)
	}
	m.Draws, m.Seconds = all.Count(), t.elapsed.Seconds()
	m.P50NS, m.MaxNS = all.Max(), all.Max()
	if m.Draws > 1 {
		m.P50NS = all.Quantile(0.5)
	}
	for i, turns := range t.stalls {
		m.Stalls[i].PerS = measure.ByRun(means(turns), 1)
	}
	if t.cpu > 0 {
		m.Share = float64(t.cpu) / float64(t.elapsed) / float64(len(t.meters))
	}
	m.Curve = exceeded(all, m.Seconds*float64(len(t.meters)))
	return m
}

// means are those of the runs that turns are put into: of events as rare as these the median says nothing.
func means(turns []float64) (list []float64) {
	for _, run := range judge.Split(turns) {
		sum := 0.0
		for _, v := range run {
			sum += v
		}
		list = append(list, sum/float64(len(run)))
	}
	return list
}

// exceeded is the curve: at 10 times in each decade from 10 ns on, until nothing takes longer.
func exceeded(all *measure.Histogram, seconds float64) (curve []Exceeded) {
	for k := 10; ; k++ {
		above, n := math.Pow(10, float64(k)/10), int64(0)
		for from, count := range all.Buckets() {
			if from > above {
				n += count
			}
		}
		if n == 0 {
			return curve
		}
		curve = append(curve, Exceeded{above, float64(n) / seconds})
	}
}

// Find returns a method, nil if it is not there or was not measured.
func (r TailResult) Find(name string) *TailMethod {
	for i, m := range r.Methods {
		if m.Name == name && m.Error == "" {
			return &r.Methods[i]
		}
	}
	return nil
}
