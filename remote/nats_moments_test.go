// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/fleet/choice"
	"fount/password"
)

// A fault is what a script does at its moment.
type fault struct {
	name string
	do   func(b *scripted)
	// within is after how long each call must have its answer at the latest.
	within time.Duration
	// twice says that some hash may be computed for nobody: its reply was lost, or two workers go on at one instant.
	twice bool
}

const outage = 150 * time.Millisecond

var faults = []fault{
	{"none", func(*scripted) {}, each + 10*time.Millisecond, false},
	{"a worker dies", func(b *scripted) { b.kill(b.peers[0]) }, each + choice.Quiet + each + 10*time.Millisecond, false},
	{"a worker dies, and another stands still", func(b *scripted) { b.kill(b.peers[0]); b.hang(b.peers[1], time.Hour) },
		each + 2*choice.Quiet + each + 10*time.Millisecond, false},
	{"a worker stands still for a while", func(b *scripted) { b.hang(b.peers[0], 450*time.Millisecond) }, each + choice.Quiet + each + 10*time.Millisecond, false},
	{"all stand still for a while", func(b *scripted) {
		for _, p := range b.peers {
			b.hang(p, 450*time.Millisecond)
		}
	}, 450*time.Millisecond + 2*each, true},
	{"the connection is lost for a while", func(b *scripted) { b.disconnect(outage) }, each + outage + reconnect + each + 10*time.Millisecond, true},
	{"the connection is lost twice", func(b *scripted) {
		b.disconnect(outage)
		time.AfterFunc(outage+50*time.Millisecond, func() { b.disconnect(outage) })
	}, 2*(each+outage+reconnect) + each, true},
	{"the connection is lost, and a worker dies meanwhile", func(b *scripted) { b.disconnect(outage); b.kill(b.peers[0]) },
		each + outage + reconnect + each + 10*time.Millisecond, true},
	{"a worker drains", func(b *scripted) { b.drain(b.peers[0]) }, each + 10*time.Millisecond, false},
}

// script has calls come each 10 ms, and one fault happen at a moment. It returns what is wrong.
func script(t *testing.T, route Route, f fault, at time.Duration) (wrong []string) {
	synctest.Test(t, func(t *testing.T) {
		c, b := newScripted(t, 3, NATSOptions{Silence: time.Hour, Route: route})
		synctest.Wait()
		began := time.Now()
		time.AfterFunc(at, func() { f.do(b) })
		var mu sync.Mutex
		say := func(format string, a ...any) {
			mu.Lock()
			defer mu.Unlock()
			wrong = append(wrong, fmt.Sprintf("at %v: ", at)+fmt.Sprintf(format, a...))
		}
		var calls sync.WaitGroup
		for i := range 20 {
			calls.Go(func() {
				time.Sleep(time.Duration(i) * 10 * time.Millisecond)
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
				defer cancel()
				start := time.Now()
				_, err := c.Verify(ctx, caller, []byte("p"), "p")
				switch took := time.Since(start); {
				case errors.As(err, new(password.OverloadedError)) && took == 0 && b.wasAway(): // nobody can be asked
				case err != nil:
					say("call %d, begun at %v: %v", i, start.Sub(began), err)
				case took > f.within:
					say("call %d, begun at %v, took %v; want at most %v", i, start.Sub(began), took, f.within)
				}
			})
		}
		calls.Wait()
		time.Sleep(time.Second) // what is late comes
		s := c.Stats()
		if s.Submitted != 20 || s.InFlight != 0 || s.Answered+s.Refused+s.Expired+s.Canceled != 20 {
			say("%+v; want 20 calls with one end each", s)
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.wasted > 0 && !f.twice {
			say("%d hashes were computed for nobody", b.wasted)
		}
	})
	return wrong
}

const coarse = 27 * time.Millisecond

// moments are when a fault happens: before, during and after calls, and at the instants when something else does.
func moments(step time.Duration) (all []time.Duration) {
	for at := time.Duration(0); at < 320*time.Millisecond; at += step {
		all = append(all, at)
	}
	return append(all, hop, 2*hop, each, each+hop, each+2*hop, each+3*hop, 200*time.Millisecond, 300*time.Millisecond)
}

// Whatever happens whenever to a worker or the connection, each call is answered once, in time, and no hash is computed for nobody.
// FOUNT_LONG=1 looks at each millisecond, in half a minute.
func TestNATSMoments(t *testing.T) {
	step := coarse
	if os.Getenv("FOUNT_LONG") != "" {
		step = time.Millisecond
	}
	for _, f := range faults {
		for _, at := range moments(step) {
			for _, w := range script(t, ByNews, f, at) {
				t.Errorf("%s %s", f.name, w)
			}
		}
	}
}
