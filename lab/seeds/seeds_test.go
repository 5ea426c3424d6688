// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !js && !wasip1

package seeds

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"fount/internal/test/require"
)

// What the test binary does as a process.
const role = "FOUNT_SEEDS_TEST_ROLE"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // a second for each process, else
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "process":
		if err := Process(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "dies":
		fmt.Fprintln(os.Stderr, "no reason")
		os.Exit(1)
	case "namespaces":
		fmt.Println(namespaces())
	case "gibbers":
		fmt.Println("what?")
		select {}
	}
}

// The birthday problem's published figures: 23 people and 365 days 0.507297 (Feller, section II.3), 22 people 0.475695; and
// those of the arithmetic.
func TestCollide(t *testing.T) {
	for _, test := range []struct {
		clients      int
		states, want float64
	}{{23, 365, 0.507297}, {22, 365, 0.475695}, {1, 365, 0}, {2, 365, 1.0 / 365}, {10_000, states31, 0.0230}, {54_600, states31, 0.5005}} {
		if got := Collide(test.clients, test.states); math.Abs(got-test.want) > 5e-5 {
			t.Errorf("Collide(%d, %v) = %v, want %v", test.clients, test.states, got, test.want)
		}
	}
	if got := Collide(366, 365); got != 1 {
		t.Errorf("366 people and 365 days: %v, want 1", got)
	}
	n := int(Half(states31))
	if below, at := Collide(n-2, states31), Collide(n+1, states31); below >= 0.5 || at < 0.5 {
		t.Errorf("half at %d: %v just before, %v just after", n, below, at)
	}
}

// math/rand keeps a seed modulo 2^31-1, and has one sequence for 0 and 89482311: those seeds collide, their neighbours don't.
func TestCollidingSeeds(t *testing.T) {
	const m = 1<<31 - 1
	for _, test := range []struct {
		a, b int64
		want bool
	}{{7, 7, true}, {7, 7 + m, true}, {0, 89482311, true}, {-1, m - 1, true}, {7, 8, false}, {7, 7 + 1<<31, false}, {1, 89482311, false}} {
		list := []int64{test.a, test.b}
		i := 0
		next := func() int64 { i++; return list[i-1] }
		if got := collide(rand.New(rand.NewSource(1)), map[origin]bool{}, 2, next); got != test.want {
			t.Errorf("seeds %d and %d collide: %v", test.a, test.b, got)
		}
	}
}

// Seeds that are known to be shared are counted in each unit; the first two differ in ns alone.
func TestPlaceAdd(t *testing.T) {
	const s = 1_700_000_000_000_000_000
	var p Place
	p.add([]int64{s, s + 1, s + 2_000, s + 3_000_000, s + 3_000_000, s + 4_000_000_000})
	if p.NS != 2 || p.Source != 2 || p.US != 4 || p.MS != 5 || p.S != 5 || p.Seeds != 6 || p.SpanMS != 4000 {
		t.Errorf("%+v", p)
	}
	p.add([]int64{s, s})
	if p.NS != 4 || p.Seeds != 8 || p.Rounds != 2 {
		t.Errorf("the second round: %+v", p)
	}
}

// A process seeds when it starts, and once more when the gate opens, and not before.
func TestProcess(t *testing.T) {
	gate, open := io.Pipe()
	out, say := io.Pipe()
	go func() { say.CloseWithError(Process(gate, say)) }()
	heard := json.NewDecoder(out)
	var first, second said
	if err := heard.Decode(&first); err != nil || first.Started == 0 || first.Passed != 0 {
		t.Fatalf("at its start it says %+v, %v", first, err)
	}
	opened := clockSeed()
	for opened == first.Started { // the clock may be coarse
		opened = clockSeed()
	}
	open.Close()
	if err := heard.Decode(&second); err != nil || second.Started != first.Started || second.Passed < opened {
		t.Errorf("after %+v and a gate that opens at %d it says %+v, %v", first, opened, second, err)
	}
}

// Each of a seed's 63 bits is sometimes 0 and sometimes 1.
func TestEntropy(t *testing.T) {
	ones, zeros := int64(0), int64(0)
	for range 200 {
		seed := entropy()
		ones, zeros = ones|seed, zeros|^seed
	}
	if ones != math.MaxInt64 || zeros != -1 {
		t.Errorf("bits that are ever 1: %x, that are ever 0: %x", ones, zeros)
	}
}

func brief(t *testing.T, as string) Options {
	t.Setenv(role, as)
	return Options{Seedings: 20_000, Procs: 4, Rounds: 2, Program: []string{os.Args[0]}, Progress: func(string) {}}
}

func TestRun(t *testing.T) {
	o := brief(t, "process")
	require.Started(t, exec.Command(os.Args[0], "-test.run", "^$").Run())
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Trials) != 2 || r.Trials[0].Count != 2 || r.Trials[1].Count != 1 {
		t.Errorf("trials %+v", r.Trials)
	}
	for _, p := range r.Places {
		if p.Skipped != "" {
			t.Logf("%s: %s", p.Name, p.Skipped)
			continue
		}
		if p.Seeds != 8 || p.Rounds != 2 || p.NS > p.US || p.US > p.MS || p.MS > p.S || p.S == 0 {
			t.Errorf("%+v", p)
		}
	}
}

// namespaces are those of this process, by name.
func namespaces() (names []string) {
	for _, kind := range []string{"user", "pid", "mnt", "uts", "ipc", "net", "cgroup"} {
		name, _ := os.Readlink("/proc/self/ns/" + kind)
		names = append(names, name)
	}
	return names
}

// A contained process shares no namespace with this one.
func TestContained(t *testing.T) {
	if contained() == nil {
		t.Skip("no namespaces on this system")
	}
	t.Setenv(role, "namespaces")
	child := exec.Command(os.Args[0])
	child.SysProcAttr = contained()
	out, err := child.Output()
	if err != nil {
		t.Skipf("this system gives a process no namespaces of its own: %v", err)
	}
	theirs := strings.Fields(strings.Trim(string(out), "[]\n"))
	own := namespaces()
	if len(theirs) != len(own) || slices.Contains(own, "") {
		t.Fatalf("its namespaces are %q, these %q", theirs, own)
	}
	for _, name := range theirs {
		if slices.Contains(own, name) {
			t.Errorf("it is in %s, as this process", name)
		}
	}
}

// A process that goes wrong ends the run with its reason, and so does an interrupt; nothing hangs.
func TestRunFails(t *testing.T) {
	for as, want := range map[string]string{"dies": "without its seed: no reason", "gibbers": "without its seed"} {
		o := brief(t, as)
		o.Seedings = 1
		if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", as, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	o := brief(t, "process")
	o.Progress = func(string) { stop() }
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
