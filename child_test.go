// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"fount"
)

// What must stop a process is tested in a process of its own: the test binary,
// executed again with the name of what it shall do.

const childEnv = "FOUNT_TEST_CHILD"

// children are what a child process does. Other files add theirs.
var children = map[string]func(){
	"draw":    func() { fmt.Printf("%x %s", fount.Nonce(), fount.Status().Kernel) },
	"strict":  func() { fmt.Printf("%x %s", fount.Strict{}.Nonce(), fount.Status().Kernel) },
	"bulk":    func() { fount.Read(make([]byte, 1<<20)); fmt.Print("filled from ", fount.Status().Kernel) },
	"handler": func() { inHandler(func() string { return fmt.Sprintf("%x", fount.Key()) }) },
}

func TestMain(m *testing.M) {
	if child := os.Getenv(childEnv); child != "" {
		children[child]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// inHandler calls draw in an HTTP handler whose panics are recovered twice
// over: by the handler and by net/http.
func inHandler(draw func() string) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if e := recover(); e != nil {
				fmt.Fprint(w, "recovered: ", e)
			}
		}()
		fmt.Fprint(w, draw())
	}))
	resp, err := http.Get(srv.URL)
	if err != nil {
		fmt.Print("the client saw: ", err)
		return
	}
	body, err := io.ReadAll(resp.Body)
	fmt.Printf("the handler survived: %s, %v", body, err)
}

// runChild runs a child with env added to its environment. A child that exits
// with 77 says on standard output why it can't be what it should.
func runChild(t *testing.T, child string, env ...string) (stdout, stderr string, exit int) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short starts no process")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(append(os.Environ(), childEnv+"="+child), env...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err = cmd.Run()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	if cmd.ProcessState.ExitCode() == 77 {
		t.Skip(out.String())
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// wantStopped checks that a child ended as the lack of secure bytes must end
// it: at once, with status 2 and one line.
func wantStopped(t *testing.T, stdout, stderr string, exit int, want ...string) {
	t.Helper()
	if exit != 2 || stdout != "" {
		t.Errorf("exit status %d with output %q, want 2 with none", exit, stdout)
	}
	if !strings.HasPrefix(stderr, "fount: ") || strings.Index(stderr, "\n") != len(stderr)-1 {
		t.Errorf("standard error is %q, want one line that begins with fount:", stderr)
	}
	for _, w := range want {
		if !strings.Contains(stderr, w) {
			t.Errorf("standard error is %q, want %q in it", stderr, w)
		}
	}
}

// The control of all tests that want a child stopped: undisturbed it lives.
func TestChildrenLive(t *testing.T) {
	for _, child := range []string{"draw", "strict", "bulk", "handler"} {
		stdout, stderr, exit := runChild(t, child)
		if exit != 0 || stdout == "" || stderr != "" {
			t.Errorf("%s: exit status %d, output %q, errors %q", child, exit, stdout, stderr)
		}
	}
}
