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
		if len(g.Rows) != 1 || g.Rows[0].Error != "" || g.Rows[0].Figures[0] == nil {
			t.Errorf("%+v", g)
		}
	}
}
