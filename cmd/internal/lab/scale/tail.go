// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// How often a single draw takes long: every draw of every core is timed while memory is collected.

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/measure"
	"fount/cmd/internal/lab/nonce"
)

// Tail is fount bench tail. As many goroutines as cores draw and time every draw, while one more
// allocates, so that the collector begins again all the time. A draw's time is from the end of the
// one before, so that whatever comes in between counts once.
//
// Percentiles of draws would compare nothing: who draws twice as often has twice as many short
// draws beside the same interruptions. What compares is how often in a second a draw takes long.
var Tail = lab.Study{Name: "tail", About: "how often one nonce of many takes long, while memory is collected", Time: 20 * time.Second, Run: tail}

// thresholds are what is long.
var thresholds = [...]time.Duration{10 * time.Microsecond, 100 * time.Microsecond, time.Millisecond}

func tail(r *lab.Run) {
	turn := 300 * time.Millisecond
	if r.Quick {
		turn /= 4
	}
	goroutines := runtime.GOMAXPROCS(0)
	g := lab.Group{Name: "Nonces that take long, by the second and core, while one goroutine more allocates",
		Procs: goroutines, Workers: goroutines, Contends: true, Columns: []lab.Column{
			{Name: "> 10 µs", Unit: "op/s", Judged: true}, {Name: "> 100 µs", Unit: "op/s"},
			{Name: "> 1 ms", Unit: "op/s"}, {Name: "draws", Unit: "op/s"}, {Name: "cores", Unit: "cores"},
		}}
	alone := measure.Empty()
	alone.Name = "the clock alone"
	var ways []lab.Way
	for _, m := range []measure.Method{nonce.Fount(), nonce.CryptoRand(), nonce.Channel(), alone} {
		ways = append(ways, lab.Way{Row: lab.Row{Name: m.Name}, Turn: func(int) ([]float64, error) { return slow(m, goroutines, turn) }})
	}
	stop := allocate()
	defer stop()
	r.Turns(g, lab.Rounds, ways)
}

// A meter counts the draws of one goroutine in a turn.
type meter struct {
	draws int
	long  [len(thresholds)]int
}

// slow has all goroutines draw for that long, and returns the figures.
func slow(m measure.Method, goroutines int, long time.Duration) ([]float64, error) {
	source, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer source.Close()
	meters := make([]meter, goroutines)
	cpu, start := measure.CPUSeconds(), time.Now()
	var ended sync.WaitGroup
	for k := range meters {
		ended.Go(func() { meters[k].draw(source, long) })
	}
	ended.Wait()
	seconds := time.Since(start).Seconds()
	used := measure.CPUSeconds() - cpu
	figures := make([]float64, len(thresholds)+1, len(thresholds)+2)
	for _, m := range meters {
		for i, n := range m.long {
			figures[i] += float64(n) / seconds / float64(goroutines)
		}
		figures[len(thresholds)] += float64(m.draws) / seconds
	}
	return append(figures, used/seconds), nil
}

// draw draws for that long and counts every draw.
func (m *meter) draw(src measure.Source, long time.Duration) {
	w := src.Worker(0)
	defer w.Close()
	epoch := time.Now()
	last := time.Since(epoch)
	for last < long {
		w.Draw(1)
		now := time.Since(epoch)
		m.add(now - last)
		last = now
	}
}

func (m *meter) add(d time.Duration) {
	m.draws++
	for i, t := range thresholds {
		if d > t {
			m.long[i]++
		}
	}
}

// What the allocating goroutine keeps and how much it makes at a time. It gets a core about each 10
// ms, from a goroutine that draws: the collector begins some 10 times a second.
const (
	live     = 32 << 20
	portion  = 4 << 20
	pieceLen = 1 << 10
)

// allocate starts a goroutine that allocates until stop is called, which returns when it has ended.
func allocate() (stop func()) {
	var halt atomic.Bool
	var ended sync.WaitGroup
	ended.Go(func() {
		kept := make([]*[pieceLen / 8]*int, live/pieceLen) // the collector looks at pointers
		i := 0
		for !halt.Load() {
			for range portion / pieceLen {
				i++
				kept[i%len(kept)] = new([pieceLen / 8]*int)
			}
			runtime.Gosched()
		}
	})
	return func() {
		halt.Store(true)
		ended.Wait()
	}
}
