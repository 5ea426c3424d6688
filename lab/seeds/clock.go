// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package seeds

// Seeds from the clock, of goroutines and of processes that start together.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"fount/lab/measure"
)

// A Place is where clients started together, and how many have a seed that another of the same round has too.
type Place struct {
	Name    string  `json:"name"`
	Skipped string  `json:"skipped,omitempty"` // why it can't be tried here
	Rounds  int     `json:"rounds"`
	Seeds   int     `json:"seeds"`   // of all rounds
	SpanMS  float64 `json:"span_ms"` // from a round's first seed to its last, median of the rounds
	NS      int     `json:"ns"`      // seeds that are not their own, in ns
	Source  int     `json:"source"`  // as math/rand keeps them
	US      int     `json:"us"`      // in µs
	MS      int     `json:"ms"`      // in ms
	S       int     `json:"s"`       // in s
	spans   []float64
}

// about says what the places are.
var about = []struct{ name, text string }{
	{"goroutines", "of one process, let go at once"},
	{"processes", "started one after the other, each seeds as soon as it runs"},
	{"processes, gate", "the same, let go at once"},
	{"namespaces", "processes, each in namespaces of its own, as in a container"},
	{"namespaces, gate", "the same, let go at once"},
}

// add counts a round's seeds.
func (p *Place) add(seeds []int64) {
	p.Rounds++
	p.Seeds += len(seeds)
	span := float64(slices.Max(seeds)-slices.Min(seeds)) / 1e6
	p.spans = append(p.spans, span)
	p.SpanMS = measure.Median(p.spans)
	p.NS += shared(seeds, func(ns int64) int64 { return ns })
	p.US += shared(seeds, func(ns int64) int64 { return ns / 1e3 })
	p.MS += shared(seeds, func(ns int64) int64 { return ns / 1e6 })
	p.S += shared(seeds, func(ns int64) int64 { return ns / 1e9 })
	p.Source += shared(seeds, func(ns int64) origin {
		r := rand.New(rand.NewSource(ns))
		return origin{r.Int63(), r.Int63()}
	})
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

// places makes the rounds of all.
func (o *Options) places(ctx context.Context) ([]Place, error) {
	all := make([]Place, len(about))
	for i, a := range about {
		all[i].Name = a.name
	}
	for round := range o.Rounds {
		o.Progress(fmt.Sprintf("round %d of %d: goroutines", round+1, o.Rounds))
		all[0].add(together(o.Procs))
		for i, attr := range []*syscall.SysProcAttr{nil, contained()} {
			atStart, atGate := &all[1+2*i], &all[2+2*i]
			if i == 1 && attr == nil {
				atStart.Skipped = "this system has no namespaces"
			}
			if atStart.Skipped != "" {
				continue
			}
			o.Progress(fmt.Sprintf("round %d of %d: %d processes, %s", round+1, o.Rounds, o.Procs, atStart.Name))
			said, err := o.start(ctx, attr)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil && i == 1:
				atStart.Skipped = err.Error()
				continue
			case err != nil:
				return nil, err
			}
			var first, second []int64
			for _, s := range said {
				first, second = append(first, s.Started), append(second, s.Passed)
			}
			atStart.add(first)
			atGate.add(second)
		}
	}
	all[4].Skipped = all[3].Skipped
	return all, nil
}

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

// start starts the processes, opens the gate when all are there, and returns what they said.
func (o *Options) start(ctx context.Context, attr *syscall.SysProcAttr) ([]said, error) {
	ctx, stop := context.WithCancel(ctx)
	var all []*process
	defer func() {
		stop()
		for _, p := range all {
			_ = p.cmd.Wait() // those that are left are killed
		}
	}()
	for range o.Procs {
		p, err := startProcess(ctx, o.Program, attr)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	for _, p := range all {
		if err := p.hear(); err != nil {
			return nil, err
		}
	}
	for _, p := range all {
		p.in.Close()
	}
	said := make([]said, len(all))
	for i, p := range all {
		if err := p.hear(); err != nil {
			return nil, err
		}
		said[i] = p.said
	}
	return said, nil
}

// A process is one that runs.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *json.Decoder
	stderr bytes.Buffer
	said   said
}

func startProcess(ctx context.Context, program []string, attr *syscall.SysProcAttr) (p *process, err error) {
	p = &process{cmd: exec.CommandContext(ctx, program[0], program[1:]...)}
	p.cmd.Args[0] = os.Args[0] // some programs act on it
	p.cmd.SysProcAttr, p.cmd.Stderr, p.cmd.WaitDelay = attr, &p.stderr, time.Second
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.out = json.NewDecoder(out)
	return p, nil
}

// hear takes what it says next.
func (p *process) hear() error {
	if err := p.out.Decode(&p.said); err != nil {
		_ = p.cmd.Process.Kill() // it has ended, or is of no use
		_ = p.cmd.Wait()         // then its standard error is whole
		line, _, _ := strings.Cut(strings.TrimSpace(p.stderr.String()), "\n")
		return errors.New(strings.TrimSuffix("a process ended without its seed: "+line, ": "))
	}
	return nil
}
