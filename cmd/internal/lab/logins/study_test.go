// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"testing"

	"fount/cmd/internal/lab"
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

func TestCalibrationPlan(t *testing.T) {
	c := Calibration{Policy: "argon2id,m=65536,t=3,p=1", HashMS: 240, LoginMS: 250, GOMAXPROCS: 8, Workers: 7,
		Each: 64 << 20, Budget: 384 << 20, Rate: 50, Usable: 8}
	c.plan()
	// The memory is for 6 at once. 50/s of 250 ms are 13 cores, and one kept free; of 240 ms 12.
	if c.Peak != 24 || c.Cores != 14 || c.Memory != 12*64<<20 {
		t.Errorf("%v logins/s, %d cores, %d bytes; want 24, 14, 12 times 64 MiB", c.Peak, c.Cores, c.Memory)
	}
	c.Usable = 0.5 // by a CPU limit
	if c.plan(); c.Peak != 2 {
		t.Errorf("%v logins/s of half a core, want 2", c.Peak)
	}
}
