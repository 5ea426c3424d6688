// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

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

// The control of the column: behind one mutex two threads sleep a good part of their time, and without it they do not.
func TestAsleepControl(t *testing.T) {
	needLedger(t)
	if len(allowed()) < 2 || runtime.GOMAXPROCS(0) < 2 {
		t.Skip("one thread runs at a time, so two do not meet at a mutex")
	}
	shares := func(lock bool) (list []float64) {
		var mu sync.Mutex
		m := measure.Method{Name: "x", Open: func() (measure.Source, error) {
			return measure.Workers(func(int) measure.Worker {
				return measure.Loop{Do: func(n int) {
					for range n {
						if lock {
							mu.Lock()
						}
						busy(50_000) // some 50 µs, longer than a mutex spins
						if lock {
							mu.Unlock()
						}
					}
				}}
			}), nil
		}}
		cpus := allowed()
		l := ladder{steps: []step{{1, 0}, {2, 1}}, cpus: []int{cpus[0], cpus[len(cpus)-1]}, spots: []spot{{cpus[0], -1}, {cpus[len(cpus)-1], -1}}, on: []int{0, 0}}
		c := brief(l, m)
		defer c.close()
		c.task.Turn = 2 * time.Millisecond
		for round := range 20 {
			if err := c.round(t.Context(), round); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range c.runs[0][1] {
			if !r.accounted {
				t.Fatalf("%+v", r)
			}
			list = append(list, r.asleep())
		}
		return list
	}
	if got := slices.Max(shares(true)); got < 0.2 {
		t.Errorf("behind a mutex two threads sleep %.2f of their time, at most, in 20 rounds; want 0.2 and more", got)
	}
	if got := slices.Min(shares(false)); got != 0 {
		t.Errorf("two threads that share nothing sleep %.2f of their time, at least, in 20 rounds; want none", got)
	}
}
