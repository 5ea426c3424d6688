// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of races, with real processes: this test binary, which stands for the program and for programs that go wrong.

//go:build !js && !wasip1

package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// What the test binary does as a process of a race: after the variable come a directory and the role's name.
const roleVariable = "FOUNT_FILEBENCH_TEST_ROLES"

var roles = map[string]func() error{
	"reader":  func() error { return Reader(os.Stdin, os.Stdout) },
	"starter": func() error { return Starter(os.Stdin, os.Stdout) },
	// does not wait at the gate; it says that it is ready after it has read, so that the gate opens later for sure
	"jumps": func() error {
		var all bytes.Buffer
		err := inProcess.read(strings.NewReader(""), &all)
		all.WriteTo(os.Stdout)
		return err
	},
	"dies": func() error { return errors.New("no reason") },
	"dies behind the gate": func() error {
		json.NewEncoder(os.Stdout).Encode(said{Ready: clock()})
		io.ReadAll(os.Stdin)
		return errors.New("no reason")
	},
	"hangs":   func() error { _, err := io.ReadAll(os.Stdin); return err }, // until the test ends
	"gibbers": func() error { fmt.Println("what?"); return nil },
	"is mute": func() error { return nil },
	"can't read": func() error {
		return task{Way: wayFile, Address: "no/such/file", Bytes: 1, Piece: 1}.read(os.Stdin, os.Stdout)
	},
}

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // a second for each process, else
	if os.Getenv(roleVariable) == "" {
		os.Exit(m.Run())
	}
	if err := play(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// play plays the role if no other process of the race does, which a file in the directory says; else the reader's.
func play(dir, role string) error {
	if role != "reader" {
		f, err := os.OpenFile(filepath.Join(dir, "taken"), os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			role = "reader"
		}
		f.Close()
	}
	return roles[role]()
}

// starting is a start of n processes, the first of which plays a role.
func starting(t *testing.T, n int, role string) start {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(roleVariable, "yes")
	return start{program: []string{program, t.TempDir(), role}, procs: n, limit: time.Minute, ready: time.Minute,
		show: func(int) {}}
}

var inProcess = task{Way: wayInProcess, Bytes: 128, Piece: 64 << 10}

// faults are the errors of those that did not get their bytes.
func (r *race) faults() (errs []string) {
	for _, p := range r.racers {
		if p.err != nil {
			errs = append(errs, p.err.Error())
		}
	}
	return errs
}

func TestRace(t *testing.T) {
	opened := false
	s := starting(t, 4, "reader")
	s.opening = func() { opened = true }
	r, err := s.run(t.Context(), inProcess)
	if err != nil || len(r.racers) != 4 || !opened {
		t.Fatalf("%v, %d processes, opened %v", err, len(r.racers), opened)
	}
	for i, p := range r.racers {
		times := []int64{p.launched, p.ready, r.opened, p.passed, p.had, r.closed}
		if p.err != nil || p.launched <= 0 || !slices.IsSorted(times) {
			t.Errorf("process %d: %v, times %v, want them ascending", i, p.err, times)
		}
	}
	if rate := r.rate(128); rate <= 0 {
		t.Errorf("rate %v", rate)
	}
}

// One process that goes wrong is named, disturbs no other, and does not make the race hang.
func TestRaceFaults(t *testing.T) {
	for role, want := range map[string]string{
		"jumps":                "it passed the gate before that was open",
		"dies":                 "it ended before it was ready (exit status 1: no reason)",
		"dies behind the gate": "it ended without its bytes (exit status 1: no reason)",
		"gibbers":              "it ended before it was ready",
		"is mute":              "it ended before it was ready",
		"can't read":           "open no/such/file: ",
	} {
		t.Run(role, func(t *testing.T) {
			r, err := starting(t, 3, role).run(t.Context(), inProcess)
			if err != nil {
				t.Fatal(err)
			}
			got := r.faults()
			if len(got) != 1 || !strings.HasPrefix(got[0], want) {
				t.Fatalf("faults %q, want one: %q", got, want)
			}
			var s Source
			s.add(0, r)
			s.finish(1)
			if s.Processes != 3 || s.Got != 2 || s.Failed != 1 || s.Late != 0 || len(s.Failures) != 1 || s.Delay.Median.AtLeast {
				t.Errorf("%+v", s)
			}
			if r.rate(128) != 0 {
				t.Error("a rate of processes that did not all read")
			}
		})
	}
}

func TestNeverReady(t *testing.T) {
	s := starting(t, 2, "hangs")
	s.ready = time.Second
	r, err := s.run(t.Context(), inProcess)
	if err != nil {
		t.Fatal(err)
	}
	// All are stopped: a gate that opened late would not be the same for all.
	for _, p := range r.racers {
		if p.err == nil || p.had != 0 {
			t.Errorf("%v at %d, want an error", p.err, p.had)
		}
	}
	if !slices.Contains(r.faults(), errNotReady.Error()) {
		t.Errorf("faults %q, want %q among them", r.faults(), errNotReady)
	}
}

func TestNoSuchProgram(t *testing.T) {
	s := starting(t, 2, "reader")
	s.program[0] = filepath.Join(t.TempDir(), "none")
	_, err := s.run(t.Context(), inProcess)
	if err == nil || !strings.HasPrefix(err.Error(), "process 1 of 2 does not start: ") {
		t.Errorf("error %v", err)
	}
}

// What ctx ends leaves no process behind.
func TestRaceCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := starting(t, 3, "reader")
	s.opening = cancel
	if _, err := s.run(ctx, inProcess); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// A task that can't be done is refused before the process says that it is ready.
func TestTask(t *testing.T) {
	for _, text := range []string{"", "{", `{"way": "file", "bytes": 0, "piece": 1}`, `{"way": "file", "bytes": 1}`, `{"bytes": "1"}`} {
		var out bytes.Buffer
		if err := Reader(strings.NewReader(text), &out); err == nil || !strings.HasPrefix(err.Error(), "a task: ") || out.Len() > 0 {
			t.Errorf("%s: error %v, and it says %q", text, err, &out)
		}
	}
	if err := (task{Way: "pigeon", Bytes: 1, Piece: 1}).do(make([]byte, 1)); err == nil {
		t.Error("a way that is not there")
	}
}
