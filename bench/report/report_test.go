// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fount/bench/peers"
	"fount/lab/measure"
)

// A round's process is this one, as it is the program's.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "-serve" {
		if err := serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	m.Run()
}

// A peer that fails, by an error or a panic, in any round, is one row that says why. The others are measured.
func TestFailures(t *testing.T) {
	draws := func(draw func(n int)) func() (measure.Source, error) {
		return func() (measure.Source, error) {
			return measure.Workers(func(int) measure.Worker { return measure.Loop{Do: draw} }), nil
		}
	}
	opened := 0
	methods := []measure.Method{
		{Name: "crypto/rand", Open: draws(func(n int) { time.Sleep(time.Duration(n)) })},
		{Name: "frand", Open: func() (measure.Source, error) { return nil, errors.New("no entropy") }},
		{Name: "math/rand/v2 ChaCha8", Open: draws(func(int) { panic("drained") })},
		{Name: "fount", Open: func() (measure.Source, error) {
			if opened++; opened > 3*min(2, runtime.GOMAXPROCS(0)) { // in the fourth round, or where allocations are counted
				return nil, errors.New("worn out")
			}
			return draws(func(int) {})()
		}},
	}
	r := &Result{Rounds: 6, Cores: runtime.GOMAXPROCS(0)}
	for i := range r.Rounds {
		for _, s := range (round{Turn: time.Microsecond, Count: i == 5}).measure(peers.Nonce, methods) {
			r.add(s)
		}
	}
	r.settle()
	for peer, want := range map[string]string{"frand": "no entropy", "math/rand/v2 ChaCha8": "panic: drained", "fount": "worn out", "crypto/rand": ""} {
		if got := r.failure("Nonce", peer); got != want {
			t.Errorf("%s failed by %q, want %q", peer, got, want)
		}
	}
	var text strings.Builder
	if err := r.print(&text); err != nil || strings.Count(text.String(), "not measured: ") != 3 {
		t.Errorf("%v; want three rows without figures:\n%s", err, &text)
	}
}

// Where one turn shows no CPU time, as those do that are shorter than a tick, all costs are elapsed time.
func TestTurnWithoutCPU(t *testing.T) {
	told := measure.ProcessCPU
	defer func() { measure.ProcessCPU = told }()
	ticks, tick := time.Duration(0), time.Duration(1)
	measure.ProcessCPU = func() time.Duration { ticks += tick; return ticks }
	for name, missing := range map[string]func(round int, peer string) bool{
		"none":     func(int, string) bool { return false }, // the control
		"one turn": func(round int, peer string) bool { return round == 2 && peer == "fount" },
		"a series": func(_ int, peer string) bool { return peer == "crypto/rand" },
	} {
		r := &Result{Rounds: 6, Cores: runtime.GOMAXPROCS(0)}
		for i := range r.Rounds {
			for _, peer := range []string{"fount", "crypto/rand"} {
				tick = 1
				if missing(i, peer) {
					tick = 0
				}
				method := measure.Method{Name: peer, Open: measure.Stateless(func([]byte) {})}
				for _, s := range (round{Turn: time.Microsecond}).measure(peers.Nonce, []measure.Method{method}) {
					r.add(s)
				}
			}
		}
		r.settle()
		for _, s := range r.Series {
			if (s.CPUNS == nil) != (name != "none") {
				t.Errorf("%s: the CPU times are %v", name, s.CPUNS)
			}
		}
	}
}

// A run measures in processes of both modes, prints a row for each peer, and keeps all rounds in a file.
func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "peers.json")
	o := options{bench: "^Nonce/(crypto/rand|crypto/rand FIPS|fount)$", benchtime: time.Millisecond, count: 2, file: file}
	var stdout strings.Builder
	if err := run(context.Background(), o, &stdout); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	var r Result
	if err := errors.Join(err, json.Unmarshal(text, &r)); err != nil {
		t.Fatal(err)
	}
	want := 2 * min(2, r.Cores)
	if !r.NoFIPS {
		want = 3 * min(2, r.Cores)
	}
	if len(r.Series) != want || r.Rounds != 2 || len(r.Series[0].ClockNS) != 2 {
		t.Errorf("%d series of %d rounds; want %d of 2", len(r.Series), r.Rounds, want)
	}
	for _, peer := range []string{"\n  crypto/rand ", "\n  fount "} {
		if !strings.Contains(stdout.String(), peer) {
			t.Errorf("no row of %q:\n%s", peer, &stdout)
		}
	}
}

func TestRunErrors(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none", "peers.json")
	for want, o := range map[string]options{
		"-bench Nosuch matches nothing": {bench: "Nosuch", benchtime: 1, count: 1},
		"open " + none:                  {bench: ".", benchtime: 1, count: 1, file: none},
	} {
		if err := run(context.Background(), o, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("run says %v; want %q", err, want)
		}
	}
}
