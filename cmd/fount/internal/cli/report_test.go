// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fount/lab/page"
)

func TestReportArgs(t *testing.T) {
	login := page.Step{Study: page.Logins, Mechanism: "pool+lanes", Rate: 40, For: 5 * time.Second, Cut: time.Second}
	for want, step := range map[string]page.Step{
		"doctor --json":             {Study: page.Doctor},
		"bench scale --tail --json": {Study: page.Tail},
		"load password -m pool+lanes --rate 40 -d 5s --cut 1s --json": login,
	} {
		if got := strings.Join(reportArgs(step), " "); got != want {
			t.Errorf("%s: %q, want %q", step.Study, got, want)
		}
	}
}

// The commands run in processes of their own: what they print comes back, an error is their first line, and an
// interrupt ends them.
func TestReportRunsThisProgram(t *testing.T) {
	fount, err := exec.LookPath("fount")
	if err != nil {
		t.Fatal(err) // TestMain put it there
	}
	run := func(ctx context.Context, args ...string) ([]byte, error) { return runProgram(ctx, fount, fount, args) }
	if out, err := run(t.Context(), "uuid"); err != nil || len(out) != 37 {
		t.Errorf("fount uuid: %q, %v; want 36 characters", out, err)
	}
	const want = `fount uuid: unexpected argument "now"`
	if out, err := run(t.Context(), "uuid", "now"); len(out) > 0 || err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("fount uuid now: %q, %v; want none and %s", out, err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := run(ctx, "rand", "--forever", "-o", os.DevNull)
		ended <- err
	}()
	cancel()
	if err := <-ended; err == nil {
		t.Error("an endless command ended well")
	}
}
