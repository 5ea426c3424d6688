// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the experiment with real processes, which are this test binary, and with a device that
// ticks a thousand times as fast as Plan 9's.

//go:build !js && !wasip1

package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"fount"
	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/child"
)

// behaviour is what the processes do: the name of a role, none for that of a reader.
const behaviour = "FOUNT_FILES_TEST_ROLE"

var roles = map[string]func(in *json.Decoder, out *json.Encoder) error{
	"": testServers.read,
	"jumps": func(in *json.Decoder, out *json.Encoder) error {
		passed := clock()
		return errors.Join(in.Decode(new(task)), out.Encode(times{Ready: clock()}), in.Decode(new(bool)), out.Encode(times{Passed: passed, Had: clock()}))
	},
	"dies": func(*json.Decoder, *json.Encoder) error { return errors.New("no reason") },
	"dies behind the gate": func(in *json.Decoder, out *json.Encoder) error {
		return errors.Join(in.Decode(new(task)), out.Encode(times{Ready: clock()}), in.Decode(new(bool)), errors.New("no reason"))
	},
}

func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "child" {
		os.Exit(m.Run())
	}
	if err := roles[os.Getenv(behaviour)](child.Pipes()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// brief is a run of a second.
var brief = experiment{procs: 3, bytes: 16, rounds: 2, limit: time.Minute, tick: testTick}

// measure makes the experiment.
func (e experiment) result(ctx context.Context, only string, progress func(string)) (map[string]lab.Row, error) {
	s := lab.Study{Name: "files", Run: func(r *lab.Run) { e.run(r, testServers) }}
	r, err := s.Measure(ctx, lab.Options{Only: regexp.MustCompile(only), Progress: progress})
	rows := map[string]lab.Row{}
	for _, g := range r.Groups {
		for _, row := range g.Rows {
			rows[row.Name] = row
		}
	}
	return rows, err
}

func TestStudy(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	rows, err := brief.result(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		row := rows[s.name]
		switch {
		case row.Error != "" && s.name == urandom:
			t.Logf("no %s here: %s", s.name, row.Error)
		case row.Error != "" || len(row.Figures) != len(columns):
			t.Errorf("%s: %+v", s.name, row)
		case row.Figures[0].Value <= 0 || row.Figures[1].Value < row.Figures[0].Value || row.Figures[2].Value != 0 || row.Figures[3].Value <= 0:
			t.Errorf("%s: median %v, longest %v, late %v, exec %v", s.name, row.Figures[0], row.Figures[1], row.Figures[2], row.Figures[3])
		}
	}
	if seed := 32 * ticksAByte * testTick.Seconds(); rows["fount's files by 9P"].Figures[4].Value < seed {
		t.Errorf("the server started in %v, before the device had made its seed in %v s", rows["fount's files by 9P"].Figures[4], seed)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary directory: %v, %v", left, err)
	}
}

// Who gets no bytes within the limit is late, and counts as having waited for it.
func TestLate(t *testing.T) {
	e := brief
	e.tick, e.limit = time.Hour, 10*time.Millisecond
	rows, err := e.result(t.Context(), "emulated", nil)
	if err != nil {
		t.Fatal(err)
	}
	f := rows["Plan 9's device, emulated"].Figures
	if f[0].Value != e.limit.Seconds() || f[2].Value != 3 {
		t.Errorf("median %v s, %v late, want the limit of %v and 3", f[0].Value, f[2].Value, e.limit)
	}
}

// A process that goes wrong is told in its source's row, which then has no figures.
func TestFaults(t *testing.T) {
	for role, want := range map[string]string{
		"jumps": errFalseStart.Error(), "dies": "no reason", "dies behind the gate": "no reason",
	} {
		t.Setenv(behaviour, role)
		rows, err := brief.result(t.Context(), "in the process", nil)
		if row := rows["fount in the process"]; err != nil || row.Error != want || row.Figures != nil {
			t.Errorf("%s: %v, %+v, want the error %q", role, err, row, want)
		}
	}
}

// Interrupted wherever it waits, it ends, and nothing is left of it.
func TestCancelled(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir) // not on Windows, where nothing is looked for then
	for _, at := range []string{"opening fount's files by 9P", "Plan 9's device, emulated, round 1", "fount's files by FUSE, round 2"} {
		e := brief
		if !strings.Contains(at, "FUSE") {
			e.tick = time.Hour
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, err := e.result(ctx, regexp.QuoteMeta(strings.Split(strings.TrimPrefix(at, "opening "), ",")[0]), func(line string) {
			if strings.HasPrefix(line, "files: "+at) {
				time.AfterFunc(100*time.Millisecond, cancel)
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) && !strings.Contains(at, "FUSE") {
			t.Errorf("%s: %v, want %v", at, err, context.Canceled)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("%s: it left %q", at, left)
		}
	}
}

// testServers stand in for the program's, whose own tests are with them.
var testServers = Servers{NineP: serveTest, Open9P: dialTest, FUSE: mountTest}

func dialTest(address string) (io.ReadCloser, error) { return net.Dial("unix", address) }

// serveTest gives each connection what a process reads.
func serveTest(dir string, read func([]byte), _ int, _ time.Duration) (string, func() error, error) {
	if read == nil {
		read = func(b []byte) { _, _ = fount.Read(b) }
	}
	address := filepath.Join(dir, "9p")
	l, err := net.Listen("unix", address)
	if err != nil {
		return "", nil, err
	}

	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer conn.Close()
				b := make([]byte, brief.bytes)
				read(b)
				_, _ = conn.Write(b)
			})
		}
	})
	return address, func() error {
		err := l.Close()
		serving.Wait()
		return err
	}, nil
}

// mountTest puts a file in the place of the mounted one.
func mountTest(mountpoint string) (func() error, error) {
	random := filepath.Join(mountpoint, "random")
	bytes := make([]byte, 1<<20)
	fount.Read(bytes)
	return func() error { return os.Remove(random) }, os.WriteFile(random, bytes, 0o600)
}
