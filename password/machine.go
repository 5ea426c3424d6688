// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// The workers, their memory, and the batches that they run.

import "time"

// A machine is the workers and their memory.
type machine struct {
	workers func() int // number of workers, 1 or more; it may change
	memory  int64      // bytes for all running batches
	inUse   int64      // bytes of those
	running []*batch
}

// A batch is what one worker runs: one task, or several of one route side by side.
type batch struct {
	tasks  []*task
	route  *route
	memory int64
	began  time.Time
	end    time.Time // as estimated

	stage      int
	stageBegan time.Time
	expected   float64 // estimated nanoseconds of the stages that have ended
}

// free returns how many workers run nothing. It is below 0 if a quota has shrunk.
func (m *machine) free() int { return m.workers() - len(m.running) }

// fits reports whether a worker and enough memory are free for t.
func (m *machine) fits(t *task) bool { return m.free() > 0 && m.inUse+t.memory <= m.memory }

// parallel returns how many batches of a route the workers and the memory allow at once.
func (m *machine) parallel(r *route) float64 {
	n := m.workers()
	if r.memory > 0 {
		n = min(n, int(m.memory/r.memory))
	}

	return float64(max(n, 1))
}

// pause returns how long upgrades leave the machine to sign-ins that wait, after they took so long.
func (m *machine) pause(took time.Duration) time.Duration {
	return took * upgradePart / time.Duration(m.workers())
}

// batchTime returns the machine time of a full batch, in nanoseconds: its worker's time divided by
// how many such batches run at once.
func (m *machine) batchTime(r *route) float64 { return float64(r.time(r.lanes)) / m.parallel(r) }

// charge returns the machine time that a task adds to a queue: its part of a full batch.
func (m *machine) charge(r *route) float64 { return m.batchTime(r) / float64(r.lanes) }

// timeLeft returns how long the batch still runs, as estimated. If it is overdue, half of the
// overrun is expected again, but no more than limit, how long others may wait: they are refused by
// then. More would have clients come back much too late after a standstill.
func (b *batch) timeLeft(limit time.Duration, now time.Time) time.Duration {
	left := b.end.Sub(now)
	if left < 0 {
		left = min(-left/2, limit)
	}
	return left
}
