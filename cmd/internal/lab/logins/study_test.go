// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/child"
	"fount/cmd/internal/lab/measure"
)

// TestMain is the study's process where the study has started this binary as that.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		if err := serve(child.Pipes()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The study makes its runs in processes and has a figure of each, where the page's question finds it.
func TestStudy(t *testing.T) {
	only := regexp.MustCompile(`these cores: pool, 4x`)
	result, err := Study.Measure(t.Context(), lab.Options{Quick: true, Count: 1, Only: only})
	if err != nil || len(result.Groups) != 1 || len(result.Groups[0].Rows) != 1 {
		t.Fatalf("%+v, %v, want a group of a row", result.Groups, err)
	}

	group := result.Groups[0]
	row := group.Rows[0]
	if strings.HasPrefix(row.Error, "not judged: ") {
		t.Log(row.Error) // a busy machine: its window was too short
	} else if row.Error != "" || row.Figures[0] == nil {
		t.Errorf("%+v has no figure", row)
	}
	if h := Study.Headline; !strings.HasPrefix(group.Name, h.Group) || !strings.HasPrefix(row.Name, h.Row) {
		t.Errorf("%s: %s, want %s: %s", group.Name, row.Name, h.Group, h.Row)
	}
}

// A study does not tell what its cores can't do, such as the answers of a queue that was not yet full.
func TestPossible(t *testing.T) {
	const core = 0.0239
	rate := measure.Usable() / core
	r := Report{Config: Config{Duration: 13 * time.Second, Cut: 3 * time.Second, Deadline: time.Second}, Counts: Counts{EndedByDuration: int64(13 * rate)}, CoresUsed: measure.Usable()}
	for times, want := range map[float64]bool{0.99: true, 1.09: true, 1.31: false} {
		r.InTimeRate = times * rate
		if err := r.checkPossible(core); (err == nil) != want {
			t.Errorf("%v of what the cores can do: %v", times, err)
		}
	}
}
