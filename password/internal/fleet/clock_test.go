// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"container/heap"
	"sync"
	"testing/synctest"
	"time"
)

// A clock runs events one after the other, in a bubble of package testing/synctest. All of the
// simulation's state belongs to the events; goroutines of schedulers only add some.
type clock struct {
	mu     sync.Mutex
	events events
	seq    uint64
	wake   chan struct{} // holds one after an event was added that comes first
	count  int           // of those that have run
}

type event struct {
	at  time.Time
	key uint64 // orders those of one instant that goroutines add: who comes first is not known
	seq uint64
	run func()
}

type events []event

func (e events) Len() int      { return len(e) }
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	(*e)[last] = event{}
	*e = (*e)[:last]
	return x
}

func (e events) Less(i, j int) bool {
	switch a, b := e[i], e[j]; {
	case !a.at.Equal(b.at):
		return a.at.Before(b.at)
	case a.key != b.key:
		return a.key < b.key
	default:
		return a.seq < b.seq
	}
}

func newClock() *clock { return &clock{wake: make(chan struct{}, 1)} }

// at runs f at a time. Any goroutine may ask for it.
func (c *clock) at(t time.Time, key uint64, f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	heap.Push(&c.events, event{t, key, c.seq, f})
	c.seq++
	if c.events[0].seq == c.seq-1 {
		select {
		case c.wake <- struct{}{}:
		default:
		}
	}
}

func (c *clock) after(d time.Duration, f func()) { c.at(time.Now().Add(d), 0, f) }

// run runs all events up to a time.
func (c *clock) run(until time.Time) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		next := until
		c.mu.Lock()
		if len(c.events) > 0 && c.events[0].at.Before(until) {
			next = c.events[0].at
		}
		c.mu.Unlock()
		if d := time.Until(next); d > 0 {
			timer.Reset(d) // time passes only while every goroutine waits
			select {
			case <-timer.C:
			case <-c.wake:
			}
			continue
		}
		if next.Equal(until) {
			return
		}
		synctest.Wait()
		c.mu.Lock()
		e := heap.Pop(&c.events).(event)
		c.mu.Unlock()
		c.count++
		e.run()
	}
}
