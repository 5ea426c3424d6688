// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Real programs, watched.

//go:build linux && (amd64 || arm64 || riscv64)

package iostats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/require"

	"golang.org/x/sys/unix"
)

// roleVariable has this binary be another program: its value is the role.
const roleVariable = "FOUNT_IOSTATS_ROLE"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "iostats-child" {
		signal.Ignore(unix.SIGPIPE) // as the program does
		os.Exit(Child(os.Args[2], os.Args[3:]))
	}
	if role := roles[os.Getenv(roleVariable)]; role != nil {
		role()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var roles = map[string]func(){
	// Copies the first file to the second three times, by each call that does.
	"copies": func() {
		in, err := os.Open(os.Args[1])
		if err != nil {
			panic(err)
		}
		out, err := os.Create(os.Args[2])
		if err != nil {
			panic(err)
		}
		var pipe [2]int
		if err := unix.Pipe(pipe[:]); err != nil {
			panic(err)
		}
		from, to := int(in.Fd()), int(out.Fd())
		done := func(n int64, err error) {
			if n != 1000 || err != nil {
				panic(fmt.Sprint(n, err))
			}
		}
		n, err := unix.CopyFileRange(from, nil, to, nil, 1000, 0)
		done(int64(n), err)
		n, err = unix.Sendfile(to, from, new(int64), 1000)
		done(int64(n), err)
		done(unix.Splice(from, new(int64), pipe[1], nil, 1000, 0))
		done(unix.Splice(pipe[0], nil, to, nil, 1000, 0))
	},
	// Starts a process whose end no signal tells.
	"clone": func() {
		runtime.LockOSThread()
		pid, _, errno := syscall.RawSyscall6(syscall.SYS_CLONE, 0, 0, 0, 0, 0, 0)
		if errno == 0 && pid == 0 {
			syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
		}
		if _, err := unix.Wait4(int(pid), nil, unix.WALL, nil); err != nil {
			panic(err)
		}
	},
	// Another thread than the first becomes another program, while others are in calls.
	"exec": func() {
		r, _, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		for range 4 {
			go func() {
				runtime.LockOSThread()
				unix.Read(int(r.Fd()), make([]byte, 1)) // never returns
			}()
		}
		done := make(chan bool)
		go func() {
			defer close(done)
			runtime.LockOSThread()
			for unix.Gettid() == unix.Getpid() {
				runtime.Gosched()
			}
			os.Unsetenv(roleVariable)
			panic(syscall.Exec("/bin/sh", []string{"sh", "-c", "exit 7"}, os.Environ()))
		}()
		runtime.LockOSThread()
		<-done
	},
}

// watcher has this binary watch.
func watcher() *exec.Cmd { return exec.Command(os.Args[0], "iostats-child") }

// inRole runs this binary as another program.
func inRole(t *testing.T, role string, args ...string) Result {
	t.Helper()
	t.Setenv(roleVariable, role)
	return run(t, append([]string{os.Args[0]}, args...)...)
}

// run skips the test where ptrace is forbidden or missing (qemu-user).
func run(t *testing.T, command ...string) Result {
	t.Helper()
	r, err := Run(t.Context(), watcher(), command)
	if err != nil && strings.Contains(err.Error(), "not permitted here") {
		t.Skip(err)
	}
	require.NoError(t, err)
	return r
}

// file is what is said of a path, empty if nothing is.
func (r Result) file(path string) File {
	if i := slices.IndexFunc(r.Files, func(f File) bool { return f.Path == path }); i >= 0 {
		return r.Files[i]
	}
	return File{}
}

func TestCounts(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(in, make([]byte, 1000), 0o600))

	r := run(t, "sh", "-c", "dd if=/dev/urandom of="+out+" bs=16 count=3 2>/dev/null && dd if="+in+" of=/dev/null bs=300 2>/dev/null; exit 3")
	if f := r.file("/dev/urandom"); f.Opens != 1 || f.Reads != 3 || f.Read != 48 || !f.Random || f.Waited != 0 {
		t.Errorf("/dev/urandom: %+v", f)
	}
	if f := r.file(out); f.Opens != 1 || f.Writes != 3 || f.Wrote != 48 || f.Reads != 0 {
		t.Errorf("%s: %+v", out, f)
	}
	if f := r.file(in); f.Opens != 1 || f.Reads != 5 || f.Read != 1000 { // 300, 300, 300, 100, 0
		t.Errorf("%s: %+v", in, f)
	}
	if r.Status != 3 || r.Signal != "" || r.Processes != 3 || r.Elapsed <= 0 {
		t.Errorf("status %d, signal %q, %d processes, %v s; want 3, none, 3, more than 0", r.Status, r.Signal, r.Processes, r.Elapsed)
	}
	if first := r.Files[0]; !first.Random {
		t.Errorf("the first file is %+v, want one that holds random bytes", first)
	}
}

