// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package choice decides which worker of a fleet gets a call: the better of two by published news. It sends nothing and knows no
// messages: the client of fount/remote chooses by it.
package choice

import "time"

// The rules' numbers.
const (
	Of    = 2                      // a call goes to the best of so many, drawn at random
	Tries = 2                      // requests for a call that is refused
	Every = 100 * time.Millisecond // workers publish news so often
	Quiet = 3 * Every              // one that is not heard for so long is gone
)

// A View is what a client knows of one worker.
type View struct {
	Heard    time.Time     // when its last news came
	Wait     time.Duration // that they told: until all that it had was done
	Mine     time.Duration // what the client has sent since adds to it
	Draining bool          // it takes no more
	Gone     bool          // a request found nobody there, and no news has come since
}

// Fresh reports whether the worker may be chosen.
func (v *View) Fresh(now time.Time) bool { return !v.Draining && !v.Missing(now) }

// Missing reports whether the worker is taken for gone, and calls that wait there should go to another.
func (v *View) Missing(now time.Time) bool { return v.Gone || now.Sub(v.Heard) > Quiet }

// Now returns the wait as of now. Between news work is done as fast as time passes.
func (v *View) Now(now time.Time) time.Duration { return max(v.Wait+v.Mine-now.Sub(v.Heard), 0) }

// Draw moves n of the candidates, drawn at random, to the front, and returns them; all if there are fewer.
func Draw[T any](candidates []T, n int, intN func(int) int) []T {
	if n >= len(candidates) {
		return candidates
	}
	for i := range n {
		j := i + intN(len(candidates)-i)
		candidates[i], candidates[j] = candidates[j], candidates[i]
	}
	return candidates[:n]
}

// Best returns the candidate that would answer first; the earlier of two alike. ok is false if there is none.
func Best[T any](candidates []T, answers func(T) time.Duration) (best T, ok bool) {
	var least time.Duration
	for _, c := range candidates {
		if a := answers(c); !ok || a < least {
			best, least, ok = c, a, true
		}
	}
	return best, ok
}
