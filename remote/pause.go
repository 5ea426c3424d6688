// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import "time"

// How long a server is put aside: after a failure, and at most after it was silent repeatedly.
const (
	minPause = time.Second
	maxPause = 8 * time.Second
)

// A pause is a time in which a server is put aside: it is asked only if no other is left. Its zero
// value ends it.
type pause struct {
	until  time.Time
	length time.Duration
}

// afterFailure begins the pause of a server that failed.
func (p *pause) afterFailure(now time.Time) {
	*p = pause{until: now.Add(minPause), length: minPause}
}

// afterSilence begins the pause of a server that was silent. It is twice as long as the last one, or
// as long if the try began during that.
func (p *pause) afterSilence(began, now time.Time) {
	if !began.Before(p.until) {
		p.length = min(max(2*p.length, minPause), maxPause)
	}
	p.until = now.Add(p.length)
}