// Many processes at once, whose first stops come before or after the reports of their parents: all
// are counted, and none is left stopped.
func TestManyProcesses(t *testing.T) {
	r := run(t, "sh", "-c", "i=0; while [ $i -lt 60 ]; do dd if=/dev/urandom of=/dev/null bs=16 count=1 2>/dev/null & i=$((i+1)); done; wait")
	if f := r.file("/dev/urandom"); f.Opens != 60 || f.Reads != 60 || f.Read != 960 {
		t.Errorf("/dev/urandom: %+v", f)
	}
	if r.Processes != 61 || r.Status != 0 {
		t.Errorf("%d processes, status %d; want 61, 0", r.Processes, r.Status)
	}
}

// Bytes that the kernel copies from one file to another are read and written.
func TestCopies(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(in, make([]byte, 1000), 0o600))
	r := inRole(t, "copies", in, out)
	if f := r.file(in); f.Reads < 3 || f.Read != 3*1000 {
		t.Errorf("%s: %+v, want 1000 bytes read three times", in, f)
	}
	if f := r.file(out); f.Writes < 3 || f.Wrote != 3*1000 {
		t.Errorf("%s: %+v, want 1000 bytes written three times", out, f)
	}
}

// A thread that becomes another program takes the process's ID, and ends all others.
func TestExecOfAThread(t *testing.T) {
	if r := inRole(t, "exec"); r.Status != 7 || r.Processes != 1 {
		t.Errorf("status %d, %d processes; want 7, 1", r.Status, r.Processes)
	}
}

// A process that clone(2) starts without a signal for its end counts, and a thread does not.
func TestClone(t *testing.T) {
	if r := inRole(t, "clone"); r.Processes != 2 || r.Status != 0 {
		t.Errorf("%d processes, status %d; want 2, 0", r.Processes, r.Status)
	}
}

// A reader of an empty source waits.
func TestWaiting(t *testing.T) {
	source := filepath.Join(t.TempDir(), "source")
	require.NoError(t, unix.Mkfifo(source, 0o600))
	defer func(before []string) { devices = before }(devices)
	devices = append(slices.Clip(devices), source)

	const pause = 200 * time.Millisecond
	go func() {
		feeder, err := os.OpenFile(source, os.O_WRONLY, 0) // once dd has opened it
		if err != nil {
			t.Error(err)
			return
		}
		time.Sleep(pause)
		feeder.Write(make([]byte, 16))
		feeder.Close()
	}()

	r := run(t, "dd", "if="+source, "of=/dev/null", "bs=16", "count=1", "status=none")
	if f := r.file(source); !f.Random || f.Reads != 1 || f.Read != 16 || f.Waited < pause.Seconds()/2 || r.Random.Waited < f.Waited {
		t.Errorf("%s: %+v, want a wait of some %v", source, f, pause)
	}
}

