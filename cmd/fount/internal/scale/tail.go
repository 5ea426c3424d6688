// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// How late a single draw can be: every draw of every core is timed, for half a minute, while memory is collected.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"fount"
	"fount/cmd/fount/internal/lab"
	"fount/cmd/fount/internal/machine"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// TailOptions say how long to measure latency.
type TailOptions struct {
	Time time.Duration // of all methods together
	Turn time.Duration // of one method, before the next has its turn

	// Progress, if not nil, is called before each turn with the number of turns done and of all.
	Progress func(done, all int)
}

// FullTail is what fount bench scale --tail measures: 30 s.
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

// A TailMethod is the latency of one method's draws. Each time includes one reading of the clock; TailClock has nothing
// between its two.
type TailMethod struct {
	Name     string  `json:"name"`
	Weakness string  `json:"weakness,omitempty"`
	Error    string  `json:"error,omitempty"` // why it was not measured; then there are no figures
	Seconds  float64 `json:"seconds"`         // its turns
	Draws    int64   `json:"draws"`
	P50NS    float64 `json:"p50_ns"`
	P99NS    float64 `json:"p99_ns"`
	P9999NS  float64 `json:"p99_99_ns"`
	MaxNS    float64 `json:"max_ns"`

	// Draws that took more than 10 µs and more than 1 ms: no draw takes so long, it was interrupted, or it waited.
	Above10us int64 `json:"draws_above_10_us"`
	Above1ms  int64 `json:"draws_above_1_ms"`

	Reseeds     uint64     `json:"reseeds,omitempty"`    // of fount's states in its turns
	Collections int64      `json:"gc_cycles"`            // in its turns
	Share       float64    `json:"core_share,omitempty"` // of the cores' time that this process had, 0 if not known
	Curve       []Quantile `json:"quantiles"`
}

// A Quantile is a time that the share Q of all draws did not exceed.
type Quantile struct {
	Q  float64 `json:"q"`
	NS float64 `json:"ns"`
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
	method  lab.Method
	source  lab.Source
	times   []*hdrhistogram.Histogram // one of each goroutine
	elapsed time.Duration
	cpu     time.Duration
}

// The histogram's range and precision: 1 %, in 33 KiB, of which a method uses a few lines.
const (
	longestNS = int64(100 * time.Second)
	digits    = 2
)

func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, longestNS, digits) }

// Tail measures the latency of a 16-byte nonce under full load: as many goroutines as cores draw and time every draw,
// while one more allocates, so that the collector begins again all the time. fount's states refill after 62 draws. The
// methods take short turns in changing order, so that a slow phase of the machine meets all alike. Nothing is left
// out: a draw in whose middle a goroutine loses its core counts, with all the time it was away. A draw that would have
// been made in that time is not made up. When ctx ends, Tail returns its error.
func Tail(ctx context.Context, o TailOptions) (TailResult, error) {
	if o.Turn <= 0 || o.Time < o.Turn {
		return TailResult{}, fmt.Errorf("%v in turns of %v; want at least one turn", o.Time, o.Turn)
	}
	goroutines := runtime.GOMAXPROCS(0)
	methods := []*tailed{
		{TailMethod: TailMethod{Name: TailFount}, method: lab.Fount{}},
		{TailMethod: TailMethod{Name: TailCrypto}, method: lab.CryptoRand{}},
		{TailMethod: TailMethod{Name: TailChannel},
			method: lab.Channel{Via: lab.DefaultVia(), Capacity: lab.Post().Capacity}},
		{TailMethod: TailMethod{Name: TailClock}, method: lab.Empty{}},
	}
	for _, t := range methods {
		defer t.open(goroutines)()
	}
	stop := allocate()
	defer stop()
	rounds := max(1, int(o.Time/o.Turn)/len(methods))
	for round := range rounds {
		for i := range methods {
			if err := ctx.Err(); err != nil {
				return TailResult{}, err
			}
			if o.Progress != nil {
				o.Progress(round*len(methods)+i, rounds*len(methods))
			}
			methods[(i+round)%len(methods)].turn(o.Turn)
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
	t.Weakness = t.method.Weakness()
	for range goroutines {
		t.times = append(t.times, newHistogram())
	}
	src, err := t.method.Open()
	if err != nil {
		t.Error = err.Error()
		return nothing
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
	errs := make([]error, len(t.times))
	var ended sync.WaitGroup
	for k, times := range t.times {
		ended.Go(func() { errs[k] = timed(t.source, times, long) })
	}
	ended.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error = err.Error()
	}
	t.elapsed += time.Since(start)
	t.cpu += processCPU() - cpu
	t.Collections += collections() - before
	t.Reseeds += fount.Status().Reseeds - reseeds
}

// timed draws for that long and records the time of every draw.
func timed(src lab.Source, times *hdrhistogram.Histogram, long time.Duration) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	draw, done := src.Worker()
	defer done()
	value := make([]lab.Nonce, 1)
	epoch := time.Now()
	for {
		before := time.Since(epoch)
		draw(value)
		after := time.Since(epoch)
		if err := times.RecordValue(int64(after - before)); err != nil {
			return err
		}
		if after >= long {
			return nil
		}
	}
}

func processCPU() time.Duration {
	if lab.ProcessCPU == nil {
		return 0
	}
	return lab.ProcessCPU()
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
		return m
	}
	all := newHistogram()
	for _, times := range t.times {
		all.Merge(times)
	}
	quantile := func(q float64) float64 { return float64(all.ValueAtQuantile(100 * q)) }
	m.Draws, m.Seconds = all.TotalCount(), t.elapsed.Seconds()
	m.P50NS, m.P99NS, m.P9999NS, m.MaxNS = quantile(0.5), quantile(0.99), quantile(0.9999), float64(all.Max())
	for _, bar := range all.Distribution() {
		if bar.From > int64(10*time.Microsecond) {
			m.Above10us += bar.Count
		}
		if bar.From > int64(time.Millisecond) {
			m.Above1ms += bar.Count
		}
	}
	if t.cpu > 0 {
		m.Share = float64(t.cpu) / float64(t.elapsed) / float64(len(t.times))
	}
	for nines := 0.1; math.Pow(10, -nines)*float64(m.Draws) >= 1; nines += 0.1 {
		q := 1 - math.Pow(10, -nines)
		m.Curve = append(m.Curve, Quantile{q, quantile(q)})
	}
	return m
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
