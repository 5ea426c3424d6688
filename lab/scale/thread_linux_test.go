// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of threads and cores on Linux.

package scale

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fount/lab/measure"
)

// The thread of each worker may run on its core and on no other, and another goroutine's may not have changed.
func TestPinned(t *testing.T) {
	cpus := allowed()
	var spots []spot
	for _, cpu := range cpus {
		spots = append(spots, spot{cpu, -1})
	}
	seen := make([][]int, len(cpus))
	m := measure.Method{Open: func() (measure.Source, error) {
		return measure.Workers(func(k int) measure.Worker {
			seen[k] = allowed() // of the thread that asks
			return measure.Loop{Do: func(int) {}}
		}), nil
	}}
	n := min(len(cpus), runtime.GOMAXPROCS(0))
	if _, err := threads(m, task{Turn: 10 * time.Microsecond}, spots[:n]); err != nil {
		t.Fatal(err)
	}
	for k := range n {
		if !slices.Equal(seen[k], cpus[k:k+1]) {
			t.Errorf("worker %d may run on %v, want %d alone", k, seen[k], cpus[k])
		}
	}
	if got := allowed(); !slices.Equal(got, cpus) {
		t.Errorf("the test's own thread may run on %v now, want %v", got, cpus)
	}
	if _, err := threads(m, task{}, []spot{{1023, -1}}); err == nil { // no machine of a test has that core
		t.Error("a thread was bound to core 1023")
	}
}

func TestParseSchedstat(t *testing.T) {
	for text, want := range map[string]string{
		"1 22 3\n": "22ns true", "0 0 0": "0s true", "": "0s false", "1 2": "0s false", "1 2 3 4": "0s false",
		"1 x 3": "0s false", "1 -2 3": " false", "1 99999999999999999999 3": " false",
	} {
		queued, ok := parseSchedstat([]byte(text))
		if got := fmt.Sprint(queued, ok); !strings.HasSuffix(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// needLedger skips where the kernel keeps no accounts.
func needLedger(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l := openLedger()
	if l == nil {
		t.Skip("this kernel keeps no accounts of a thread (schedstat)")
	}
	l.close()
}

// A thread that another keeps out for 20 ms of the other's CPU time sleeps longer than it runs, however the machine is
// loaded; and one that nobody keeps out sleeps not at all.
func TestLedger(t *testing.T) {
	needLedger(t)
	var mu sync.Mutex
	begun, result := make(chan bool), make(chan [2]accounts)
	measured := func(do func()) (of [2]accounts) {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		l := openLedger()
		defer l.close()
		of[0], _ = l.read()
		do()
		of[1], _ = l.read()
		return of
	}
	mu.Lock()
	go func() { result <- measured(func() { close(begun); mu.Lock() }) }()
	<-begun
	runtime.LockOSThread()
	for start := threadCPU(); threadCPU()-start < 20*time.Millisecond; {
		busy(1000)
	}
	runtime.UnlockOSThread()
	mu.Unlock()
	of := <-result
	if got, ran := slept(of[0], of[1]), of[1].cpu-of[0].cpu; of[1].sleeps == of[0].sleeps || got <= ran {
		t.Errorf("the thread slept %v in %d sleeps, and ran %v", got, of[1].sleeps-of[0].sleeps, ran)
	}
	var free sync.Mutex
	n := 0
	for try := 0; ; try++ {
		go func() {
			result <- measured(func() {
				for range 10_000 {
					free.Lock()
					n++
					free.Unlock()
				}
			})
		}()
		if of := <-result; slept(of[0], of[1]) == 0 {
			return
		}
		if try == 100 { // a collection, or the scheduler's own preemption, may stop one
			t.Fatal("a thread that no one keeps out slept, in each of 100 attempts")
		}
	}
}

// busy does n steps of arithmetic, each of which waits for the one before. It touches no memory.
func busy(n int) {
	var x uint64
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	runtime.KeepAlive(x) // or the loop would be empty
}
