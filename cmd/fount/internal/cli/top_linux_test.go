// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount top on a terminal, at a real pool's endpoint.

package cli

import (
	"context"
	"encoding/json"
	"expvar"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fount/cmd/fount/internal/top"
	"fount/password"
	"fount/telemetry"

	"golang.org/x/sys/unix"
)

// busyPool returns the server of a pool that is called until the test ends.
func busyPool(t *testing.T, name string) *httptest.Server {
	t.Helper()
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4}, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	stored, err := pool.Hash(ctx, password.Login{Class: password.ClassChangePassword}, []byte("right"))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			_, _ = pool.Verify(ctx, password.Login{Principal: "somebody"}, []byte("right"), stored)
			time.Sleep(time.Millisecond)
		}
	}()
	t.Cleanup(func() {
		<-ended
		pool.Close(context.Background())
	})
	if expvar.Get(name) == nil { // expvar forgets none: with -count the first pool stays
		expvar.Publish(name, expvar.Func(func() any { return telemetry.Read(pool) }))
	}
	server := httptest.NewServer(expvar.Handler())
	t.Cleanup(server.Close)
	return server
}

var (
	privateMode = regexp.MustCompile(`\x1b\[\?([0-9;]+)([hl])`)
	colors      = regexp.MustCompile(`\x1b\[[0-9;]*[1-9][0-9;]*m`)
)

// leftOn are the terminal's modes that text leaves in another state than they had.
func leftOn(text string) (modes []string) {
	usual := map[string]bool{"25": true, "7": true} // the cursor is shown, and lines wrap
	on := maps.Clone(usual)
	for _, m := range privateMode.FindAllStringSubmatch(text, -1) {
		for mode := range strings.SplitSeq(m[1], ";") {
			on[mode] = m[2] == "h"
		}
	}
	for mode, is := range on {
		if is != usual[mode] {
			modes = append(modes, mode)
		}
	}
	return modes
}

func termios(t *testing.T, f *os.File) unix.Termios {
	t.Helper()
	state, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return *state
}

func resize(t *testing.T, screen *os.File, columns, rows uint16) {
	t.Helper()
	if err := unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}); err != nil {
		t.Fatal(err)
	}
}

// The view lives on a terminal: it follows its size, and however it ends it leaves it as it was.
func TestTopOnTerminal(t *testing.T) {
	server := busyPool(t, "top")
	for _, test := range []struct {
		name   string
		args   string
		env    string
		end    func(screen *os.File, cmd *exec.Cmd) error
		status int
	}{
		{"q", "", "", typed("q"), 0},
		{"escape", "", "NO_COLOR=1", typed("\x1b"), 0},
		{"ctrl-C", "", "", typed("\x03"), 130},
		{"SIGTERM", "", "", sent(syscall.SIGTERM), 143},
		{"SIGINT", "", "", sent(syscall.SIGINT), 130},
		{"SIGHUP", "", "", sent(syscall.SIGHUP), 129},
		{"count", "-n 3", "", nil, 0},
		{"ctrl-Z", "", "", back(typed("\x1a")), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			screen, tty := openTerminal(t, 40)
			resize(t, screen, 40, 12)
			before := termios(t, screen)
			cmd := exec.Command("fount", append(strings.Fields("top --interval 100ms "+test.args), server.URL)...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			cmd.Env = append(os.Environ(), "TERM=xterm-256color", "NO_COLOR=", "LC_ALL=C.UTF-8", test.env)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			tty.Close()
			limit := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
			defer limit.Stop()

			text := ""
			if test.end != nil {
				text = readScreen(screen, regexp.MustCompile(`goodput`))
				resize(t, screen, 100, 24)
				text += readScreen(screen, regexp.MustCompile(`every`)) // which is only on a wide one
				if err := test.end(screen, cmd); err != nil {
					t.Fatal(err)
				}
			}
			text += readScreen(screen, nil)
			_ = cmd.Wait()
			if status := cmd.ProcessState.ExitCode(); status != test.status {
				t.Errorf("status %d (%v), want %d", status, cmd.ProcessState, test.status)
			}
			if after := termios(t, screen); after != before {
				t.Errorf("the terminal's settings were %+v and are %+v", before, after)
			}
			if modes := leftOn(text); len(modes) > 0 || !strings.Contains(text, "\x1b[?1049h") {
				t.Errorf("modes %v are left, or there was no screen of its own: %q", modes, text)
			}
			if colored := colors.MatchString(text); colored != (test.env == "") {
				t.Errorf("with %q, colours: %v", test.env, colored)
			}
		})
	}
}

func typed(keys string) func(*os.File, *exec.Cmd) error {
	return func(screen *os.File, _ *exec.Cmd) error {
		_, err := screen.WriteString(keys)
		return err
	}
}

func sent(s syscall.Signal) func(*os.File, *exec.Cmd) error {
	return func(_ *os.File, cmd *exec.Cmd) error { return cmd.Process.Signal(s) }
}

// back is what asks a process to stop that can't be stopped, being the leader of its session (setpgid(2), orphaned groups): its view
// goes and comes back. Then q ends it.
func back(ask func(*os.File, *exec.Cmd) error) func(*os.File, *exec.Cmd) error {
	return func(screen *os.File, cmd *exec.Cmd) error {
		if err := ask(screen, cmd); err != nil {
			return err
		}
		text := readScreen(screen, regexp.MustCompile(`(?s)1049l.*1049h.*goodput`))
		if modes := leftOn(text[:strings.Index(text+"1049h", "1049h")]); len(modes) > 0 {
			return fmt.Errorf("modes %v are on while it should be stopped: %q", modes, text)
		}
		return typed("q")(screen, cmd)
	}
}

