// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount load: the shape of its output, studies of short runs in processes of their own, and the files they
// write.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"fount/lab/logins"

	"github.com/spf13/cobra"
)

// --json is one object of the documented fields, and nothing else.
func TestLoadJSON(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"load", "password", "-m", "pool", "--rate", "300", "--cost", "4", "-d", "200ms", "--cut", "50ms",
		"--json"}
	if status := Main(args, nil, &stdout, &stderr); status != statusOK || stderr.Len() > 0 {
		t.Fatalf("status %d, %s", status, stderr.String())
	}
	dec := json.NewDecoder(&stdout)
	dec.DisallowUnknownFields()
	var r logins.Report
	if err := dec.Decode(&r); err != nil {
		t.Fatal(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		t.Errorf("something follows the object: %v", err)
	}
	if !r.Conserved() || r.Submitted == 0 || r.Failed > 0 || r.Heartbeat == nil || r.Endpoint == nil || r.Pool == nil {
		t.Errorf("%+v", r)
	}
	if want := "fount load password -m pool --cost 4 --rate 300 -d 200ms --cut 50ms"; r.Command != want {
		t.Errorf("command %q, want %q", r.Command, want)
	}
}

func TestLoadCommand(t *testing.T) {
	for want, c := range map[string]logins.Config{
		"fount load password -m max_out --cost 10 -c 15 -d 5s": logins.Post(),
		"fount load password -m buffered --policy scrypt --rate 102.5 --seed 9 --deadline 2s -w 2 -b 15 -d 1m0s --cut 5s": {
			Mechanism: logins.Buffered, Policy: "scrypt", Rate: 102.5, Deadline: 2 * time.Second, Seed: 9, Workers: 2, Buffer: 15,
			Duration: time.Minute, Cut: 5 * time.Second},
	} {
		if got := loadCommand(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A process of a study is told its run on standard input, and answers as the command that repeats it.
func TestLoadRun(t *testing.T) {
	var stdout, stderr bytes.Buffer
	c := logins.Config{Mechanism: logins.Semaphore, Policy: logins.Bcrypt, Cost: 4, Callers: 2, Duration: 50 * time.Millisecond, Deadline: time.Second}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if status := Main([]string{"load", "password", "run"}, bytes.NewReader(text), &stdout, &stderr); status != statusOK {
		t.Fatalf("status %d, %s", status, stderr.String())
	}
	var r logins.Report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil || r.Config != c || r.Command != loadCommand(c) || r.Compares == 0 {
		t.Errorf("%v, %s", err, stdout.String())
	}
	for _, wrong := range []string{`{"colour": "red"}`, strings.Replace(string(text), `"buffer":0`, `"buffer":-1`, 1)} {
		stderr.Reset()
		if status := Main([]string{"load", "password", "run"}, strings.NewReader(wrong), &stdout, &stderr); status != statusFailed ||
			!strings.Contains(stderr.String(), "colour") && !strings.Contains(stderr.String(), "-1") {
			t.Errorf("%s: status %d, %s", wrong, status, stderr.String())
		}
	}
	stderr.Reset()
	if status := Main([]string{"load", "password", "run"}, strings.NewReader("-c 90"), &stdout, &stderr); status != statusFailed ||
		!strings.HasPrefix(stderr.String(), "fount load password run: a run: ") {
		t.Errorf("status %d, %s; want %d and what is wrong", status, stderr.String(), statusFailed)
	}
}

// The flags of a run are those its command names.
func TestLoadCommandRepeats(t *testing.T) {
	for _, c := range []logins.Config{
		logins.Post(),
		{Mechanism: logins.Buffered, Policy: logins.Bcrypt, Cost: 4, Callers: 7, Workers: 3, Buffer: 5,
			Duration: time.Minute,
			Cut:      5 * time.Second, Deadline: time.Second},
		{Mechanism: logins.PoolLanes, Policy: logins.Bcrypt, Cost: 10, Rate: 300, HangUp: true, Duration: time.Minute,
			Deadline: time.Second},
		{Mechanism: logins.MaxOut, Engine: logins.Fount, Policy: logins.Bcrypt, Cost: 10, Callers: 90,
			Duration: time.Minute, Deadline: time.Second},
		{Mechanism: logins.PoolLanes, Policy: "argon2id,m=64,t=2", Rate: 102.25, Seed: 9, Memory: 1 << 30, Workers: 2,
			Duration: 12 * time.Second, Deadline: 300 * time.Millisecond},
	} {
		f := loadFlags{Config: logins.Post()}
		cmd := &cobra.Command{Use: "password"}
		f.addTo(cmd)
		if err := cmd.ParseFlags(loadArgs(c)[2:]); err != nil {
			t.Fatalf("%s: %v", loadCommand(c), err)
		}
		if err := f.check(cmd); err != nil {
			t.Fatalf("%s: %v", loadCommand(c), err)
		}
		got := f.Config
		if got.Open() {
			got.Callers = c.Callers // which the open loop has not
		}
		if got.Mechanism != logins.Buffered {
			got.Buffer = c.Buffer
		}
		if got != c {
			t.Errorf("%s: %+v, want %+v", loadCommand(c), got, c)
		}
	}
}

// A study measures nothing if its heading can't be written, and has failed if its end can't.
func TestStudyOutputFails(t *testing.T) {
	for _, test := range []struct{ writes, runs int }{{0, 0}, {1, 16}} {
		runs := 0
		f := &studyFlags{cost: 4, duration: 20 * time.Millisecond, run: func(_ context.Context, c logins.Config) (logins.Report, error) {
			runs++
			return logins.Report{Config: c}, nil
		}}
		cmd := &cobra.Command{}
		cmd.SetOut(&fullDisk{room: test.writes})
		cmd.SetErr(io.Discard)
		cmd.SetContext(t.Context())
		if err := f.make(cmd, logins.Plans[4]); !errors.Is(err, errFull) || runs != test.runs {
			t.Errorf("after %d writes: %d runs and %v, want %d and %v", test.writes, runs, err, test.runs, errFull)
		}
	}
}

var errFull = errors.New("no space left on device")

// A fullDisk has room for so many writes.
type fullDisk struct{ room int }

func (d *fullDisk) Write(b []byte) (int, error) {
	if d.room--; d.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}
