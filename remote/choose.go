// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

// How a call chooses a server:
//
//   - picker.pick draws two servers at random and takes the one with the lower cost: the wait that
//     it last reported, less the time since, plus the time that the client's own calls there take.
//   - hedge asks one other server if the first fails, refuses or is silent for half the time: the
//     one that answered last, as others may share the first one's fault. The first answer counts,
//     and the other try is canceled.
//   - picker.send puts a server aside for 1 s if it fails, and for 1, 2, 4 up to 8 s
//     if it hangs: then it is asked only if no other is left. A reply with api.HeaderWait, or news
//     of a fleet's worker, ends that.

import (
	"cmp"
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

// How long a server is put aside: after a failure, and at most after it was silent repeatedly.
const (
	minPause = time.Second
	maxPause = 8 * time.Second
)

// A server is an address or a fleet's worker, and what the client knows of it.
type server struct {
	name string // for errors
	send sender

	wait       time.Duration // that it last reported
	heard      time.Time     // when it did
	answered   time.Time     // when it last gave a result
	perCall    time.Duration // moving average of a call's time, divided by the calls beside it
	active     int           // this client's calls there
	aside      time.Time     // it is put aside until then
	pause      time.Duration // how long it was put aside last; 0 after a reply
	lastResort bool          // it is asked only if no other is left
}

// cost estimates how long a call would wait there. Its reported wait shrinks as time passes.
func (s *server) cost(now time.Time) time.Duration {
	return max(s.wait-now.Sub(s.heard), 0) + time.Duration(s.active)*max(s.perCall, time.Microsecond)
}

// servers are those of a client. Its methods may be called from any goroutine.
type servers struct {
	mu   sync.Mutex
	list []*server
}

// A picker chooses the servers of one call, each at most once. Both tries may use it at once.
type picker struct {
	*servers
	asked []*server
}

// errNoServer is wrapped by the error of a try that found no other server to ask.
var errNoServer = errors.New("remote: no other server")

// send asks the next server. A fleet's worker that has gone costs no try. A silent server is put
// aside only if the try lasted for half, and for as long as the server's cost let expect: a call may
// have less time than a hash takes.
func (c *picker) send(try context.Context, half time.Duration, path string, q api.Request) (response, error) {
	for {
		began := time.Now()
		s, expected := c.pick(began)
		if s == nil {
			return response{from: &server{name: "the last server"}}, notSent{errNoServer}
		}
		r, err := s.send(try, path, q)
		r.from = s
		failed := err != nil && try.Err() == nil
		silent := err != nil && time.Since(began) > max(half, expected)
		c.note(s, began, failed, silent, r.header)
		if !errors.Is(err, ErrNoWorker) || s.lastResort {
			return r, err
		}
	}
}

// pick returns a server that was not asked yet, and its cost: first the cheaper of two that it
// draws, then the one that answered last. It prefers servers that are not put aside. If none is
// left, it returns nil.
func (c *picker) pick(now time.Time) (best *server, expected time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var candidates, rest []*server
	for _, s := range c.list {
		switch {
		case slices.Contains(c.asked, s):
		case s.lastResort || now.Before(s.aside):
			rest = append(rest, s)
		default:
			candidates = append(candidates, s)
		}
	}
	if len(candidates) == 0 {
		candidates = rest
	}
	if len(candidates) == 0 {
		return nil, 0
	}
	fount.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	if len(c.asked) == 0 {
		two := candidates[:min(2, len(candidates))]
		best = slices.MinFunc(two, func(a, b *server) int { return cmp.Compare(a.cost(now), b.cost(now)) })
	} else {
		best = slices.MaxFunc(candidates, func(a, b *server) int { return a.answered.Compare(b.answered) })
	}

	c.asked = append(c.asked, best)
	best.active++
	return best, best.cost(now)
}

// note ends a try. If it failed, its server is put aside for minPause. If the server was silent, it
// is put aside for twice as long as the last time, or as long if the try began while it was put
// aside. Else the client learns from the reply's header: nothing if there is none, as from a fleet's
// worker or if the try was canceled early.
func (c *picker) note(s *server, began time.Time, failed, silent bool, header http.Header) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	active := time.Duration(s.active)
	s.active--

	switch {
	case failed:
		s.pause = minPause
	case silent && (s.pause == 0 || !began.Before(s.aside)):
		s.pause = min(max(2*s.pause, minPause), maxPause)
	}
	if failed || silent {
		s.aside = now.Add(s.pause)
		return
	}

	ms, err := strconv.ParseUint(header.Get(api.HeaderWait), 10, 32)
	if err == nil {
		s.aside, s.pause, s.heard, s.wait = time.Time{}, 0, now, time.Duration(ms)*time.Millisecond
		s.perCall += (now.Sub(began)/active - s.perCall) / 8
	}
}

// noteResult notes that a server gave a result.
func (c *picker) noteResult(s *server) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.answered = time.Now()
}
