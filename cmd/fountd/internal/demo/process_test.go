// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package demo

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/require"
)

// The command as a process. The workers are real: the program is built for them.

// build returns the program.
func build(t *testing.T) string {
	t.Helper()
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: fleets start and end")
	}
	program := filepath.Join(t.TempDir(), "fountd")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "fount/cmd/fountd").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// A demonstration is one that runs, in a directory of its own for temporary files.
type demonstration struct {
	*exec.Cmd
	out    *bufio.Reader
	errs   strings.Builder
	dir    string
	groups map[string]bool // control groups, by version, that were seen
}

func start(t *testing.T, program string, args ...string) *demonstration {
	t.Helper()
	d := &demonstration{groups: map[string]bool{}, Cmd: exec.Command(program, append([]string{"demo", "--workers", "0.5,0.5", "--policy", "bcrypt,cost=4"}, args...)...)}
	var err error
	if d.dir, err = os.MkdirTemp("/tmp", "f"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(d.dir) })
	d.Env = append(os.Environ(), "TMPDIR="+d.dir)
	d.Stderr = &d.errs
	out, err := d.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	d.out = bufio.NewReader(out)
	err = d.Start()
	require.Started(t, err)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Process.Kill() })
	return d
}

// line is the next that it prints.
func (d *demonstration) line(t *testing.T) string {
	t.Helper()
	line, err := d.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%v after %q: %s", err, line, d.errs.String())
	}
	return line
}

// status reads the rest, and waits for the end.
func (d *demonstration) status() int {
	io.Copy(io.Discard, d.out)
	d.Wait()
	return d.ProcessState.ExitCode()
}

// left is what is left on the machine of the demonstration: its files, groups, and processes with its directory in their arguments.
func (d *demonstration) left() (all []string) {
	all, _ = filepath.Glob(filepath.Join(d.dir, "*"))
	for _, made := range all {
		d.groups["/sys/fs/cgroup/"+filepath.Base(made)], d.groups["/sys/fs/cgroup/cpu/"+filepath.Base(made)] = true, true
	}
	for name := range d.groups {
		if _, err := os.Stat(name); err == nil {
			all = append(all, name)
		}
	}
	commands, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range commands {
		if text, err := os.ReadFile(name); err == nil && strings.Contains(string(text), d.dir) {
			all = append(all, strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return all
}

func (d *demonstration) gone(t *testing.T) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		left := d.left()
		if len(left) == 0 {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("a minute after its end there still are %q", left)
		}
	}
}

// Frames and the sums as JSON, and status 0.
func TestJSON(t *testing.T) {
	d := start(t, build(t), "--json", "--for", "2s")
	var object struct {
		Frame *struct {
			Workers []struct {
				State string `json:"state"`
			} `json:"workers"`
		} `json:"frame"`
		Summary *struct {
			Submitted, Answered, Refused, Expired, Late, Canceled int
		} `json:"summary"`
	}
	frames := 0
	for object.Summary == nil {
		if err := json.Unmarshal([]byte(d.line(t)), &object); err != nil {
			t.Fatal(err)
		}
		if f := object.Frame; f != nil {
			frames++
			if len(f.Workers) != 2 || f.Workers[0].State != "up" {
				t.Errorf("a frame of %+v", f)
			}
			object.Frame = nil
		}
	}
	s := object.Summary
	if frames == 0 || s.Submitted == 0 || s.Submitted != s.Answered+s.Refused+s.Expired+s.Late+s.Canceled {
		t.Errorf("%d frames, %+v", frames, s)
	}
	if got := d.status(); got != 0 {
		t.Errorf("status %d: %s", got, d.errs.String())
	}
	d.gone(t)
}

// However it ends, nothing is left, and the status says how.
func TestEnds(t *testing.T) {
	program := build(t)
	for name, c := range map[string]struct {
		end    func(*demonstration) error
		status int
	}{
		"SIGINT":  {func(d *demonstration) error { return d.Process.Signal(os.Interrupt) }, 130},
		"SIGTERM": {func(d *demonstration) error { return d.Process.Signal(syscall.SIGTERM) }, 143},
		"SIGKILL": {func(d *demonstration) error { return d.Process.Kill() }, -1},
	} {
		t.Run(name, func(t *testing.T) {
			d := start(t, program, "--for", "1h")
			for range 3 { // the title, the head, or why there are no quotas, and a frame
				d.line(t)
			}
			if len(d.left()) < 2 {
				t.Fatalf("this test finds too little of a fleet that runs: %q", d.left())
			}
			if err := c.end(d); err != nil {
				t.Fatal(err)
			}
			if got := d.status(); got != c.status {
				t.Errorf("status %d, want %d: %s", got, c.status, d.errs.String())
			}
			d.gone(t)
		})
	}
}

// A pipe that nobody reads ends it.
func TestPipeWithoutReader(t *testing.T) {
	program := build(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd := exec.Command(program, "demo", "--workers", "1", "--policy", "bcrypt,cost=4", "--for", "1h")
	cmd.Stdout = w
	cmd.Run()
	w.Close()
	if got := cmd.ProcessState.ExitCode(); got != 141 {
		t.Errorf("status %d, want 141", got)
	}
}
