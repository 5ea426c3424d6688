// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"testing"

	"fount/lab"
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
	result, err := Study.Measure(t.Context(), lab.Options{Quick: true, Only: regexp.MustCompile(`^90.*: pool`)})
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
	c := Calibration{Policy: "argon2id,m=65536,t=3,p=1", HashMS: 240, TargetMS: 250, GOMAXPROCS: 8, Workers: 7,
		Each:   64 << 20,
		Budget: 512 << 20, Peak: 28, Rate: 50}
	c.plan()
	// 28/s on 7 workers are 4/s each: 13, and the core kept free. 50/s of 240 ms are 12 at once.
	if c.Cores != 14 || c.Memory != 12*64<<20 {
		t.Errorf("%d cores, %d bytes; want 14, 12 times 64 MiB", c.Cores, c.Memory)
	}
}
