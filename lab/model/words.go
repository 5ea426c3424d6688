// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// The sentences around the tables, as formats.

const headWords = `Given: %d cores x %d threads a socket; a near line %s ns; a draw under the lock %s ns and %s ns of work
between two of a thread, both exponential; %s draws a run; seed %d. Only ratios are published, so that the draw's %s ns
are the unit: every other time is to be read as a multiple of it.`

const calibratedWords = `Fitted: a far line costs %s ns, to one published point, 4 sockets. Chosen with the points in sight:
the draw's %s ns, the order in which waiters fetch the line, and the ticket lock; what each of these does is in a table
below. So the points for 2 and 3 sockets are consistent with this model, and no prediction of it. A pool per node it can
only make linear.`

const fittedWords = `Fitted on top, to one point, 4 nodes: a node takes from the one input pool at one draw in %.2f, under
that pool's lock, for as long as a draw. The points for 2 and 3 nodes were in sight too.`

const controlWords = `The control is a lock whose handover costs the same however many wait: no far line gives it the
published row, and the one that gives it the last point is no cache line (%s).`

const waitingWords = `Published: over %.0f %% of the CPU time of 4 sockets waits for the lock; modelled: %s. At saturation
the model can't say less than that; at the cliff below it says %s.`

const cliffWords = `The locking cliff: 2 sockets hold where they give at least what one gives, and 4 fall over where they
give less than one. With one pool both is so from %s to %s of work between two draws of a thread (%.0f to %.0f times the
draw). In the middle of that range:`

const designWords = `Designs on 1 to 8 of these sockets, a thread on each hardware thread, %d ns of work between two 16-byte
draws. A draw takes %v ns, as measured for fount.Nonce on the machine of docs/performance.md, and %d lines of its state
follow the lock. A state per socket has a ticket lock. fount draws on its socket's pool, %d ns under a ticket lock, once
in %s draws.`

const farWords = `If a far line costs more: modelled throughput of so many sockets to one (per node: with the input pool),
and the cliff.`

const sectionWords = `If a draw under the lock took another time, with the same near line: the far line calibrated anew, and
the errors of one pool. How long a draw took is not published.`

const choiceWords = `What each choice does to the rows: modelled throughput to one socket, with the error in brackets. In
each line the far line and the input pool are fitted anew, to 4 sockets and to 4 nodes.`

const formWords = `Against closed forms, at no transfer cost, section 1,000 ns, work 20,000 ns: the machine repairman
(M/M/1//N) and its asymptotes min(N/(S+Z), 1/S) for constant times.`

// sweepLegend explains columns.
var sweepLegend = [][2]string{
	{"interval", "half of the 95 % interval of draws/s"},
	{"waiting", "share of the threads' time between arrival and critical section"},
	{"crossing", "share of the draws whose lock another socket had last"},
}

const sweepWords = `%s Lock %s; %d cores x %d threads a socket; near line %s ns, far line %s ns; a draw under the lock %s ns, %s
ns of work between two of a thread, both %s; %s draws a run; seed %d.`
