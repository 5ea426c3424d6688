// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount serve files as a process, and of what becomes of its clients.

//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// hanging is when a test gives up on a process, which should end in milliseconds.
const hanging = time.Minute

// A served is a running fount serve files.
type served struct {
	cmd    *exec.Cmd
	stderr *bufio.Reader
	addr   string // that it says first
}

// serveFiles starts fount serve files through sh, after that shell code, and returns when it has
// said so often that it serves as there are listeners.
func serveFiles(t *testing.T, shell string, args ...string) *served {
	t.Helper()
	// What is notified here has its default action in the child; see startForever.
	notified := make(chan os.Signal, 1)
	signal.Notify(notified, os.Interrupt)
	defer signal.Stop(notified)

	s := &served{cmd: exec.Command("sh", append([]string{"-c", shell + `exec fount serve files "$@"`, "sh"}, args...)...)}
	stderr, err := s.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())

	watchdog := time.AfterFunc(hanging, func() { s.cmd.Process.Kill() })
	t.Cleanup(func() {
		watchdog.Stop()
		s.cmd.Process.Kill()
		s.cmd.Wait()
	})

	s.stderr = bufio.NewReader(stderr)
	for range strings.Count(strings.Join(args, " "), "--listen") {
		line, err := s.stderr.ReadString('\n')
		addr, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "fount serve files: serving at ")
		if err != nil || !ok {
			rest, _ := io.ReadAll(s.stderr)
			t.Fatalf("%q says %q and %q, %v", s.cmd.Args, line, rest, err)
		}
		if s.addr == "" {
			s.addr = addr
		}
	}
	return s
}

// end returns the exit status and what was said until then.
func (s *served) end(t *testing.T) (status int, said string) {
	t.Helper()
	rest, err := io.ReadAll(s.stderr)
	require.NoError(t, err)
	_ = s.cmd.Wait()
	return s.cmd.ProcessState.ExitCode(), string(rest)
}

// dial connects to a server, and has it answer.
func dial(t *testing.T, addr string) {
	t.Helper()
	f, err := dialRandom(addr, false)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
}

// Eight clients read without end when their server is killed: each fails, and says how many bytes
// it had. The socket stays behind, and the next server takes it over.
func TestServerKilled(t *testing.T) {
	addr := "unix!" + filepath.Join(socketdir.New(t), "files")
	server := serveFiles(t, "", "--listen", addr)

	ctx, cancel := context.WithTimeout(t.Context(), hanging)
	defer cancel()

	type reader struct {
		cmd    *exec.Cmd
		stderr bytes.Buffer
		got    chan int64
	}
	readers := make([]*reader, 8)
	for i := range readers {
		r := &reader{cmd: exec.CommandContext(ctx, "fount", "rand", "--forever", "--from", addr), got: make(chan int64, 1)}
		readers[i] = r
		r.cmd.Stderr = &r.stderr
		out, err := r.cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, r.cmd.Start())
		if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
			t.Fatalf("client %d: %v, stderr %q", i, err, &r.stderr)
		}
		go func() { // or it might wait for its own reader, not for the server
			n, _ := io.Copy(io.Discard, out)
			r.got <- n + 1
		}()
	}

	require.NoError(t, server.cmd.Process.Kill())
	_, _ = server.end(t)
	for i, r := range readers {
		n := <-r.got
		err := r.cmd.Wait()
		want := fmt.Sprintf("; %d bytes were written\n", n)
		if status := r.cmd.ProcessState.ExitCode(); status != statusFailed || !strings.HasSuffix(r.stderr.String(), want) {
			t.Errorf("client %d: status %d (%v), stderr %q, want %d and an end with %q",
				i, status, err, &r.stderr, statusFailed, want)
		}
	}

	if _, err := os.Lstat(strings.TrimPrefix(addr, "unix!")); err != nil {
		t.Fatalf("the killed server's socket is gone, so that this shows nothing: %v", err)
	}
	serveFiles(t, "", "--listen", addr)
	out, err := exec.CommandContext(ctx, "fount", "rand", "100", "--from", addr).Output()
	if err != nil || len(out) != 100 {
		t.Errorf("after the restart: %d bytes, %v, want 100", len(out), err)
	}
}

func TestSocketMode(t *testing.T) {
	for args, want := range map[string]fs.FileMode{"": 0o600, "--mode 0660": 0o660, "--mode 666": 0o666} {
		for _, umask := range []string{"umask 0; ", "umask 077; "} {
			t.Run(umask+args, func(t *testing.T) {
				socket := filepath.Join(socketdir.New(t), "files")
				serveFiles(t, umask, append(strings.Fields(args), "--listen", "unix!"+socket)...)
				info, err := os.Lstat(socket)
				if err != nil || info.Mode() != fs.ModeSocket|want {
					t.Errorf("mode %v, %v, want %v", info.Mode(), err, fs.ModeSocket|want)
				}
			})
		}
	}
}

// Both signals stop a server with a client, with status 0, without a word or a trace.
func TestServeStops(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			socket := filepath.Join(socketdir.New(t), "files")
			s := serveFiles(t, "", "--listen", "unix!"+socket, "--listen", "tcp!127.0.0.1!0")
			dial(t, s.addr)
			require.NoError(t, s.cmd.Process.Signal(sig))
			if status, said := s.end(t); status != statusOK || said != "" {
				t.Errorf("status %d, stderr %q, want 0 and none", status, said)
			}
			if _, err := os.Lstat(socket); !os.IsNotExist(err) {
				t.Errorf("the socket is there: %v", err)
			}
		})
	}
}

// The manager hears that the server is ready, when it is, and in one message.
func TestServeNotifies(t *testing.T) {
	name := filepath.Join(socketdir.New(t), "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	require.NoError(t, err)
	defer l.Close()
	require.NoError(t, l.SetReadDeadline(time.Now().Add(hanging)))

	s := serveFiles(t, "export NOTIFY_SOCKET="+name+"; ", "--listen", "tcp!127.0.0.1!0")
	b := make([]byte, 100)
	n, err := l.Read(b)
	if err != nil || string(b[:n]) != "READY=1" {
		t.Errorf("the manager hears %q, %v, want READY=1", b[:n], err)
	}
	dial(t, s.addr)

	alone := serveFiles(t, "export NOTIFY_SOCKET="+name+".none; ", "--listen", "tcp!127.0.0.1!0")
	dial(t, alone.addr)
	alone.cmd.Process.Signal(os.Interrupt)
	want := "fount serve files: the service manager was not told: NOTIFY_SOCKET: dial unixgram " + name + ".none: "
	if status, said := alone.end(t); status != 0 || !strings.HasPrefix(said, want) {
		t.Errorf("a manager that does not listen: status %d, %q, want a warning and 0", status, said)
	}
}
