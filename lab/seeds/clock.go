// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package seeds

// Seeds from the clock, of goroutines and of processes that start together.

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"

	"fount/lab/child"
	"fount/lab/measure"
)

// attributes are those of a process; nil for the usual ones.
type attributes = *syscall.SysProcAttr

// A place is where clients started together.
type place struct {
	name   string
	err    error        // why it can't be tried here
	rounds [6][]float64 // shares in ns, µs, ms, as math/rand keeps them, and in s; seconds from a round's first seed to its last
}

// add counts a round's seeds.
func (p *place) add(seeds []int64) {
	cut := func(by int64) func(int64) origin { return func(ns int64) origin { return origin{ns / by} } }
	for i, of := range []func(int64) origin{cut(1), cut(1e3), cut(1e6), kept, cut(1e9)} {
		p.rounds[i] = append(p.rounds[i], float64(shared(seeds, of))/float64(len(seeds)))
	}
	p.rounds[5] = append(p.rounds[5], float64(slices.Max(seeds)-slices.Min(seeds))/1e9)
}

// kept is what math/rand makes of a seed.
func kept(seed int64) origin {
	r := rand.New(rand.NewSource(seed))
	return origin{r.Int63(), r.Int63()}
}

// shared is how many of the seeds, cut, are another's too.
func shared[T comparable](seeds []int64, cut func(int64) T) (n int) {
	count := make(map[T]int, len(seeds))
	for _, s := range seeds {
		count[cut(s)]++
	}
	for _, c := range count {
		if c > 1 {
			n += c
		}
	}
	return n
}

// clockSeed is what the post seeds with.
func clockSeed() int64 { return time.Now().UnixNano() } //fount:ignore clockseed the post's way, which is tried

// together are the seeds of so many goroutines that are let go at once.
func together(n int) []int64 {
	seeds := make([]int64, n)
	gate := measure.Gate{Workers: n, Looks: 1}
	var ended sync.WaitGroup
	for i := range seeds {
		ended.Go(func() {
			gate.Arrive()
			seeds[i] = clockSeed()
		})
	}
	ended.Wait()
	return seeds
}

// start starts so many processes, one after the other, and lets them go at once. It returns the seeds that they take as soon as they
// run, and those that they take when they are let go.
func start(ctx context.Context, n int, attr attributes) (started, passed []int64, err error) {
	var all []*child.Child
	defer func() {
		for _, c := range all {
			err = errors.Join(err, c.Close())
		}
	}()
	for range n {
		c, err := child.Start(ctx, name, func(cmd *exec.Cmd) { cmd.SysProcAttr = attr })
		if err != nil {
			return nil, nil, err
		}
		all = append(all, c)
	}
	started, passed = make([]int64, n), make([]int64, n)
	for i, c := range all {
		if err := c.Receive(&started[i]); err != nil {
			return nil, nil, err
		}
	}
	for _, c := range all {
		if err := c.Send("go"); err != nil {
			return nil, nil, err
		}
	}
	for i, c := range all {
		if err := c.Receive(&passed[i]); err != nil {
			return nil, nil, err
		}
	}
	return started, passed, nil
}

// serve is one of the processes: it seeds at once, and again when it is told something.
func serve(in *json.Decoder, out *json.Encoder) error {
	if err := out.Encode(clockSeed()); err != nil {
		return err
	}
	var word string
	if err := in.Decode(&word); err != nil {
		if err == io.EOF { // dismissed
			return nil
		}
		return err
	}
	return out.Encode(clockSeed())
}
