// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"slices"
	"time"
)

// Upgrades wait apart. They are begun when nobody else waits, in lanes that sign-ins leave, and one
// at a time as the last hundredth of the machine: else a store would never move under lasting load.
const (
	mostUpgrades = 64
	upgradeWait  = 10 * time.Second
	hundredth    = 100
)

// nextUpgrades returns those that may begin now, of one course; nil: none may.
func (q *queue) nextUpgrades(now time.Time) []*task {
	if len(q.upgrades) == 0 || !q.fits(q.upgrades[0]) {
		return nil
	}
	tasks, c := q.upgrades[:1:1], q.upgrades[0].course
	switch {
	case len(q.waiting) == 0:
		free := max(q.workers()-len(q.running), 1) // a quota may have shrunk
		most := min(c.lanes, (len(q.upgrades)+free-1)/free)
		tasks = company(tasks, q.upgrades, most, now.Add(longestWait), now)
	case q.debtAt(now) > 0 || slices.ContainsFunc(q.running, func(b *batch) bool { return b.upgrades }):
		return nil
	}
	return slices.Clone(tasks)
}

// debtAt returns the workers' time that upgrades have had beyond their hundredth.
func (q *queue) debtAt(now time.Time) time.Duration {
	return max(q.debt-q.repaid(now.Sub(q.indebted)), 0)
}

// repaid returns how much of it goes in a time.
func (q *queue) repaid(d time.Duration) time.Duration {
	return time.Duration(float64(min(d, longestWait)) * float64(q.workers()) / hundredth)
}
