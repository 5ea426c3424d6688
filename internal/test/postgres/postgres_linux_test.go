// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package postgres

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fount/internal/test/otheruser"
)

// variable says how a test in a process of its own ends.
const variable = "FOUNT_TEST_POSTGRES_END"

func long(t *testing.T) {
	t.Helper()
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this makes clusters of PostgreSQL")
	}
}

// listens reports whether a PostgreSQL serves the socket in a directory: it answers a request for TLS by one letter.
func listens(dir string) bool {
	c, err := net.Dial("unix", filepath.Join(dir, ".s.PGSQL.5432"))
	if err != nil {
		return false
	}
	defer c.Close()
	_, _ = c.Write([]byte{0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f}) // SSLRequest of the protocol's version 3
	n, _ := c.Read(make([]byte, 1))
	return n == 1
}

// It serves its socket alone, not as root, and after a kill and another start again.
func TestServer(t *testing.T) {
	long(t)
	s := New(t)
	if listens(s.dir) {
		t.Error("it runs before Start")
	}
	for range 2 {
		s.Start("max_connections=7")
		if !listens(s.dir) {
			t.Fatal("it does not listen")
		}
		state, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
		if lines := strings.Split(string(state), "\n"); err != nil || len(lines) < 6 || lines[5] != "" {
			t.Errorf("%q, %v; want no address of a network in line 6", state, err)
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
		if err != nil || strings.Contains(string(status), "\nUid:\t0\t") {
			t.Errorf("%v; it runs as root", err)
		}
		if args, err := os.ReadFile(filepath.Join(s.data(), "postmaster.opts")); err != nil || !strings.Contains(string(args), "max_connections=7") {
			t.Errorf("%s, %v; want the setting", args, err)
		}
		s.Kill()
		if listens(s.dir) {
			t.Error("it listens after Kill")
		}
	}
}

// One that can't start says why.
func TestUntilReady(t *testing.T) {
	for log, want := range map[string]string{
		"LOG:  starting\nLOG:  database system is ready to accept connections\nLOG:  more": "",
		"FATAL:  unrecognized parameter\n":                                                 "FATAL:  unrecognized parameter\nEOF",
	} {
		if got := untilReady(strings.NewReader(log)); got != want {
			t.Errorf("%q says %q; want %q", log, got, want)
		}
	}
}

// However the process of a test ends, its PostgreSQL does, and is removed if the test has but failed.
func TestEnds(t *testing.T) {
	if how := os.Getenv(variable); how != "" {
		s := New(t)
		s.Start()
		fmt.Println("dir=" + s.dir)
		end(t, how)
	}
	long(t)
	for _, how := range []string{"fails", "panics", "panics elsewhere", "is killed"} {
		t.Run(how, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestEnds$")
			cmd.Env = append(os.Environ(), variable+"="+how, "TMPDIR="+otheruser.Dir(t))
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			dir := ""
			for lines := bufio.NewScanner(out); lines.Scan(); {
				if d, ok := strings.CutPrefix(lines.Text(), "dir="); ok {
					dir = d
				}
			}
			if err := cmd.Wait(); err == nil || dir == "" {
				t.Fatalf("%v, directory %q; want a failure after PostgreSQL has started", err, dir)
			}
			if _, err := os.Stat(dir); how == "fails" && !os.IsNotExist(err) {
				t.Errorf("%s: %v; want it removed", dir, err)
			}
			for listens(dir) {
			}
		})
	}
}

// end ends a test.
func end(t *testing.T, how string) {
	switch how {
	case "fails":
		t.Fatal("as it should")
	case "panics":
		panic("as it should")
	case "panics elsewhere":
		go panic("as it should")
	case "is killed":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	select {}
}
