// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package probe

// Two threads, each on a CPU of its own where the system lets a program say so.

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// crew is two threads that wait for work.
type crew struct {
	jobs   [2]chan func(thread int)
	done   sync.WaitGroup
	ready  atomic.Int32 // threads that are about to begin a job
	pinned bool
}

func newCrew() *crew {
	c := new(crew)
	var pinned [2]bool
	c.done.Add(len(c.jobs))
	for i := range c.jobs {
		c.jobs[i] = make(chan func(int))
		go func() {
			runtime.LockOSThread() // for good: the thread ends with the goroutine, and its CPU set with it
			pinned[i] = pin(i)
			c.done.Done()
			for job := range c.jobs[i] {
				job(i)
				c.done.Done()
			}
		}()
	}
	c.done.Wait()
	c.pinned = pinned[0] && pinned[1]
	return c
}

// both has both threads do the job, from one moment on, and returns when they have. It reports whether neither lost its
// CPU to another program meanwhile.
func (c *crew) both(job func(thread int)) (undisturbed bool) {
	var lost [2]int64
	c.ready.Store(0)
	c.done.Add(len(c.jobs))
	for i := range c.jobs {
		c.jobs[i] <- func(thread int) {
			c.ready.Add(1)
			for c.ready.Load() < int32(len(c.jobs)) {
			}
			before := switched()
			job(thread)
			lost[thread] = switched() - before
		}
	}
	c.done.Wait()
	return lost == [2]int64{}
}

// dismiss ends the threads.
func (c *crew) dismiss() {
	for _, jobs := range c.jobs {
		close(jobs)
	}
}