// A process that is stopped leaves the terminal as it was, and takes it again when it goes on.
func TestTopStops(t *testing.T) {
	server := busyPool(t, "stops")
	screen, tty := openTerminal(t, 80)
	before := termios(t, screen)
	cmd := exec.Command("fount", "top", "--interval", "100ms", server.URL)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // of this session, so that the kernel stops it
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	limit := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer limit.Stop()
	text := readScreen(screen, regexp.MustCompile(`goodput`))
	for range 2 {
		if err := typed("\x1a")(screen, cmd); err != nil {
			t.Fatal(err)
		}
		text += readScreen(screen, regexp.MustCompile(`1049l.*2004l`))
		var status unix.WaitStatus
		if _, err := unix.Wait4(cmd.Process.Pid, &status, unix.WUNTRACED, nil); err != nil || !status.Stopped() {
			t.Fatalf("status %#x, %v, want that it is stopped; the screen: %q", status, err, text)
		}
		if modes := leftOn(text); len(modes) > 0 || termios(t, screen) != before {
			t.Errorf("modes %v are left, settings %+v, were %+v", modes, termios(t, screen), before)
		}
		if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		text = readScreen(screen, regexp.MustCompile(`(?s)1049h.*goodput`))
	}
	if err := typed("q")(screen, cmd); err != nil {
		t.Fatal(err)
	}
	readScreen(screen, nil)
	if err := cmd.Wait(); err != nil || termios(t, screen) != before {
		t.Errorf("%v, or the terminal's settings are others", err)
	}
}

// A panic leaves the terminal as it was, too.
func TestTopPanics(t *testing.T) {
	screen, tty := openTerminal(t, 80)
	before := termios(t, screen)
	read := make(chan string, 1)
	go func() { read <- readScreen(screen, nil) }()
	said := func() (said any) {
		defer func() { said = recover() }()
		screen := top.Screen{In: tty, Out: tty, Interval: time.Millisecond, Next: func(context.Context) top.Frame { panic("a defect") }}
		_, err := screen.Show(top.Frame{})
		return err
	}()
	after := termios(t, screen)
	tty.Close()
	text := <-read
	if trace, ok := said.(string); !ok || !strings.Contains(trace, "a defect") || !strings.Contains(trace, "top_linux_test.go") {
		t.Errorf("the panic was %v", said)
	}
	if modes := leftOn(text); after != before || len(modes) > 0 {
		t.Errorf("settings were %+v and are %+v; modes %v are left: %q", before, after, modes, text)
	}
}

func TestLeftOn(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "\x1b[?1049h\x1b[?25l": 2, "\x1b[?1049h\x1b[?25lx\x1b[?25h\x1b[?1049l": 0, "\x1b[?2004;1000h\x1b[?1000l": 1,
	} {
		if got := leftOn(text); len(got) != want {
			t.Errorf("%q leaves %v, want %d modes", text, got, want)
		}
	}
}

// In a pipe there are plain lines, or JSON, and the command ends after as many as it was asked for; without figures in the last of
// them it fails.
func TestTopInPipe(t *testing.T) {
	server := busyPool(t, "pipe")
	out, err := exec.Command("fount", "top", "--interval", "100ms", "-n", "3", server.URL).Output()
	if lines := strings.Split(string(out), "\n"); err != nil || len(lines) < 5 || lines[0]+"\n" != top.Head || strings.Contains(string(out), "\x1b") {
		t.Errorf("%v: %q", err, out)
	}
	out, err = exec.Command("fount", "top", "--json", "--interval", "100ms", "-n", "2", server.URL).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != 2 {
		t.Errorf("%d lines, want 2: %s", len(lines), out)
	}
	for _, line := range lines {
		var f top.Frame
		if err := json.Unmarshal([]byte(line), &f); err != nil || f.Interval <= 0 || len(f.Pools) == 0 {
			t.Errorf("%s: %v", line, err)
		}
	}

	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	reader, gone, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer gone.Close()
	reader.Close()
	for want, out := range map[int]*os.File{1: full, 141: gone} {
		var stderr strings.Builder
		cmd := exec.Command("fount", "top", "--json", "--interval", "100ms", server.URL)
		cmd.Stdout, cmd.Stderr = out, &stderr
		_ = cmd.Run()
		if status, said := cmd.ProcessState.ExitCode(), stderr.String(); status != want || strings.Contains(said, "no space left") != (want == 1) {
			t.Errorf("status %d, standard error %q; want %d", status, said, want)
		}
	}

	var asked atomic.Int32
	lost := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // figures once, and never again
		if asked.Add(1) > 1 {
			http.NotFound(w, r)
			return
		}
		expvar.Handler().ServeHTTP(w, r)
	}))
	defer lost.Close()
	var stdout, stderr strings.Builder
	cmd := exec.Command("fount", "top", "--interval", "100ms", "-n", "2", lost.URL)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	const why = "no figures of fount: /debug/vars: HTTP status 404"
	if status := cmd.ProcessState.ExitCode(); status != 1 || strings.Count(stdout.String(), "gone: "+why) != 2 ||
		stderr.String() != "fount top: "+lost.URL+": "+why+"; /metrics: HTTP status 404\n" {
		t.Errorf("status %d, %q, standard error %q", status, stdout.String(), stderr.String())
	}
}
