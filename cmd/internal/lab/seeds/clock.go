// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package seeds

// Seeds from the clock, in goroutines and in processes that start together.

import (
	"context"
	"encoding/json"
	"io"
	"math/rand"
	"slices"
	"sync"
	"time"

	"fount/cmd/internal/lab/child"
	"fount/cmd/internal/lab/measure"
)

// shares are the shares of seeds that are another's too: in ns, µs and ms, as math/rand keeps them,
// and in s. Last are the seconds from the first seed to the last.
func shares(seeds []int64) (list []float64) {
	cut := func(by int64) func(int64) origin { return func(ns int64) origin { return origin{ns / by} } }
	for _, of := range []func(int64) origin{cut(1), cut(1e3), cut(1e6), kept, cut(1e9)} {
		list = append(list, float64(shared(seeds, of))/float64(len(seeds)))
	}
	return append(list, float64(slices.Max(seeds)-slices.Min(seeds))/1e9)
}

// kept returns the part of a seed that math/rand keeps.
func kept(seed int64) origin {
	r := rand.New(rand.NewSource(seed))
	return origin{r.Int63(), r.Int63()}
}

// shared returns how many of the seeds, cut, occur more than once.
func shared(seeds []int64, cut func(int64) origin) (n int) {
	count := make(map[origin]int, len(seeds))
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

// clockSeed returns a seed as the post takes it.
func clockSeed() int64 { return time.Now().UnixNano() } //fount:ignore clockseed the post's way, which is tried

// together returns the seeds of n goroutines that are let go at once.
func together(n int) []int64 {
	seeds := make([]int64, n)
	gate := measure.Gate{Workers: n}

	var ended sync.WaitGroup
	for i := range seeds {
		ended.Go(func() {
			gate.Arrive(nil)
			seeds[i] = clockSeed()
		})
	}

	ended.Wait()
	return seeds
}

// start starts processes, lets them go at once, and returns the seeds that they take then.
func start(ctx context.Context, n int) ([]int64, error) {
	var all []*child.Child
	defer func() {
		for _, c := range all {
			c.Close()
		}
	}()

	for range n {
		c, err := child.Start(ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}

	seeds := make([]int64, n)
	if err := hear(all, seeds); err != nil { // all run when each has told its first
		return nil, err
	}

	for _, c := range all {
		if err := c.Send("go"); err != nil {
			return nil, err
		}
	}
	return seeds, hear(all, seeds)
}

func hear(all []*child.Child, seeds []int64) error {
	for i, c := range all {
		if err := c.Receive(&seeds[i]); err != nil {
			return err
		}
	}
	return nil
}

// serve runs in each process. It seeds at once, and again whenever it gets a message.
func serve(in *json.Decoder, out *json.Encoder) error {
	if err := out.Encode(clockSeed()); err != nil {
		return err
	}

	var word string
	switch err := in.Decode(&word); err {
	case nil:
		return out.Encode(clockSeed())
	case io.EOF: // dismissed
		return nil
	default:
		return err
	}
}
