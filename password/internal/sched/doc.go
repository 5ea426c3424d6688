// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package sched runs tasks of known cost on a bounded number of workers, and
// refuses at once what it can't finish in time. It is not a rate limiter, and
// knows nothing of what its tasks do.
//
// Read the files in this order:
//
//	task.go        what is to be done, for whom and until when
//	sched.go       the scheduler: a task's way in, the caller's wait, Close
//	admit.go       whether a newcomer, and all it would overtake, can be in time
//	line.go        what stands before a place in the queues
//	principal.go   how much of the queue one principal may hold, and who sends most
//	queue.go       one class: the earliest deadline first
//	dispatch.go    what a free worker does next, and how many at once
//	rate.go        how long things take, as measured
//	overload.go    since when tasks are refused for want of time
//	stats.go       what happened, in one consistent snapshot
package sched
