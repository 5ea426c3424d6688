// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Measuring: each round runs in processes of its own, one for each mode of FIPS 140.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"fount/bench/peers"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/show"
)

// A round is what a process is told to measure, on its standard input. Its series come back on standard output.
type round struct {
	Bench string        // what matches, of TASK/PEER
	Turn  time.Duration // of each peer
	Count bool          // allocations too
}

// measurements makes all rounds. program is the command that serves one.
func measurements(ctx context.Context, o options, program []string) (*Result, error) {
	r := &Result{Machine: machine.Inspect(), Versions: versions(), Rounds: o.count, TurnNS: o.benchtime.Nanoseconds(),
		Cores: runtime.GOMAXPROCS(0)}
	var line *show.Progress
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		line = show.NewProgress(os.Stderr, show.Style{Width: 80})
	}
	defer line.Clear()
	for i := range o.count {
		line.Show(fmt.Sprintf("round %d of %d", i+1, o.count))
		for _, mode := range []string{"off", "on"} {
			series, err := ask(ctx, program, mode, round{o.bench, o.benchtime, i == 0})
			switch {
			case errors.Is(err, errNoFIPS):
				r.NoFIPS = true
			case err != nil:
				return nil, err
			}
			for _, s := range series {
				r.add(s)
			}
		}
	}
	if len(r.Series) == 0 {
		return nil, fmt.Errorf("-bench %s matches nothing; want a pattern like Nonce/ or Read/size=16/", o.bench)
	}
	r.settle()
	return r, nil
}

var errNoFIPS = errors.New("no FIPS mode")

// ask has a process with GODEBUG=fips140=mode make a round.
func ask(ctx context.Context, program []string, mode string, order round) (series []*Series, err error) {
	in, err := json.Marshal(order)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.Env = append(os.Environ(), "GODEBUG="+strings.TrimPrefix(os.Getenv("GODEBUG")+",fips140="+mode, ","))
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &stderr
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && strings.Contains(stderr.String(), "fips140: FIPS 140-3 mode is"):
		return nil, errNoFIPS
	case err != nil:
		return nil, fmt.Errorf("a round: %w\n%s", err, &stderr)
	}
	return series, json.Unmarshal(out, &series)
}

// serve makes the round that in asks for.
func serve(in io.Reader, out io.Writer) error {
	var order round
	if err := json.NewDecoder(in).Decode(&order); err != nil {
		return err
	}
	wanted, err := regexp.Compile(order.Bench)
	if err != nil {
		return err
	}
	series := []*Series{}
	tasks := peers.Tasks()
	for _, i := range rand.Perm(len(tasks)) { // what comes first in a process finds it cold
		task := tasks[i]
		var methods []measure.Method
		for _, p := range peers.All() {
			if m, ok := task.Method(p); ok && p.Missing() == "" && wanted.MatchString(task.Name+"/"+p.Name) {
				methods = append(methods, m)
			}
		}
		series = append(series, order.measure(task, methods)...)
	}
	return json.NewEncoder(out).Encode(series)
}

// measure has the methods of a task take a turn each, alone and on all cores. One that fails has one series, which says why.
func (o round) measure(task peers.Task, methods []measure.Method) (list []*Series) {
	plan := measure.Plan{Rounds: 1, Turn: o.Turn, Warmup: o.Turn / 4, Workers: []int{1}, CPU: measure.ProcessCPU}
	if cores := runtime.GOMAXPROCS(0); cores > 1 {
		plan.Workers = append(plan.Workers, cores)
	}
	for _, r := range plan.Run(methods, nil) {
		allocated, err := 0.0, r.Err
		if o.Count && err == nil {
			allocated, err = allocations(r.Method)
		}
		if err != nil {
			list = append(list, &Series{Task: task.Name, Peer: r.Method.Name, Error: measure.Reason(err)})
			continue
		}
		for i, workers := range plan.Workers {
			run := r.Runs[i][0]
			s := &Series{Task: task.Name, Peer: r.Method.Name, All: workers > 1, ClockNS: []float64{short(run.NS())}}
			if run.CPU > 0 { // 0 is less than a tick of the system's
				s.CPUNS = []float64{short(run.CoreNS())}
			}
			if workers == 1 {
				s.Allocations = allocated
			}
			list = append(list, s)
		}
	}
	return list
}

// short rounds a time to five digits.
func short(ns float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(ns, 'g', 5, 64), 64)
	if err != nil {
		panic(err) // it was a number
	}
	return v
}

// allocations are the objects on the heap that one operation makes. A panic is an error.
func allocations(m measure.Method) (objects float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	const n = 100
	src, err := m.Open()
	if err != nil {
		return 0, err
	}
	defer src.Close()
	w := src.Worker(0)
	defer w.Close()
	w.Draw(n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w.Draw(n)
	runtime.ReadMemStats(&after)
	return math.Round(float64(after.Mallocs-before.Mallocs) / n), nil
}

// versions lists the modules of the peers as go.mod has them.
func versions() (list []string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return []string{"not known"}
	}
	for _, p := range peers.All() {
		for _, m := range info.Deps {
			if v := m.Path + " " + m.Version; m.Path == p.Module && !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	return list
}
