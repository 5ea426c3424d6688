// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/measure"
)

// TestMain is the study's process where the study has started this binary as that.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		if err := serve(json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The study makes its runs in processes and has a figure of each.
func TestStudy(t *testing.T) {
	result, err := Study.Measure(t.Context(), lab.Options{Quick: true, Only: regexp.MustCompile(`^32.*: pool`)})
	if err != nil || len(result.Groups) != 1 {
		t.Fatalf("%d groups, %v", len(result.Groups), err)
	}
	for _, g := range result.Groups {
		if len(g.Rows) != 2 || g.Rows[1].Name != Pool || g.Rows[1].Error != "" || g.Rows[1].Figures[0] == nil {
			t.Errorf("%+v, want the pool and its base", g)
		}
	}
}

// A study does not tell what its cores can't do, such as the answers of a queue that was not yet full.
func TestPossible(t *testing.T) {
	const core = 0.0239
	rate := measure.Usable() / core
	r := Report{Config: Config{Duration: 13 * time.Second, Cut: 3 * time.Second, Deadline: time.Second}, Counts: Counts{EndedByD: int64(13 * rate)}, CoresUsed: measure.Usable()}
	for times, want := range map[float64]bool{0.99: true, 1.09: true, 1.31: false} {
		r.InTimeRate = times * rate
		if err := r.possible(core); (err == nil) != want {
			t.Errorf("%v of what the cores can do: %v", times, err)
		}
	}
}

func TestCalibrationPlan(t *testing.T) {
	c := Calibration{Peak: 24, Workers: 7, Each: 64 << 20, Budget: 384 << 20, Rate: 50, Usable: 8}
	c.plan()
	// The memory is for 6 at once, which make 24/s. So 50/s are 12.5 at once, and an eighth of the cores is kept free.
	if math.Abs(c.Cores-100.0/7) > 1e-9 || c.Memory != 13*64<<20 {
		t.Errorf("%v cores, %d bytes; want 14.3, and 13 times 64 MiB", c.Cores, c.Memory)
	}
	// Two servers would be loaded to more than 0.85, so three must be left when one fails.
	if c.Servers != 4 || !strings.Contains(c.advice()[2], "4 servers") {
		t.Errorf("%d servers, %q; want 4", c.Servers, c.advice())
	}
	// What a CPU limit allows is enough, or is not.
	for rate, enough := range map[float64]bool{6: true, 7: false} {
		half := Calibration{Peak: 6.5, Workers: 1, Each: 64 << 20, Rate: rate, Usable: 0.5}
		if half.plan(); (half.Cores <= half.Usable) != enough || strings.Contains(half.advice()[1], "is enough") != enough {
			t.Errorf("%v/s: %v cores: %v; want %v", rate, half.Cores, half.advice(), enough)
		}
	}
}
