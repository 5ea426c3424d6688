// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of threads and cores on Linux.

package scale

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/lab/measure"
)

// The thread of each worker may run on its core and on no other, and another goroutine's may not have changed.
func TestPinned(t *testing.T) {
	cpus := allowed()
	crew, err := newTeam(cpus)
	if err != nil {
		t.Fatal(err)
	}
	seen := make([][]int, len(cpus))
	m := measure.Method{Open: func() (measure.Source, error) {
		return measure.Workers(func(k int) measure.Worker {
			seen[k] = allowed() // of the thread that asks
			return measure.Loop{Do: func(int) {}}
		}), nil
	}}
	n := min(len(cpus), runtime.GOMAXPROCS(0))
	if _, err := crew.turn(m, task{Size: 16, Cores: n, Nodes: 1, Turn: 10 * time.Microsecond}, n); err != nil {
		t.Fatal(err)
	}
	crew.close()
	for k := range n {
		if !slices.Equal(seen[k], cpus[k:k+1]) {
			t.Errorf("worker %d may run on %v, want %d alone", k, seen[k], cpus[k])
		}
	}
	if got := allowed(); !slices.Equal(got, cpus) {
		t.Errorf("the test's own thread may run on %v now, want %v", got, cpus)
	}
	if _, err := newTeam([]int{cpus[0], 1023}); err == nil { // no machine of a test has that core
		t.Error("a thread was bound to core 1023")
	}
}

// A bound thread's time is its own: while it waits for another that works for 20 ms, it grows by less.
func TestThreadCPU(t *testing.T) {
	work := func() {
		runtime.LockOSThread()
		for start := threadCPU(); threadCPU()-start < 20*time.Millisecond; {
			busy(1000)
		}
	}
	grown := make(chan time.Duration)
	go func() {
		runtime.LockOSThread()
		before := threadCPU()
		done := make(chan bool)
		go func() {
			defer close(done)
			work()
		}()
		<-done
		grown <- threadCPU() - before
	}()
	if d := <-grown; d <= 0 || d >= 20*time.Millisecond {
		t.Errorf("a thread that waited has used %v of CPU time", d)
	}
}

// noChildren fails if this process has a child, running or not waited for.
func noChildren() error {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, task := range tasks {
		list, err := os.ReadFile("/proc/self/task/" + task.Name() + "/children")
		if os.IsNotExist(err) {
			continue // the thread has ended, or the kernel does not tell
		}
		if err != nil {
			return err
		}
		if pids := strings.TrimSpace(string(list)); pids != "" {
			return fmt.Errorf("children are left: %s", pids)
		}
	}
	return nil
}

// busy does n steps of arithmetic, each of which waits for the one before. It touches no memory.
func busy(n int) {
	var x uint64
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	runtime.KeepAlive(x) // or the loop would be empty
}
