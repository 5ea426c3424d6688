// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"fount"
	"fount/remote/api"
)

// outage is how long a place that failed is asked only where no other is left. The call that then finds it so is not lost: it has another
// try.
const outage = time.Second

// A place is where a call can be sent, and what the client knows of it.
type place struct {
	name string // for errors
	send sender

	wait  time.Duration // that it named last
	heard time.Time     // when
	each  time.Duration // by which one of the client's calls there puts off the next, smoothed
	calls int           // the client's, under way there
	down  time.Time     // until then it is taken for gone
	last  bool          // it is asked where no other is left
}

// cost is how long a call would wait there, as far as the client knows. Between replies work is done as fast as time passes.
func (p *place) cost(now time.Time) time.Duration {
	return max(p.wait-now.Sub(p.heard), 0) + time.Duration(p.calls)*max(p.each, time.Microsecond)
}

// places are all that a client may ask. Its methods may be called from any goroutine.
type places struct {
	mu   sync.Mutex
	list []*place
}

// A call has asked some of the places. Its two tries may use it at once.
type call struct {
	*places
	asked []*place
}

func (all *places) newCall() *call { return &call{places: all} }

// errNobody is in the error of a try that found no other server to ask.
var errNobody = errors.New("remote: no other server")

// send sends a message to a place that the call has not asked, of which it returns the name. One that is known not to be there costs no try.
// One that is silent for long is taken for gone.
func (c *call) send(try context.Context, long time.Duration, path string, q *api.Request) (name string, status int, header http.Header, body []byte, err error) {
	for {
		began := time.Now()
		p := c.pick(began)
		if p == nil {
			return "the last server", 0, nil, nil, errNobody
		}
		status, header, body, err = p.send(try, path, q)
		took := time.Since(began)
		// A try that was given up early says nothing of its place.
		c.done(p, began, took, header, err != nil && (try.Err() == nil || took > long) || closing(status, body))
		if !errors.Is(err, ErrNoWorker) || p.last {
			return p.name, status, header, body, err
		}
	}
}

// pick takes the better of two places that were not asked, drawn at random among those that are there if there are such; nil if none is left.
func (c *call) pick(now time.Time) (best *place) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var there, rest []*place
	for _, p := range c.list {
		switch {
		case slices.Contains(c.asked, p):
		case p.last || now.Before(p.down):
			rest = append(rest, p)
		default:
			there = append(there, p)
		}
	}
	if len(there) == 0 {
		there = rest
	}
	if len(there) == 0 {
		return nil
	}
	i := fount.IntN(len(there))
	best = there[i]
	if len(there) > 1 {
		if other := there[(i+1+fount.IntN(len(there)-1))%len(there)]; other.cost(now) < best.cost(now) {
			best = other
		}
	}
	c.asked = append(c.asked, best)
	best.calls++
	return best
}

// done notes the end of a try.
func (c *call) done(p *place, began time.Time, took time.Duration, header http.Header, gone bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	beside := time.Duration(p.calls)
	p.calls--
	if gone {
		p.down = began.Add(took + outage)
		return
	}
	if ms, err := strconv.ParseUint(header.Get(api.HeaderWait), 10, 32); err == nil {
		p.down, p.heard, p.wait = time.Time{}, began.Add(took), time.Duration(ms)*time.Millisecond
		p.each += (took/beside - p.each) / 8
	}
}

// closing reports whether a server says that it shuts down.
func closing(status int, body []byte) bool {
	if status != http.StatusServiceUnavailable {
		return false
	}
	p, err := api.DecodeProblem(body)
	return err == nil && p.Reason == api.ReasonClosed
}
