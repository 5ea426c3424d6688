// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package live

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// figures are what one service did in the time of a sample; rates are a second's.
type figures struct {
	Goodput float64  `json:"goodput"` // sign-ins, each within a client's patience
	Refused float64  `json:"refused"` // told at once to come back later
	Late    float64  `json:"late"`    // left without an answer, or got an error
	Wait    *float64 `json:"wait"`    // ms, the median of all but the refused; nil: nobody waited
	Me      *float64 `json:"me"`      // ms, the slowest ordinary request, which may go on; nil: there was none
	CPU     *float64 `json:"cpu"`     // processors in use; nil: the system does not say it as Linux does
}

// A sample is what the page draws next.
type sample struct {
	Time     float64    `json:"time"`     // s, since 1970
	Demand   float64    `json:"demand"`   // sign-ins that came, a second
	Services [2]figures `json:"services"` // the pool, its rival
}

// A tally counts until it is taken. Its methods may be called from any goroutine.
type tally struct {
	mu       sync.Mutex
	signedIn int
	refused  int
	waits    []time.Duration
	me       time.Duration // the longest that has ended
	since    time.Time     // when the one began that has not; zero: there is none
}

// login counts a client with a status, 0 for one who left. A failure is no refusal: it does not say when to come back.
func (t *tally) login(status int, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch status {
	case http.StatusOK:
		t.signedIn++
		t.waits = append(t.waits, took)
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		t.refused++
	default:
		t.waits = append(t.waits, took)
	}
}

// begin notes that an ordinary request has begun. It goes on if the one before failed: its user tries again.
func (t *tally) begin(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.since.IsZero() {
		t.since = now
	}
}

func (t *tally) end(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.me, t.since = max(t.me, now.Sub(t.since)), time.Time{}
}

// take returns the figures of the last d, but for CPU, and begins anew.
func (t *tally) take(now time.Time, d time.Duration) (f figures) {
	t.mu.Lock()
	defer t.mu.Unlock()
	second := d.Seconds()
	f.Goodput, f.Refused = float64(t.signedIn)/second, float64(t.refused)/second
	f.Late = float64(len(t.waits)-t.signedIn) / second
	if len(t.waits) > 0 {
		slices.Sort(t.waits)
		f.Wait = new(ms(t.waits[len(t.waits)/2]))
	}
	slowest := t.me
	if !t.since.IsZero() {
		slowest = max(slowest, now.Sub(t.since))
	}
	if slowest > 0 {
		f.Me = new(ms(slowest))
	}
	t.signedIn, t.refused, t.waits, t.me = 0, 0, t.waits[:0], 0
	return f
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
