// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"fount"
	"fount/remote/api"
)

// outage is how long a server that failed is asked only where no other is left. The call that then finds it so is not lost: it has another try.
const outage = time.Second

// A server is one of those that a client may ask, and what the client knows of it.
type server struct {
	address   address
	transport *http.Transport

	mu    sync.Mutex
	wait  time.Duration // that its last reply named
	heard time.Time     // when
	each  time.Duration // by which one of the client's calls there puts off the next, smoothed
	calls int           // the client's, under way there
	down  time.Time     // until then it is taken for gone
}

func newServers(addresses string, o HTTPOptions) ([]*server, error) {
	var all []*server
	for text := range strings.SplitSeq(addresses, ",") {
		a, err := parseAddress(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(s *server) bool { return s.address == a }) {
			return nil, fmt.Errorf("remote: the address %s stands twice; want each server once", a.name)
		}
		all = append(all, &server{address: a, transport: newTransport(a, o)})
	}
	return all, nil
}

// begin notes a call, and returns what notes its end.
func (s *server) begin(now time.Time) (end func(now time.Time, header http.Header, down bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	beside := time.Duration(s.calls)
	return func(ended time.Time, header http.Header, down bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls--
		if down {
			s.down = ended.Add(outage)
			return
		}
		if ms, err := strconv.ParseUint(header.Get(api.HeaderWait), 10, 32); err == nil {
			s.down, s.heard, s.wait = time.Time{}, ended, time.Duration(ms)*time.Millisecond
			s.each += (ended.Sub(now)/beside - s.each) / 8
		}
	}
}

// cost is how long a call would wait there, as far as the client knows. Between replies work is done as fast as time passes.
func (s *server) cost(now time.Time) (wait time.Duration, down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(s.wait-now.Sub(s.heard), 0) + time.Duration(s.calls)*max(s.each, time.Microsecond), now.Before(s.down)
}

// A choice is the servers that a call has not asked yet. Two tries may use it at once.
type choice struct {
	mu   sync.Mutex
	left []*server
}

func newChoice(all []*server) *choice { return &choice{left: slices.Clone(all)} }

// next takes the better of two servers, drawn at random among those that are not down if there are such; nil if none is left.
func (c *choice) next(now time.Time) *server {
	c.mu.Lock()
	defer c.mu.Unlock()
	var best *server
	var least time.Duration
	fount.Shuffle(len(c.left), func(i, j int) { c.left[i], c.left[j] = c.left[j], c.left[i] })
	seen := 0
	for _, s := range c.left {
		wait, down := s.cost(now)
		if down {
			continue
		}
		if best == nil || wait < least {
			best, least = s, wait
		}
		if seen++; seen == 2 {
			break
		}
	}
	if best == nil && len(c.left) > 0 {
		best = c.left[0]
	}
	c.left = slices.DeleteFunc(c.left, func(s *server) bool { return s == best })
	return best
}
