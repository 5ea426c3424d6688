// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package entropy

// The seed file under kill -9, with real processes.

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A child is told by this variable what to do: PATH:STEP:KIND.
const childVariable = "FOUNT_TEST_SEED_CHILD"

func TestMain(m *testing.M) {
	if order := os.Getenv(childVariable); order != "" {
		seedChild(strings.Split(order, ":"))
	}
	os.Exit(m.Run())
}

// seedChild uses the file until it is killed. Before each use it says what it is about to use (a
// careless one already when it has read it), and at the given step that it waits there. It does not
// wait for the disk: a process that is killed loses nothing of what the kernel has.
func seedChild(order []string) {
	path, stop, careless := order[0], order[1], order[2] == "careless"
	p := somePools(2)
	d := &watch{lazy: true}
	d.step = func(name string) error {
		if careless && name == "create" || !careless && name == "use" {
			h := sha256.Sum256(d.used)
			os.Stdout.WriteString("use " + hex.EncodeToString(h[:]) + "\n")
		}
		if name == stop {
			os.Stdout.WriteString("at " + name + "\n")
			os.Stdin.Read(make([]byte, 1)) // never comes; select {} would be a deadlock
		}
		return nil
	}
	for {
		if err := p.load(d, path); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
	}
}

// usedBy starts a child, kills it when it waits at its step, and returns hashes of what it used.
func usedBy(t *testing.T, path, stop, kind string) (used []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short starts no process")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+path+":"+stop+":"+kind)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}

	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}

	r := bufio.NewReader(out)
	hear := func() string {
		line, err := r.ReadString('\n')
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}

		what, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch what {
		case "use":
			used = append(used, value)
		case "error":
			t.Errorf("the child says: %s", value)
		}
		return what
	}

	for what := "use"; what == "use"; {
		what = hear()
	}

	cmd.Process.Kill() // SIGKILL
	for hear() != "" { // what it had said by then
	}
	cmd.Wait()

	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Errorf("the child ended by itself: %v", cmd.ProcessState)
	}
	return used
}

// Killed at whatever step, the file is whole, and what one process has used no other uses. The
// control uses what it reads before the new contents are there.
func TestSeedFileKilledAtEachStep(t *testing.T) {
	for _, step := range steps {
		t.Run(step, func(t *testing.T) {
			if n := usedTwice(t, step, "careful"); n > 0 {
				t.Errorf("%d contents were used twice", n)
			}
		})
	}

	t.Run("control", func(t *testing.T) {
		for _, step := range steps {
			if usedTwice(t, step, "careless") > 0 {
				return
			}
		}
		t.Error("no contents were used twice")
	})
}

// usedTwice kills two processes, one after the other, at a step of their use of a file, and returns
// how many contents both used.
func usedTwice(t *testing.T, step, kind string) (repeated int) {
	path := filepath.Join(seedDir(t), "seed")
	if err := somePools(2).load(systemDisk{}, path); err != nil {
		t.Fatal(err)
	}
	old := regular(path)
	seen := map[string]bool{}
	for range 2 {
		for _, use := range usedBy(t, path, step, kind) {
			if seen[use] {
				repeated++
			}
			seen[use] = true
		}
	}

	contentsOf(t, path) // whole
	want(t, "the file is replaced", !bytes.Equal(regular(path), old), replaced(step))
	if err := somePools(2).load(systemDisk{}, path); err != nil {
		t.Errorf("the next process: %v", err)
	}
	return repeated
}
