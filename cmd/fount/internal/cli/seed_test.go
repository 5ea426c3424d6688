// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the parts of fount seed; testdata/script/seed*.txt run it.

package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"fount/lab/show"
	"fount/pool"
)

func TestSeedText(t *testing.T) {
	saved := time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("", 3600))
	r := pool.SeedFileReport{Path: "d/seed", State: "read", Nodes: 4, Saved: saved}
	for age, want := range map[time.Duration]string{
		0:                                "0 s ago",
		119 * time.Second:                "119 s ago",
		120 * time.Second:                "2 min ago",
		2*time.Hour - time.Second:        "119 min ago",
		2 * time.Hour:                    "2 h ago",
		48*time.Hour - time.Second:       "47 h ago",
		48 * time.Hour:                   "2 days ago",
		400 * 24 * time.Hour:             "400 days ago",
		-time.Second:                     "which is in the future: a clock is wrong",
		1999 * time.Millisecond:          "1 s ago",
		-time.Hour + time.Millisecond/10: "which is in the future: a clock is wrong",
	} {
		want = "file   d/seed\nstate  whole, and its user's alone\nnodes  4\nsaved  2026-03-04 04:06:07 UTC, " + want + "\n"
		if got := newSeedReport(r, saved.Add(age)).text(show.Style{Width: 80}); got != want {
			t.Errorf("%v later:\n%swant\n%s", age, got, want)
		}
	}
	r.Copied, r.Note = true, "it is a copy"
	want := "file   d/seed\nstate  whole, and its\n       user's alone; it is\n       a copy\nnodes  4\n" +
		"saved  2026-03-04 04:06:07\n       UTC, 0 s ago\n"
	if got := newSeedReport(r, saved).text(show.Style{Width: 26}); got != want {
		t.Errorf("a copy:\n%swant\n%s", got, want)
	}
	if age := newSeedReport(pool.SeedFileReport{State: "failed"}, saved).AgeSeconds; age != 0 {
		t.Errorf("the age of no file is %d s", age)
	}
}

// What is no device gets nothing: others may be able to read it. Nor is one made.
func TestKernelIsADevice(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "urandom")
	if err := tellKernel(path); err == nil {
		t.Error("a device that is not there: no error")
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("it is there now")
	}
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := tellKernel(path); err == nil || err.Error() != path+" is not a device" {
		t.Errorf("a file: %v", err)
	}
	if b, err := os.ReadFile(path); string(b) != "before" || err != nil {
		t.Errorf("the file is %q, %v", b, err)
	}
}
