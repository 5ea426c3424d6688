// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package pool

// The seed file under kill -9, with real processes.

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A child is told by this variable what to do: PATH:STEP:KIND.
const childVariable = "FOUNT_TEST_SEED_CHILD"

func TestMain(m *testing.M) {
	attackAsked()
	if order := os.Getenv(childVariable); order != "" {
		seedChild(strings.Split(order, ":"))
	}
	os.Exit(m.Run())
}

// seedChild uses the file until it is killed. Before it renames the next file it says what is in it;
// before each use what it is about to use (a careless one already when it has read it); and at the
// given step, if there is one, that it waits there. Otherwise it dawdles at half of the steps, so that
// each of them is a moment in which it can be killed, however quick the disk is. It saves itself the
// waiting for the disk: a process that is killed loses nothing of what the kernel has.
func seedChild(order []string) {
	path, stop, careless := order[0], order[1], order[2] == "careless"
	p := somePools(2)
	d := &watch{lazy: true}
	random := dice()
	say := func(what string, b []byte) { os.Stdout.WriteString(what + " " + sum(b) + "\n") }
	d.step = func(name string) error {
		if careless && name == "create" || !careless && name == "use" {
			say("use", d.used)
		}
		if name == "rename" {
			say("made", regular(d.next))
		}
		if stop == "" && random.IntN(2) == 0 {
			time.Sleep(time.Duration(random.IntN(1000)) * time.Microsecond)
		}
		if name == stop {
			os.Stdout.WriteString("at " + name + "\n")
			os.Stdin.Read(make([]byte, 1)) // never comes; of select {} the runtime would say that it is a deadlock
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

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// A life is what a child said before it was killed: hashes of what it used and of what it made.
type life struct{ used, made []string }

// live starts a child, and kills it when it has said so many lines or waits at its step.
func live(t *testing.T, path, stop, kind string, lines int) (l life) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+path+":"+stop+":"+kind)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); errors.Is(err, syscall.ENOEXEC) { // an emulator runs this one
		t.Skipf("this system can't execute the test binary again: %v", err)
	} else if err != nil {
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
			l.used = append(l.used, value)
		case "made":
			l.made = append(l.made, value)
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
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Errorf("the child ended by itself: %v", cmd.ProcessState)
	}
	return l
}

// Killed at whatever step, the file is whole, and what a process has used no other uses. The
// control uses what it reads before the new contents are there, and is caught.
func TestSeedFileKilledAtEachStep(t *testing.T) {
	for _, kind := range []string{"careful", "careless"} {
		repeated := 0
		for _, stop := range steps {
			path := filepath.Join(seedDir(t), "seed")
			if err := somePools(2).load(systemDisk{}, path); err != nil {
				t.Fatal(err)
			}
			old := regular(path)
			seen := map[string]bool{}
			for range 2 {
				for _, use := range live(t, path, stop, kind, 0).used {
					if seen[use] {
						repeated++
					}
					seen[use] = true
				}
			}
			contents(t, path) // whole
			if renamed := stop == "syncDir" || stop == "use"; bytes.Equal(regular(path), old) == renamed {
				t.Errorf("killed at %s: the file is the old one: %v", stop, !renamed)
			}
			if err := somePools(2).load(systemDisk{}, path); err != nil {
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

// Killed at any moment, over and over: each time the file is the last that was made or the one before it, whole; nobody
// has used it, and nothing is used twice. Four files at once, as a child mostly waits.
func TestSeedFileKilledAnywhere(t *testing.T) {
	rounds := 5
	if os.Getenv("FOUNT_LONG") != "" {
		rounds = 50
	}
	live(t, filepath.Join(seedDir(t), "seed"), "", "careful", 1) // or skips
	var used, kept [4]int
	t.Run("files", func(t *testing.T) {
		for i := range used {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				used[i], kept[i] = killedOften(t, rounds, rand.New(rand.NewPCG(uint64(i), 2026)))
			})
		}
	})
	if n := kept[0] + kept[1] + kept[2] + kept[3]; n == 0 || n == len(kept)*rounds {
		t.Errorf("of %d rounds %d left the old file: the moments are not spread", len(kept)*rounds, n)
	}
	t.Logf("%d rounds a file, contents used: %d, the old file left: %d times", rounds, used, kept)
}

// killedOften kills a child so often, at random, and returns how many contents were used and how often the old file stood.
func killedOften(t *testing.T, rounds int, random *rand.Rand) (used, kept int) {
	path := filepath.Join(seedDir(t), "seed")
	if err := somePools(2).load(systemDisk{}, path); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	last := sum(regular(path)) // the file of the round before
	for round := range rounds {
		l := live(t, path, "", "careful", 1+random.IntN(40))
		for _, use := range l.used {
			if seen[use] {
				t.Fatalf("round %d: contents %.16s were used twice", round, use)
			}
			seen[use] = true
		}
		possible := append([]string{last}, l.made...)
		possible = possible[max(0, len(possible)-2):]
		contents(t, path) // whole
		file := sum(regular(path))
		if seen[file] {
			t.Fatalf("round %d: contents %.16s are on the disk and were used", round, file)
		}
		if !slices.Contains(possible, file) {
			t.Fatalf("round %d: the file is %.16s, want the old one or the new one, %.16q", round, file, possible)
		}
		if file == possible[0] {
			kept++
		}
		last = file
	}
	return len(seen), kept
}
