// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !js && !wasip1

package seeds

import (
	"encoding/json"
	"io"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/child"
	"fount/internal/test/require"
)

// TestMain is one of the processes, too.
func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // a second for each process, else
	if len(os.Args) > 1 && os.Args[1] == "child" {
		if err := serve(child.Pipes()); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// The birthday problem's published figures: 23 people and 365 days 0.507297 (Feller, section II.3),
// 22 people 0.475695; and those of the post's arithmetic.
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
}

// math/rand keeps a seed modulo 2^31-1; 0 and 89482311 have one sequence, their neighbours not.
func TestCollidingSeeds(t *testing.T) {
	const m = 1<<31 - 1
	for want, pairs := range map[bool][][]int64{
		true:  {{7, 7}, {7, 7 + m}, {0, 89482311}, {-1, m - 1}},
		false: {{7, 8}, {7, 7 + 1<<31}, {1, 89482311}},
	} {
		for _, pair := range pairs {
			i := 0
			next := func() int64 {
				i++
				return pair[i-1]
			}
			if got := collide(rand.New(rand.NewSource(1)), map[origin]bool{}, 2, next); got != want {
				t.Errorf("seeds %d collide: %v, want %v", pair, got, want)
			}
		}
	}
}

// Seeds that are known to be shared are counted in each unit; the first two differ in ns alone.
func TestShares(t *testing.T) {
	const s = 1_700_000_000_000_000_000
	got := shares([]int64{s, s + 1, s + 2_000, s + 3_000_000, s + 3_000_000, s + 4_000_000_000})
	for i, want := range []float64{2, 4, 5, 2, 5, 24} { // of 6; the last are seconds
		if got := 6 * got[i]; math.Abs(got-want) > 1e-9 {
			t.Errorf("column %d: %v, want %v", i, got, want)
		}
	}
}

// A process seeds when it starts, and once more when the gate opens, and not before.
func TestProcess(t *testing.T) {
	gate, open := io.Pipe()
	out, say := io.Pipe()
	go func() { say.CloseWithError(serve(json.NewDecoder(gate), json.NewEncoder(say))) }()
	heard := json.NewDecoder(out)
	var first, second int64
	if err := heard.Decode(&first); err != nil || first == 0 {
		t.Fatalf("at its start it says %d, %v", first, err)
	}
	opened := clockSeed()
	for opened == first { // the clock may be coarse
		opened = clockSeed()
	}
	go json.NewEncoder(open).Encode("go")
	if err := heard.Decode(&second); err != nil || second < opened {
		t.Errorf("after %d and a gate that opens at %d it says %d, %v", first, opened, second, err)
	}
}

// Each of a seed's 63 bits is sometimes 0 and sometimes 1.
func TestEntropy(t *testing.T) {
	var ones, zeros int64
	for range 200 {
		seed := entropy()
		ones |= seed
		zeros |= ^seed
	}
	if ones != math.MaxInt64 || zeros != -1 {
		t.Errorf("bits that are ever 1: %x, that are ever 0: %x", ones, zeros)
	}
}

// The starts and the retries from end to end: what a unit shares, a longer one does; one seed puts
// all into one slot, and fount spreads them.
func TestStudy(t *testing.T) {
	require.Started(t, exec.Command(os.Args[0], "-test.run", "^$").Run())
	r, err := Study.Measure(t.Context(), lab.Options{Quick: true, Count: 2, Only: regexp.MustCompile("start together|retries")})
	if err != nil || len(r.Groups) != 2 {
		t.Fatalf("%v, %d groups", err, len(r.Groups))
	}
	for _, row := range r.Groups[0].Rows {
		if row.Error != "" {
			t.Logf("%s: %s", row.Name, row.Error)
			continue
		}
		ns, us, ms, s := row.Figures[0].Value, row.Figures[1].Value, row.Figures[2].Value, row.Figures[4].Value
		if ns > us || us > ms || ms > s || s == 0 || s > 1 {
			t.Errorf("%s: %v %v %v %v", row.Name, ns, us, ms, s)
		}
	}
	slots := r.Groups[1].Rows
	if slots[0].Figures[0].Value != 10 || slots[1].Figures[0].Value > 1.15 {
		t.Errorf("the fullest slots: %v, %v", slots[0].Figures[0], slots[1].Figures[0])
	}
}
