// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package turn

import "sync"

// parkEvery makes each second yield a park. A goroutine that only calls runtime.Gosched stands in
// the run queue, and while one does, no P asks the network poller: sysmon does, each 10 ms. With a
// worker on each of two Ps an HTTP request on the loopback interface took 20 ms, and with parks it
// takes 1.1, at the same throughput.
const parkEvery = 2

// maxParked bounds how many goroutines are parked at once, as each takes a pipe, and pipes are
// kept. With more of them at work there are more than Ps, and sysmon asks the poller, as without
// us.
const maxParked = 64

// parks are the pipes that nobody waits at.
var parks struct {
	mu   sync.Mutex
	free []*pipe
	made int
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

// takePipe returns a pipe, or nil: the process may be out of descriptors, and have some later.
func takePipe() *pipe {
	parks.mu.Lock()
	defer parks.mu.Unlock()
	if n := len(parks.free); n > 0 {
		p := parks.free[n-1]
		parks.free = parks.free[:n-1]
		return p
	}
	if parks.made == maxParked {
		return nil
	}
	p := makePipe()
	if p != nil {
		parks.made++
	}
	return p
}
