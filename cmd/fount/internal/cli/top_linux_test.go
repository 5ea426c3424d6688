// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount top on a terminal, at a real pool's endpoint.

package cli

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/password"
	fountprometheus "fount/telemetry/prometheus"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"golang.org/x/sys/unix"
)

// metricsServer serves the metrics of a pool that nobody calls.
func metricsServer(t *testing.T) *httptest.Server {
	t.Helper()
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4}})
	require.NoError(t, err)
	t.Cleanup(func() { pool.Close(context.Background()) })
	registry := prometheus.NewRegistry()
	registry.MustRegister(fountprometheus.NewCollector(pool, "login"), fountprometheus.NewProcessCollector())
	server := httptest.NewServer(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	t.Cleanup(server.Close)
	return server
}

var privateMode = regexp.MustCompile(`\x1b\[\?([0-9;]+)([hl])`)

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
	require.NoError(t, err)
	return *state
}

// However the view ends, it leaves the terminal as it was.
func TestTopOnTerminal(t *testing.T) {
	server := metricsServer(t)
	for _, test := range []struct {
		name   string
		end    func(screen *os.File, cmd *exec.Cmd) error
		status int
	}{
		{name: "q", end: types("q")},
		{name: "ctrl-C", end: types("\x03"), status: statusInterrupted},
		{name: "SIGTERM", end: sent(syscall.SIGTERM), status: statusInterrupted},
		{name: "SIGINT", end: sent(syscall.SIGINT), status: statusInterrupted},
	} {
		t.Run(test.name, func(t *testing.T) {
			screen, tty := openTerminal(t, 40)
			before := termios(t, screen)
			cmd := exec.Command("fount", "top", "--interval", "100ms", server.URL)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8")
			startOn(t, tty, cmd)
			limit := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
			defer limit.Stop()

			text := readScreen(screen, regexp.MustCompile(`goodput`))
			require.NoError(t, test.end(screen, cmd))
			text += readScreen(screen, nil)
			ended(t, cmd, test.status, text, `\x1b\[\?1049h`) // a screen of its own

			if after := termios(t, screen); after != before {
				t.Errorf("the terminal's settings were %+v and are %+v", before, after)
			}
			if modes := leftOn(text); len(modes) > 0 {
				t.Errorf("modes %v are left: %q", modes, text)
			}
		})
	}
}

func types(keys string) func(*os.File, *exec.Cmd) error {
	return func(screen *os.File, _ *exec.Cmd) error {
		_, err := screen.WriteString(keys)
		return err
	}
}

func sent(s syscall.Signal) func(*os.File, *exec.Cmd) error {
	return func(_ *os.File, cmd *exec.Cmd) error { return cmd.Process.Signal(s) }
}

// In a pipe the lines come again at each interval; without figures after the last of them it fails.
func TestTopInPipe(t *testing.T) {
	server := metricsServer(t)
	out, err := exec.Command("fount", "top", "--interval", "100ms", "-n", "3", server.URL).Output()
	if err != nil || strings.Count(string(out), "\npool login\n") != 3 || strings.Contains(string(out), "\x1b") {
		t.Errorf("%v: %q", err, out)
	}
	asked := 0
	lost := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked > 1 {
			http.NotFound(w, r)
			return
		}
		server.Config.Handler.ServeHTTP(w, r)
	}))
	defer lost.Close()
	var stdout, stderr strings.Builder
	cmd := exec.Command("fount", "top", "--interval", "100ms", "-n", "2", lost.URL)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	if status := cmd.ProcessState.ExitCode(); status != 1 || strings.Count(stdout.String(), "gone: no metrics: HTTP status 404") != 2 ||
		stderr.String() != "fount top: "+lost.URL+": no metrics: HTTP status 404\n" {
		t.Errorf("status %d, %q, standard error %q", status, stdout.String(), stderr.String())
	}
}
