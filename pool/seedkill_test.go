// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package pool

// The seed file under kill -9, with real processes.

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// seedChild uses the file until it is killed. Before each use it says what it is about to use
// (a careless one already when it has read it), and at the given step, if there is one, that it
// waits there. It saves itself the waiting for the disk: a process that is killed loses nothing
// of what the kernel has.
func seedChild(order []string) {
	path, stop, careless := order[0], order[1], order[2] == "careless"
	p := newWorld().pools(2)
	d := &watch{lazy: true}
	say := func() {
		sum := sha256.Sum256(d.used)
		os.Stdout.WriteString("use " + hex.EncodeToString(sum[:]) + "\n")
	}
	d.step = func(name string) error {
		if careless && name == "create" || !careless && name == "use" {
			say()
		}
		if name == stop {
			os.Stdout.WriteString("at " + name + "\n")
			select {}
		}
		return nil
	}
	for {
		if err := p.replaceSeed(d, path, true); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
	}
}

// A life is what a child said before it was killed.
func life(t *testing.T, path, stop, kind string, lines int) (used []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+path+":"+stop+":"+kind)
	out, err := cmd.StdoutPipe()
	if err != nil {
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
	for i := 0; i < lines || stop != ""; i++ {
		if what := hear(); what == "at" || what == "" {
			break
		}
	}
	cmd.Process.Kill() // SIGKILL
	for hear() != "" { // what it had said by then
	}
	cmd.Wait()
	return used
}

// whole tells the file's state, and that it is the one from before or another, whole.
func whole(t *testing.T, path string) string {
	t.Helper()
	return string(contents(t, path).entries)
}

// Killed at whatever step, the file is whole, and what a process has used no other uses. The
// control uses what it reads before the new contents are there, and is caught.
func TestSeedFileKilledAtEachStep(t *testing.T) {
	for _, kind := range []string{"careful", "careless"} {
		repeated := 0
		for _, stop := range steps {
			path := filepath.Join(seedDir(t), "seed")
			if err := newWorld().pools(2).replaceSeed(systemDisk{}, path, true); err != nil {
				t.Fatal(err)
			}
			old := whole(t, path)
			seen := map[string]bool{}
			for range 2 {
				for _, use := range life(t, path, stop, kind, 0) {
					if seen[use] {
						repeated++
					}
					seen[use] = true
				}
			}
			if renamed := stop == "syncDir" || stop == "use"; (whole(t, path) == old) == renamed {
				t.Errorf("killed at %s: the file is the old one: %v", stop, !renamed)
			}
			if err := newWorld().pools(2).replaceSeed(systemDisk{}, path, true); err != nil {
				t.Errorf("killed at %s: and then: %v", stop, err)
			}
		}
		if kind == "careful" && repeated > 0 {
			t.Errorf("%d contents were used twice", repeated)
		}
		if kind == "careless" && repeated == 0 {
			t.Error("control: no contents were used twice")
		}
	}
}

// Killed at any moment, over and over: each time the file is whole and the next goes on with it,
// and nothing is used twice.
func TestSeedFileKilledAnywhere(t *testing.T) {
	rounds := 20
	if os.Getenv("FOUNT_LONG") != "" {
		rounds = 200
	}
	random := dice()
	path := filepath.Join(seedDir(t), "seed")
	seen := map[string]bool{}
	for round := range rounds {
		for _, use := range life(t, path, "", "careful", 1+random.IntN(40)) {
			if seen[use] {
				t.Fatalf("round %d: contents %.16s were used twice", round, use)
			}
			seen[use] = true
		}
		whole(t, path)
	}
	t.Logf("%d rounds, %d contents used", rounds, len(seen))
}
