// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount load recovery keeps what it has measured.

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/lab/recovery"

	"github.com/spf13/cobra"
)

// A study that breaks off has kept its runs, and --resume makes the others. What was kept is replaced, never cut off first.
func TestRecoveryGoesOn(t *testing.T) {
	dir, made, failAt := t.TempDir(), 0, 3
	broken := errors.New("it broke")
	f := &recoveryFlags{cost: 5, quick: true, dir: dir, elsewhere: func(_ context.Context, c recovery.Config) (recovery.Result, error) {
		if made++; made == failAt {
			return recovery.Result{}, broken
		}
		return recovery.Result{Config: c, Capacity: 10, Clients: 1, Slots: make([]recovery.Slot, 20)}, nil
	}}
	run := func() error {
		cmd := &cobra.Command{}
		cmd.SetContext(t.Context())
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
		return f.run(cmd)
	}
	name, old := filepath.Join(dir, "recovery.json"), filepath.Join(dir, "old")
	kept := func(name string, want int) {
		t.Helper()
		var s recovery.Study
		object, err := os.ReadFile(name)
		if err := errors.Join(err, json.Unmarshal(object, &s)); err != nil || len(s.Runs) != want {
			t.Fatalf("%s has %d runs, %v; want %d", name, len(s.Runs), err, want)
		}
		if want > 0 && (s.Runs[0].Cost != 5 || s.Runs[0].During != 2*time.Second) {
			t.Errorf("its runs are of cost %d and overloaded for %v, want 5 and 2s", s.Runs[0].Cost, s.Runs[0].During)
		}
	}
	if err := run(); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	kept(name, 2)
	if err := os.Link(name, old); err != nil {
		t.Skip(err) // and what it had can't be held against what it is
	}
	f.resume = true
	if err := run(); err != nil || made != 3+18 {
		t.Fatalf("%d runs in all, %v; want 21 with the one that broke", made, err)
	}
	kept(name, 20)
	kept(old, 2)
	text, err := os.ReadFile(filepath.Join(dir, "recovery.txt"))
	if err != nil || !strings.HasPrefix(string(text), "Made by: fount load recovery -o results --cost 5 --quick (") {
		t.Errorf("it says %.100q, %v", text, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.new")); left != nil {
		t.Errorf("left behind: %q", left)
	}
}
