// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/lab/doctor"
	"fount/lab/machine"
)

// typed stands for what a reader types.
func typed(s Study) string { return "measure " + string(s) }

// examined is a directory with the report of a machine of that name, of which nothing but doctor was measured.
func examined(t *testing.T, cpu string) string {
	t.Helper()
	dir := t.TempDir()
	facts := machine.Inspect()
	facts.CPU = cpu
	for name, v := range map[string]any{doctorFile: doctor.Result{Machine: facts}, madeFile: made{Version: "test"}} {
		b, err := json.Marshal(v)
		if err := errors.Join(err, os.WriteFile(filepath.Join(dir, name), b, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What a machine says of itself can't become a part of the page's code.
func TestPageEscapes(t *testing.T) {
	const evil = `</style><script>alert(1)</script><svg onload=x>`
	dir := examined(t, evil)
	if err := Make(dir, typed); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, Page))
	if err != nil || bytes.Contains(b, []byte(evil)) || !bytes.Contains(b, []byte("alert(1)")) {
		t.Errorf("%v; want the machine's name as text:\n%.3000s", err, b)
	}
}

// What has no file is missing on the page; without doctor's there is no page, and half a file is an error that names it.
func TestMissingIsNamed(t *testing.T) {
	dir := examined(t, "a processor")
	if err := os.WriteFile(filepath.Join(dir, nonceFile), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	for file, dir := range map[string]string{madeFile: t.TempDir(), nonceFile: dir} {
		if err := Make(dir, typed); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%v; want an error that names %s", err, file)
		}
	}
}

// All steps run in their order, each into its file; one that fails keeps none of the others from running.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, filesFile)
	if err := os.WriteFile(old, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	var ran []Step
	run := func(_ context.Context, s Step) ([]byte, error) {
		ran = append(ran, s)
		switch {
		case s.Study == Doctor:
			return []byte(`{"passwords": {"logins_per_s": 10}}`), nil
		case s.Study == Source:
			return nil, errors.New("no source here")
		case s.Study == Files:
			if _, err := os.Stat(old); err == nil {
				t.Error("a file of an earlier report is there while the steps run")
			}
		}
		return []byte("{}"), nil
	}
	last := -1.0
	failures, err := Run(t.Context(), dir, "fount test", run, func(name string, done float64, left time.Duration) {
		if name == "" || done < last || done >= 1 || left <= 0 {
			t.Errorf("progress %q, %v done after %v, %v left", name, done, last, left)
		}
		last = done
	})
	if err != nil || len(failures) != 1 || failures[0].Err.Error() != "no source here" {
		t.Errorf("failures %v, %v; want that of the source", failures, err)
	}
	if want := len(machineSteps()) + len(mechanisms)*len(multiples); len(ran) != want || ran[0].Study != Doctor {
		t.Errorf("%d steps %+v, want %d, doctor first", len(ran), ran, want)
	}
	last4x := ran[len(ran)-1]
	if last4x.Study != Logins || last4x.Mechanism != "pool+lanes" || last4x.Rate != 40 || last4x.For != 5*time.Second || last4x.Cut != time.Second {
		t.Errorf("the last step is %+v, want 40 logins/s of the pool for 5s without the first", last4x)
	}
	for _, name := range names() {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	raw, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if raw.Missing[sourceFile] != "no source here" || len(raw.Missing) != 1 || raw.Made.Version != "fount test" || len(raw.Made.Failed) != 1 {
		t.Errorf("missing %v, made %+v", raw.Missing, raw.Made)
	}
}

// Without doctor nobody knows how many logins to ask for.
func TestRunWithoutCapacity(t *testing.T) {
	run := func(_ context.Context, s Step) ([]byte, error) {
		if s.Study == Logins {
			t.Error("logins are asked for")
		}
		return []byte("{}"), nil
	}
	failures, err := Run(t.Context(), t.TempDir(), "", run, func(string, float64, time.Duration) {})
	if err != nil || len(failures) != 1 || failures[0].Step != "logins" {
		t.Errorf("%v, %v; want one failure, of the logins", failures, err)
	}
}

// Who interrupts gets the prompt back.
func TestRunIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	run := func(ctx context.Context, _ Step) ([]byte, error) {
		if n++; n == 2 {
			cancel()
			return nil, fmt.Errorf("killed")
		}
		return []byte("{}"), nil
	}
	if _, err := Run(ctx, t.TempDir(), "", run, func(string, float64, time.Duration) {}); !errors.Is(err, context.Canceled) || n != 2 {
		t.Errorf("%v after %d commands; want context.Canceled after 2", err, n)
	}
}

func TestPrepare(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := Prepare(dir, false); err != nil {
		t.Errorf("a new directory: %v", err)
	}
	if err := Prepare(dir, false); err != nil {
		t.Errorf("an empty one: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "letter"), []byte("dear"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Prepare(dir, false); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("one with a letter: %v; want an error that names it", err)
	}
	if err := Prepare(dir, true); err != nil {
		t.Errorf("with --force: %v", err)
	}
	if err := Prepare(filepath.Join(dir, "letter"), true); err == nil {
		t.Error("a file is taken for a directory")
	}
}
