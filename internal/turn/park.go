// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package turn

import (
	"slices"
	"sync"
	"time"
)

// parkEvery makes each second yield a park. A goroutine that only calls runtime.Gosched stands in the run queue, and
// while one does, no P asks the network poller: sysmon does, each 10 ms. With a worker on each of two Ps an HTTP
// request on the loopback interface took 20 ms, and with parks it takes 1.1, at the same throughput.
const parkEvery = 2

// maxParked bounds how many goroutines are parked at once, for each takes a pipe. With more of them than that at work
// there are more than Ps, and the poller is asked by sysmon, as without us.
const maxParked = 64

// retry is how long no pipe is asked for after one could not be had: the process may be out of descriptors, and have
// some again later.
const retry = time.Second

// idle is how long a pipe that nobody needs is kept, and at most as long again.
const idle = time.Minute

// parks are the pipes that nobody waits at.
var parks struct {
	mu     sync.Mutex
	free   []*pipe
	made   int
	spare  int       // the fewest that have been free since the last closeSpare
	failed time.Time // when a pipe could not be had
	close  time.Time // when closeSpare runs
}

// makePipe is newPipe, but for tests that have none.
var makePipe = newPipe

// parkOnce leaves the run queue until a P has nothing to run and has asked the network poller.
func parkOnce() {
	p := takePipe()
	if p == nil {
		gosched()
		return
	}
	if !p.wait() {
		gosched()
	}
	parks.mu.Lock()
	parks.free = append(parks.free, p)
	parks.mu.Unlock()
}

// takePipe returns a pipe, nil if there is none to be had.
func takePipe() *pipe {
	parks.mu.Lock()
	defer parks.mu.Unlock()
	if parks.made > 0 && time.Since(parks.close) > idle {
		closeLater() // the timer was of a testing/synctest bubble, and went with it
	}
	if n := len(parks.free); n > 0 {
		p := parks.free[n-1]
		parks.free = parks.free[:n-1]
		parks.spare = min(parks.spare, n-1)
		return p
	}
	if parks.made == maxParked || !parks.failed.IsZero() && time.Since(parks.failed).Abs() < retry {
		return nil
	}
	p := makePipe()
	if p == nil {
		parks.failed = time.Now()
		return nil
	}
	if parks.made == 0 {
		closeLater()
	}
	parks.made++
	parks.spare = 0
	return p
}

// closeLater has closeSpare run. No other timer for that counts any more.
func closeLater() {
	at := time.Now().Add(idle)
	parks.close = at
	time.AfterFunc(idle, func() { closeSpare(at) })
}

// closeSpare gives back the descriptors of the pipes that nobody has needed since it last ran.
func closeSpare(at time.Time) {
	parks.mu.Lock()
	defer parks.mu.Unlock()
	if !at.Equal(parks.close) {
		return
	}
	for _, p := range parks.free[:parks.spare] {
		p.close()
	}
	parks.free = slices.Delete(parks.free, 0, parks.spare)
	parks.made -= parks.spare
	parks.spare = len(parks.free)
	if parks.made > 0 {
		closeLater()
	}
}
