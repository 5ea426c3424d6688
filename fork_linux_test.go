// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
	"unsafe"

	"fount"
	"fount/internal/entropy"

	"golang.org/x/sys/unix"
)

// A raw fork, as a C host of a Go library may make it: the child inherits
// every state and draws on. Go itself has no fork, so what the child may do is
// little: one thread, no scheduler, no allocation. It runs in a process of its
// own, which is quiet.

func init() { children["fork"] = forkAndDraw }

// family is how many processes draw: the parent, its child, and the child's child.
const family = 3

func forkAndDraw() {
	fount.Nonce()
	var out [16]byte
	draw := func() { out = fount.Nonce() }
	draw() // grows the stack as far as it will be needed

	var pipe [2]int
	process := 0 // the parent
	if forkWithPipe(&pipe) == 0 {
		process = 1
		if rawFork() == 0 {
			process = 2
		}
	}

	draw()
	if process > 0 {
		msg := append([]byte{byte(process)}, out[:]...)
		unix.RawSyscall(unix.SYS_WRITE, uintptr(pipe[1]), uintptr(unsafe.Pointer(&msg[0])), uintptr(len(msg)))
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}

	draws := [family]string{0: hex.EncodeToString(out[:])}
	time.AfterFunc(20*time.Second, func() {
		fmt.Print("the forked processes are stuck")
		os.Exit(1)
	})

	for range family - 1 {
		var msg [1 + len(out)]byte
		if n, err := unix.Read(pipe[0], msg[:]); n != len(msg) || err != nil {
			panic(fmt.Sprint("short message: ", n, err))
		}
		draws[msg[0]] = hex.EncodeToString(msg[1:])
	}
	fmt.Print(strings.Join(draws[:], " "))
}

func rawFork() (pid uintptr) {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if errno != 0 {
		panic(errno)
	}
	return pid
}

// forkWithPipe makes a pipe and forks. A child that had been asked to give way before it
// was born would be stuck at its next call of a function, as it has no scheduler. Gosched
// answers such requests, and the runtime makes the next one 10 ms later at the
// earliest: a fork that took half as long is made again.
func forkWithPipe(pipe *[2]int) (pid uintptr) {
	runtime.LockOSThread()
	debug.SetGCPercent(-1)
	for tries := 0; ; tries++ {
		if err := unix.Pipe(pipe[:]); err != nil {
			panic(err)
		}
		runtime.Gosched()
		start := time.Now()
		if pid = rawFork(); pid == 0 || time.Since(start) < 5*time.Millisecond || tries == 100 {
			return pid
		}
		unix.Kill(int(pid), unix.SIGKILL)
		unix.Wait4(int(pid), nil, 0, nil)
	}
}

func init() { children["fork in feed"] = forkInFeed }

// forkInFeed forks while other threads feed the pools and add to them. The child has their locks,
// and nobody to open them.
func forkInFeed() {
	fount.Nonce()
	for range 2 {
		go func() {
			var key [32]byte
			for b, n := make([]byte, 1<<20), uint64(1); ; n++ {
				fount.AddSeed("test", b)
				entropy.Mix(&key, n)
			}
		}()
	}

	time.Sleep(20 * time.Millisecond)

	var pipe [2]int
	pid := forkWithPipe(&pipe)
	if pid == 0 {
		fount.Reseed()
		msg := fount.Nonce()
		unix.RawSyscall(unix.SYS_WRITE, uintptr(pipe[1]), uintptr(unsafe.Pointer(&msg[0])), uintptr(len(msg)))
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}

	time.AfterFunc(20*time.Second, func() {
		unix.Kill(int(pid), unix.SIGKILL)
		fmt.Print("the forked process is stuck")
		os.Exit(1)
	})

	var msg [16]byte
	if n, err := unix.Read(pipe[0], msg[:]); n != len(msg) || err != nil {
		panic(fmt.Sprint("short message: ", n, err))
	}
	fmt.Printf("%x", msg)
	os.Exit(0)
}

// A child that was forked while the pools were fed draws on.
func TestForkDuringFeed(t *testing.T) {
	if !fount.Status().Memory.WipedOnFork {
		t.Skip("this build or system does not wipe on fork, and Status says so")
	}
	stdout, stderr, exit := runChild(t, "fork in feed", "GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=3")
	if exit != 0 || len(stdout) != 32 {
		t.Errorf("exit status %d, output %q, errors %q", exit, stdout, stderr)
	}
}

func TestForkedProcessesDiffer(t *testing.T) {
	mem := fount.Status().Memory
	if !mem.WipedOnFork {
		t.Skipf("this build or system does not wipe on fork, and Status says so: %+v", mem)
	}
	stdout, stderr, exit := runChild(t, "fork", "GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1")
	draws := strings.Fields(stdout)
	if exit != 0 || len(draws) != family {
		t.Fatalf("exit status %d, output %q, errors %q", exit, stdout, stderr)
	}
	seen := map[string]bool{}
	for _, d := range draws {
		seen[d] = true
	}
	if len(seen) != family {
		t.Errorf("%d different nonces in %d processes: %v", len(seen), family, draws)
	}
}