// Who is told to end asks all processes to, kills those that do not, and reports what they did.
func TestEndedWith(t *testing.T) {
	for trap, want := range map[string]string{"": "SIGTERM", "trap '' TERM; ": "SIGKILL"} {
		r, out, err := os.Pipe()
		require.NoError(t, err)
		defer r.Close()

		o := watcher()
		command := []string{"sh", "-c", trap + "dd if=/dev/urandom of=/dev/null bs=16 count=3 status=none; sleep 1000 & echo; sleep 1000; sleep 1000"}
		o.Stdout = out
		ctx, end := context.WithCancel(t.Context())
		defer end()
		go func() {
			r.Read(make([]byte, 1))
			end()
		}()

		got, err := Run(ctx, o, command)
		out.Close()
		if err != nil && strings.Contains(err.Error(), "not permitted here") {
			t.Skip(err)
		}
		if err != nil || got.Signal != want || got.Processes < 3 || got.file("/dev/urandom").Reads != 3 || got.Elapsed > 30 {
			t.Errorf("%s%+v, %v", trap, got, err)
		}
	}
}

// Who waits for a core does not wait for random bytes: 20 busy processes for each core.
func TestNoCoreIsNoWait(t *testing.T) {
	script := fmt.Sprintf("i=0; while [ $i -lt %d ]; do (while :; do :; done) & busy=\"$busy $!\"; i=$((i+1)); done; "+
		"dd if=/dev/urandom of=/dev/null bs=1M count=8 status=none; kill $busy", 4*runtime.NumCPU())
	r := run(t, "sh", "-c", script)
	f := r.file("/dev/urandom")
	if f.Read != 8<<20 || f.Waited != 0 {
		t.Errorf("/dev/urandom: %+v, want 8 MiB without a wait", f)
	}
	if f.Calls < waiting.Seconds() {
		t.Logf("8 MiB took %v s, too little to be taken for a wait", f.Calls)
	}
}

func TestEnds(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		signal string
		status int
	}{
		"killed":                  {script: "kill -9 $$", signal: "SIGKILL", status: 137},
		"terminated":              {script: "kill -TERM $$", signal: "SIGTERM", status: 143},
		"the signal comes":        {script: "trap 'exit 5' USR1; kill -USR1 $$; exit 6", status: 5},
		"stopped until continued": {script: "(while :; do kill -CONT $$; done) & kill -STOP $$; kill $!"},
		"a child by SIGPIPE":      {script: "yes | head -n 1 >/dev/null"},
		"a child goes on":         {script: "sleep 0.05 & exit 4", status: 4},
	} {
		t.Run(name, func(t *testing.T) {
			if r := run(t, "sh", "-c", test.script); r.Status != test.status || r.Signal != test.signal {
				t.Errorf("status %d, signal %q; want %d, %q", r.Status, r.Signal, test.status, test.signal)
			}
		})
	}
}

// SIGPIPE ends the program as ever, also where the one that watches ignores it.
func TestIgnoredSignals(t *testing.T) {
	r, out, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	o := watcher()
	o.Stdout = out
	if _, err := Run(t.Context(), o, []string{"grep", "SigIgn", "/proc/self/status"}); err != nil {
		t.Skip(err)
	}
	out.Close()
	got, err := io.ReadAll(r)
	fields := bytes.Fields(got)
	if err != nil || len(fields) != 2 {
		t.Fatalf("%q, %v; want one field of /proc/self/status", got, err)
	}

	ignored, err := strconv.ParseUint(string(fields[1]), 16, 64)
	if err != nil || ignored&(1<<(unix.SIGPIPE-1)) != 0 {
		t.Errorf("ignored signals %#x, %v; want SIGPIPE not among them", ignored, err)
	}
}

func TestNotRun(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(text, []byte("not a program"), 0o700))
	if _, err := Run(t.Context(), watcher(), []string{"no-such-command"}); !errors.Is(err, exec.ErrNotFound) {
		t.Error(err)
	}
	if _, err := Run(t.Context(), watcher(), []string{text}); err == nil || !strings.Contains(err.Error(), text+" can't be run") {
		t.Errorf("a text as a program: %v", err)
	}
	if _, err := Run(t.Context(), exec.Command("true"), []string{text}); err == nil {
		t.Error("a watcher that does not call Child: no error")
	}
}
