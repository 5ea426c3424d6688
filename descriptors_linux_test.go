// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"fount"

	"golang.org/x/sys/unix"
)

const freeEnv = "FOUNT_TEST_FREE_DESCRIPTORS"

func init() { children["descriptors"] = drawWithoutDescriptors }

// drawWithoutDescriptors draws while the process may open no more than a few
// files, and again when it may.
func drawWithoutDescriptors() {
	free, err := strconv.Atoi(os.Getenv(freeEnv))
	var next int
	var limit unix.Rlimit
	if err == nil {
		next, err = unix.Dup(0) // the lowest that is free
	}
	if err == nil {
		unix.Close(next)
		err = unix.Getrlimit(unix.RLIMIT_NOFILE, &limit)
	}
	if err == nil {
		err = unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(next + free), Max: limit.Max})
	}
	if err != nil {
		fmt.Print(err)
		os.Exit(1)
	}
	fmt.Printf("%x\n", fount.Nonce())
	during := fount.Status()
	unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)
	time.Sleep(time.Second / 5) // the search rests for half of this
	fount.Reseed()
	fount.Nonce()
	fmt.Printf("%s\n%s\n%s\n", during.Mode, during.Why, fount.Status().Mode)
}

// A process that is out of descriptors at its first draw draws all the same, says why it runs in
// mode window, and leaves it when there are some again.
func TestNoDescriptorsAtTheFirstDraw(t *testing.T) {
	fount.Nonce()
	usual := fount.Status()
	for free := range 6 {
		t.Run(fmt.Sprintf("%d free", free), func(t *testing.T) {
			t.Parallel() // it waits
			stdout, stderr, exit := runChild(t, "descriptors", freeEnv+"="+strconv.Itoa(free))
			lines := strings.Split(stdout, "\n")
			if exit != 0 || len(lines) != 5 {
				t.Fatalf("exit status %d, %q, %q", exit, stdout, stderr)
			}

			during, why, after := lines[1], lines[2], lines[3]
			want := usual.Mode
			short := strings.Contains(why, "too many open files")
			if short {
				want = "window"
			}
			if during != want || free == 0 && !short {
				t.Errorf("mode %q because %q, want %q", during, why, want)
			}
			if after != usual.Mode {
				t.Errorf("mode %q when there are enough, want %q", after, usual.Mode)
			}
		})
	}
}
