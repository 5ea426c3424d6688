// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

// How a call chooses a server:
//
//   - picker.pick draws two servers at random and takes the one with the lower cost: the wait that
//     it last reported, less the time since, plus the time that the client's own calls there take.
//   - hedge asks one other server if the first fails, refuses or is silent for half the time. pick
//     draws it from those whose last try gave a result, as others may share the first one's fault.
//     The first answer counts, and the other try is canceled.
//   - picker.end puts a server aside for 1 s if it fails, and for 1, 2, 4 up to 8 s if it hangs.
//     A reply with api.HeaderWait, or news of a fleet's worker, ends that.

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

// A server is an address or a fleet's worker, and what the client knows of it.
type server struct {
	name       string // for errors
	send       sender
	lastResort bool // it is asked only if no other is left

	wait    time.Duration // that it last reported
	heard   time.Time     // when it did
	perCall time.Duration // moving average of a call's time, divided by the calls beside it
	active  int           // this client's calls there
	answers bool          // its last try gave a conclusive result
	pause   pause
}

// cost estimates how long a call would wait there. Its reported wait shrinks as time passes.
func (s *server) cost(now time.Time) time.Duration {
	return max(s.wait-now.Sub(s.heard), 0) + time.Duration(s.active)*max(s.perCall, time.Microsecond)
}

// report notes that the server is there, and the wait that it reports. If it stood still, that may
// be long over: it counts for at most maxPause, the longest time that silence puts a server aside.
func (s *server) report(now time.Time, wait time.Duration) {
	s.heard = now
	s.wait = min(wait, maxPause)
	s.pause = pause{}
}

// noteReply learns from a reply of fountd over HTTP. A fleet's worker names no wait in its replies.
func (s *server) noteReply(now time.Time, perCall time.Duration, header http.Header) {
	ms, err := strconv.ParseUint(header.Get(api.HeaderWait), 10, 32)
	if err != nil {
		return
	}

	s.report(now, time.Duration(ms)*time.Millisecond)
	s.perCall += (perCall - s.perCall) / 8
}

// servers are those of a client. Its methods may be called from any goroutine.
type servers struct {
	mu   sync.Mutex
	list []*server
}

// A picker chooses the servers of one call, each at most once. Both tries may use it at once.
type picker struct {
	*servers
	patience time.Duration // a server that is silent for less is not put aside
	asked    []*server
}

// A try is a request to a server.
type try struct {
	*server
	began time.Time

	// patience is the picker's, or the server's cost, as a call may have less time than a hash takes.
	patience time.Duration
}

// errNoServer is wrapped by the error of a try that found no other server to ask. It is never a
// call's error: some server was asked, in this try or the other.
var errNoServer = errors.New("remote: no other server")

// askNext asks the next server. A fleet's worker that has gone costs no try, though the next server
// is chosen as for another one: the workers beside it may have gone too.
func (c *picker) askNext(ctx context.Context, path string, q api.Request) (response, error) {
	for {
		t := c.begin(time.Now())
		if t.server == nil {
			// The other try's error tells more, unless the call's time is over before this one begins.
			return response{from: &server{name: "the last server"}}, notSent{errNoServer}
		}

		r, err := t.send(ctx, path, q)
		r.from = t.server
		c.end(ctx, t, r.header, err)
		if !errors.Is(err, ErrNoWorker) || t.lastResort {
			return r, err
		}
	}
}

// begin begins a try at the server that is picked. It has none if none is left.
func (c *picker) begin(now time.Time) try {
	c.mu.Lock()
	defer c.mu.Unlock()

	s := c.pick(now)
	if s == nil {
		return try{}
	}

	c.asked = append(c.asked, s)
	s.active++
	return try{server: s, began: now, patience: max(c.patience, s.cost(now))}
}

// pick returns the cheaper of two servers that it draws. None was asked yet. It prefers servers
// that are not put aside, and for another try those whose last one gave a result.
func (c *picker) pick(now time.Time) *server {
	left := slices.DeleteFunc(slices.Clone(c.list), func(s *server) bool { return slices.Contains(c.asked, s) })
	left = avoid(left, func(s *server) bool { return s.lastResort || now.Before(s.pause.until) })
	if len(c.asked) > 0 {
		left = avoid(left, func(s *server) bool { return !s.answers })
	}
	if len(left) == 0 {
		return nil
	}

	fount.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	two := left[:min(2, len(left))]
	return slices.MinFunc(two, func(a, b *server) int { return cmp.Compare(a.cost(now), b.cost(now)) })
}

// avoid returns the servers that are not bad, or all if all are.
func avoid(list []*server, bad func(*server) bool) []*server {
	good := slices.DeleteFunc(slices.Clone(list), bad)
	if len(good) == 0 {
		return list
	}
	return good
}

// end learns from how a try ended.
func (c *picker) end(ctx context.Context, t try, header http.Header, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()

	now := time.Now()
	took := now.Sub(t.began)
	perCall := took / time.Duration(t.active)
	t.active--

	canceled := err != nil && ctx.Err() != nil
	switch {
	case canceled && took <= t.patience: // the other try was answered, and this one tells nothing
		return
	case canceled:
		t.pause.afterSilence(t.began, now)
	case err != nil:
		t.pause.afterFailure(now)
	default:
		t.noteReply(now, perCall, header)
	}
	t.answers = false // noteResult follows if the reply is a result
}

// noteResult notes that the last try of a server gave a conclusive result.
func (c *picker) noteResult(s *server) {
	c.mu.Lock()
	defer c.mu.Unlock()

	s.answers = true
}
