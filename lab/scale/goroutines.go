// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Many goroutines on the same cores.

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"fount/lab"
	"fount/lab/measure"
	"fount/lab/nonce"
)

const (
	mostGoroutines = 100_000
	leastValues    = 64                    // each goroutine draws at least so many, a refill's worth
	crowdTurn      = 20 * time.Millisecond // as long as a turn of a few goroutines takes
)

// A crowded is a method with many goroutines.
type crowded struct {
	measure.Method
	values int         // drawn in a turn, unless the goroutines are too many for it
	rates  [][]float64 // by number of goroutines and round
	err    error
}

// goroutines measures the methods with 1 to 100,000 goroutines, those of the kernel excepted, of which crypto/rand is one by
// another name.
func goroutines(r *lab.Run) {
	const group = "Values of 16 bytes, by goroutines on all cores"
	rounds, cores := 12, runtime.GOMAXPROCS(0)
	if r.Quick {
		rounds = 6
	}
	if r.Count > 0 {
		rounds = r.Count
	}
	var counts []int
	for n := 1; n <= mostGoroutines; n *= 10 {
		counts = append(counts, n)
	}
	var list []*crowded
	for _, m := range Methods(Setting{Size: len(nonce.Nonce{}), Cores: cores, Nodes: min(2, cores)}) {
		wanted := func(n int) bool { return r.Wants(group, goroutinesName(m.Name, n)) }
		if m.Name == Arithmetic || !slices.ContainsFunc(counts, wanted) || slices.Contains([]string{byVDSO, bySyscall, byFile}, m.Name) {
			continue
		}
		c := &crowded{Method: m, rates: make([][]float64, len(counts))}
		c.calibrate(cores)
		list = append(list, c)
	}
	for round := range rounds {
		for k, n := range counts {
			for _, i := range rand.Perm(len(list)) {
				if r.Over() {
					return
				}
				r.Show("goroutines, round %d of %d", round+1, rounds)
				list[i].turn(k, n)
			}
		}
	}
	g := lab.Group{Name: group, X: "goroutines", Procs: cores, Columns: []lab.Column{{Name: "values", Unit: "op/s", Judged: true}}}
	for _, c := range list {
		base := len(g.Rows)
		if c.err != nil {
			text, _, _ := strings.Cut(c.err.Error(), "\n")
			g.Rows = append(g.Rows, lab.Row{Name: c.Name, Base: base, Error: text})
			continue
		}
		for k, n := range counts {
			g.Rows = append(g.Rows, lab.Row{Name: goroutinesName(c.Name, n), X: float64(n), Base: base, Figures: []*lab.Figure{lab.Of(c.rates[k]...)}})
		}
	}
	if len(g.Rows) > 0 {
		r.Add(g)
	}
}

func goroutinesName(method string, n int) string {
	if n == 1 {
		return method + ", 1 goroutine"
	}
	return fmt.Sprintf("%s, %d goroutines", method, n)
}

func (c *crowded) turn(k, goroutines int) {
	if c.err != nil {
		return
	}
	n := max(c.values, leastValues*goroutines)
	elapsed, err := crowd(c.Method, goroutines, n)
	if c.err = err; err == nil {
		c.rates[k] = append(c.rates[k], float64(n)/elapsed.Seconds())
	}
}

// calibrate finds how many values a goroutine a core draws in a turn: twice as many until they take a quarter of it.
func (c *crowded) calibrate(cores int) {
	for n := 1024; c.err == nil; n *= 2 {
		var elapsed time.Duration
		if elapsed, c.err = crowd(c.Method, cores, n); elapsed >= crowdTurn/4 || n >= 1<<22 {
			c.values = int(float64(n) * min(4, float64(crowdTurn)/float64(max(1, elapsed))))
			return
		}
	}
}

// crowd lets so many goroutines draw n values in equal shares and returns the time from when they may begin to when the
// last has ended. What each has to itself is made before.
func crowd(m measure.Method, goroutines, n int) (elapsed time.Duration, err error) {
	src, err := m.Open()
	if err != nil {
		return 0, err
	}
	defer src.Close()
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
			w.Draw(1) // grows the stack and touches what is the goroutine's own
			isReady()
			<-begin
			w.Draw(share)
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
