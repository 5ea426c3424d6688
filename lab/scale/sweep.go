// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Many goroutines on the same cores.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"fount/lab/measure"
	"fount/lab/nonce"
)

// Goroutines are the numbers of a sweep.
var Goroutines = []int{1, 10, 100, 1_000, 10_000, 100_000}

// A Sweep is throughput by number of goroutines, of 16-byte values.
type Sweep struct {
	Cores  int           `json:"gomaxprocs"`
	Rounds int           `json:"rounds"`
	Least  int           `json:"least_values_per_goroutine"`
	Series []SweepSeries `json:"series"`
}

// A SweepSeries is one method.
type SweepSeries struct {
	Method   string       `json:"method"`
	Weakness string       `json:"weakness,omitempty"`
	Error    string       `json:"error,omitempty"`
	Points   []SweepPoint `json:"points"`

	method measure.Method
	values int // drawn in a turn, unless the goroutines are too many for it
}

// A SweepPoint is what so many goroutines did together.
type SweepPoint struct {
	Goroutines int             `json:"goroutines"`
	Rate       *measure.Sample `json:"values_per_s"`

	drawn int
}

const (
	leastValues = 64                    // each goroutine draws at least so many, a refill's worth
	sweepTurn   = 20 * time.Millisecond // as long as a turn of a few goroutines takes
)

// harness draws nothing: what it gives is what the goroutines cost by themselves.
var harness = measure.Method{Name: "no draw", About: "the goroutines alone", Control: true, Open: func() (measure.Source, error) {
	return measure.Workers(func(int) measure.Worker { return measure.Loop{Do: func(int) {}} }), nil
}}

// swept are the methods of a sweep: without those of the kernel, of which crypto/rand is one by another name.
func (m *measurement) swept() []measure.Method {
	list := slices.DeleteFunc(m.Methods(m.setting(len(nonce.Nonce{}))), func(m measure.Method) bool {
		return m.Control || m.Name == byVDSO || m.Name == bySyscall || m.Name == byFile
	})
	return append(list, harness)
}

func (m *measurement) sweepTurns() int {
	if len(m.Goroutines) == 0 {
		return 0
	}
	return m.GoroutineRounds * len(m.swept()) * len(m.Goroutines)
}

// sweep measures each method with each number of goroutines, in rounds.
func (m *measurement) sweep(ctx context.Context) (*Sweep, error) {
	s := &Sweep{Cores: runtime.GOMAXPROCS(0), Rounds: m.GoroutineRounds, Least: leastValues}
	for _, method := range m.swept() {
		s.Series = append(s.Series, SweepSeries{Method: method.Name, Weakness: method.Weakness, method: method})
	}
	rates := make([][][]float64, len(s.Series))
	for i := range rates {
		rates[i] = make([][]float64, len(m.Goroutines))
		series := &s.Series[i]
		if err := series.calibrate(m.cores); err != nil {
			series.Error = err.Error()
		}
	}
	for range m.GoroutineRounds {
		for c, goroutines := range m.Goroutines {
			for _, i := range rand.Perm(len(s.Series)) {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				m.progress()
				series := &s.Series[i]
				if series.Error != "" {
					continue
				}
				n := max(series.values, leastValues*goroutines)
				elapsed, err := crowd(series.method, goroutines, n, m.Work)
				if err != nil {
					series.Error = err.Error()
					continue
				}
				rates[i][c] = append(rates[i][c], float64(n)/elapsed.Seconds())
			}
		}
	}
	for i := range s.Series {
		series := &s.Series[i]
		if series.Error != "" {
			continue
		}
		for c, goroutines := range m.Goroutines {
			drawn := max(series.values, leastValues*goroutines)
			series.Points = append(series.Points, SweepPoint{goroutines, measure.Of(rates[i][c]...), drawn})
		}
	}
	return s, nil
}

// calibrate finds how many values a goroutine a core draws in a turn: twice as many until they take a quarter of it.
func (s *SweepSeries) calibrate(cores int) error {
	for n := 1024; ; n *= 2 {
		elapsed, err := crowd(s.method, cores, n, 0)
		if err != nil {
			return err
		}
		if elapsed >= sweepTurn/4 || n >= 1<<22 {
			s.values = int(float64(n) * min(4, float64(sweepTurn)/float64(elapsed)))
			return nil
		}
	}
}

// crowd lets so many goroutines draw n values in equal shares and returns the time from when they may begin to when the
// last has ended. What each has to itself is made before.
func crowd(m measure.Method, goroutines, n int, work time.Duration) (elapsed time.Duration, err error) {
	src, err := m.Open()
	if err != nil {
		return 0, err
	}
	defer src.Close()
	spins := steps(work)
	begin := make(chan struct{})
	var ready, drawn, ended sync.WaitGroup
	ready.Add(goroutines)
	drawn.Add(goroutines)
	panics := make(chan any, goroutines)
	for k := range goroutines {
		share := (n + k) / goroutines // they add up to n
		isReady, hasDrawn := sync.OnceFunc(ready.Done), sync.OnceFunc(drawn.Done)
		ended.Go(func() {
			defer hasDrawn()
			defer isReady()
			defer func() {
				if r := recover(); r != nil {
					panics <- r
				}
			}()
			w := src.Worker(k)
			defer w.Close()
			draw := w.Draw
			if spins > 0 {
				draw = between(draw, spins)
			}
			draw(1) // grows the stack and touches what is the goroutine's own
			isReady()
			<-begin
			draw(share)
			hasDrawn()
		})
	}
	ready.Wait()
	runtime.GC() // what was made for 100,000 goroutines is not collected while they draw
	start := time.Now()
	close(begin)
	drawn.Wait()
	elapsed = time.Since(start)
	ended.Wait()
	select {
	case r := <-panics:
		return 0, fmt.Errorf("panic: %v", r)
	default:
		return elapsed, nil
	}
}
