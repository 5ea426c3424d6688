// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// How often a single draw takes long: every draw of every core is timed while memory is collected.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"time"

	"fount/lab"
	"fount/lab/measure"
	"fount/lab/nonce"
)

// Tail is fount bench tail. As many goroutines as cores draw and time every draw, while one more allocates, so that the
// collector begins again all the time. A draw's time is from the end of the one before to its own end, so that whatever
// comes in between counts: one in whose middle a goroutine loses its core counts once, with all the time it was away.
//
// Percentiles of draws would compare nothing. Who draws twice as often has twice as many short draws beside the same
// interruptions: 800 a second and core are one draw in 14,000 at 69 ns and in 7,000 at 142, and so lie beyond the 99.99th
// percentile of the one and not of the other. What compares is how often in a second a draw takes long.
var Tail = lab.Study{Name: "tail", About: "how often one nonce of many takes long, while memory is collected", Time: 30 * time.Second, Run: tail}

// thresholds are what is long.
var thresholds = [...]time.Duration{10 * time.Microsecond, 100 * time.Microsecond, time.Millisecond}

func tail(r *lab.Run) {
	const name = "Nonces that take long, by the second and core, while one goroutine more allocates"
	rounds, turn := 16, 450*time.Millisecond
	if r.Quick {
		turn /= 4
	}
	if r.Count > 0 {
		rounds = r.Count
	}
	alone := measure.Empty()
	alone.Name = "the clock alone"
	var list []*tailed
	for _, m := range []measure.Method{nonce.Fount(), nonce.CryptoRand(), nonce.Channel(), alone} {
		if len(list) > 0 && !r.Wants(name, m.Name) {
			continue
		}
		t := newTailed(m, runtime.GOMAXPROCS(0))
		defer t.close()
		list = append(list, t)
	}
	stop := allocate()
	defer stop()
	for round := range rounds {
		if r.Over() {
			break
		}
		r.Show("round %d of %d", round+1, rounds)
		for _, k := range rand.Perm(len(list)) {
			list[k].turn(turn)
		}
	}
	g := lab.Group{Name: name, Procs: runtime.GOMAXPROCS(0), Workers: runtime.GOMAXPROCS(0), Columns: []lab.Column{
		{Name: "> 10 µs", Unit: "op/s", Judged: true, Clock: true}, {Name: "> 100 µs", Unit: "op/s", Judged: true, Clock: true}, {Name: "> 1 ms", Unit: "op/s"},
		{Name: "p50", Unit: "p50-ns/op"}, {Name: "longest", Unit: "sec"}, {Name: "draws", Unit: "op/s"}, {Name: "cores", Unit: "cores"}, {Name: "GCs"},
	}}
	for _, t := range list {
		g.Rows = append(g.Rows, t.row())
	}
	if t := list[0]; t.err == nil && measure.ProcessCPU != nil && len(t.values) > 0 { // whoever draws and allocates never waits
		g.Share = lab.Of(t.values[cpuColumn]...).Value / float64(g.Procs)
	}
	r.Add(g)
}

const cpuColumn = 6 // cores

// A tailed is a method being measured.
type tailed struct {
	method measure.Method
	source measure.Source
	err    error
	meters []*meter    // one of each goroutine
	values [][]float64 // by column and round
}

// A meter records the draws of one goroutine in a turn.
type meter struct {
	times *measure.Histogram
	long  [len(thresholds)]int
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

func newTailed(m measure.Method, goroutines int) *tailed {
	t := &tailed{method: m, meters: make([]*meter, goroutines)}
	t.source, t.err = m.Open()
	return t
}

func (t *tailed) close() {
	if t.source != nil {
		t.source.Close()
	}
}

// turn has all goroutines draw for that long.
func (t *tailed) turn(long time.Duration) {
	if t.err != nil {
		return
	}
	errs := make([]error, len(t.meters))
	for k := range t.meters {
		t.meters[k] = &meter{times: measure.NewHistogram(2)}
	}
	gcs, cpu, start := collections(), processCPU(), time.Now()
	var ended sync.WaitGroup
	for k, m := range t.meters {
		ended.Go(func() { errs[k] = timed(t.source, m, long) })
	}
	ended.Wait()
	elapsed := time.Since(start)
	if t.err = errors.Join(errs...); t.err == nil {
		t.add(elapsed, processCPU()-cpu, collections()-gcs)
	}
}

// add adds up what the goroutines met in a turn.
func (t *tailed) add(elapsed, cpu time.Duration, gcs int) {
	all, cores := measure.NewHistogram(2), float64(len(t.meters))
	var values []float64
	for i := range thresholds {
		n := 0
		for _, m := range t.meters {
			n += m.long[i]
		}
		values = append(values, float64(n)/elapsed.Seconds()/cores)
	}
	for _, m := range t.meters {
		all.Merge(m.times)
	}
	values = append(values, all.Quantile(0.5), all.Max()/1e9, float64(all.Count())/elapsed.Seconds(), float64(cpu)/float64(elapsed), float64(gcs))
	if t.values == nil {
		t.values = make([][]float64, len(values))
	}
	for i, v := range values {
		t.values[i] = append(t.values[i], v)
	}
}

// row is all turns together.
func (t *tailed) row() lab.Row {
	r := lab.Row{Name: t.method.Name}
	if t.err != nil {
		r.Error, _, _ = strings.Cut(t.err.Error(), "\n")
		return r
	}
	for _, rounds := range t.values {
		r.Figures = append(r.Figures, lab.Of(rounds...))
	}
	return r
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

func collections() int {
	var m runtime.MemStats
	runtime.ReadMemStats(&m) // stops the world for some µs, between turns
	return int(m.NumGC)
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
