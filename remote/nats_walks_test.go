// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/fleet"
	"fount/internal/fleet/choice"
	"fount/password"
)

// A holder is a broker that keeps requests for as long as somebody waits.
type holder struct{}

func (holder) Request(ctx context.Context, _ string, _ []byte) ([]byte, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (holder) Subscribe(string, func([]byte)) (func(), error) { return func() {}, nil }

func (holder) Publish(string, []byte) error { return nil }

// A step is one of what may happen to a call next.
type step struct {
	name string
	do   func()
}

// A walk is a call to which one thing happens after the other.
type walk struct {
	*call
	known   []fleet.WorkerID
	changed <-chan struct{} // as ask has it while it waits
	missed  string          // what should have been done, and was not
}

// newWalk begins a call of a client that knows three workers. Draws come to the least, so that each walk can be taken again.
func newWalk(ctx context.Context, c *NATSClient) *walk {
	c.workers = newWorkers()
	c.workers.intN = func(int) int { return 0 }
	w := &walk{call: &call{NATSClient: c, ctx: ctx, request: fleet.Request{Kind: fleet.Verify, Password: []byte("p")}, results: make(chan result)}}
	w.deadline, _ = ctx.Deadline()
	for i := range 3 {
		w.known = append(w.known, workerID(i))
		w.hear(workerID(i), false)
	}
	return w
}

func (w *walk) hear(id fleet.WorkerID, draining bool) {
	w.workers.hear(time.Now(), fleet.News{Worker: id, Draining: draining}, true)
}

// steps are what may happen now.
func (w *walk) steps() (all []step) {
	add := func(name string, do func()) { all = append(all, step{name, do}) }
	for i, a := range w.open {
		ends := func(o outcome, from *fleet.WorkerID) func() {
			return func() { w.take(result{attempt: a, outcome: o, from: from}) }
		}
		add(fmt.Sprintf("request %d is lost", i), ends(outcome{err: fmt.Errorf("%w: %w", errLost, errConnection)}, nil))
		add(fmt.Sprintf("request %d finds nobody", i), ends(outcome{err: ErrNoWorker}, nil))
		who := &a.worker
		if !a.direct {
			who = &w.known[0]
		}
		add(fmt.Sprintf("request %d is refused", i), ends(outcome{err: password.OverloadedError{}}, who))
	}
	for _, id := range w.known {
		k := w.workers.find(id)
		gone := k.Missing(time.Now())
		if k.Draining || gone || k.Heard.Before(time.Now()) {
			add(fmt.Sprintf("worker %d is heard", id[7]), func() { w.hear(id, false) })
		}
		if !gone && !k.Draining && !w.asks(id) { // or that was forged
			add(fmt.Sprintf("worker %d drains", id[7]), func() { w.hear(id, true) })
		}
		if !gone && w.asks(id) {
			add(fmt.Sprintf("another call finds worker %d gone", id[7]), func() { w.workers.unheard(id) })
		}
	}
	add("another call loses the connection", w.workers.lost)
	if time.Until(w.deadline) > time.Millisecond {
		add("time passes", func() { w.pass(time.Hour) })
		add("a moment passes", func() { w.pass(choice.Every) })
	}
	return all
}

// asks reports whether a worker has the call.
func (w *walk) asks(id fleet.WorkerID) bool {
	return slices.ContainsFunc(w.open, func(a *attempt) bool { return a.direct && a.worker == id })
}

// pass waits until next says, or for the deadline, but no longer than most. Nothing may be due before.
func (w *walk) pass(most time.Duration) {
	at := w.next(time.Now())
	if at.IsZero() || at.After(w.deadline) {
		at = w.deadline.Add(-time.Millisecond + 1) // so that there is time to ask
	}
	for end := at.Add(-1); w.missed == "" && time.Now().Before(end) && most > 0; {
		wait := min(choice.Every/2, time.Until(end), most)
		most -= wait
		time.Sleep(wait)
		if w.act(time.Now()) {
			w.missed = "does late what was due before"
		}
	}
	if most > 0 {
		time.Sleep(time.Nanosecond)
	}
}

// settle has the call do what is due, and returns what is wrong then.
func (w *walk) settle() string {
	w.changed = w.workers.watch()
	for n := 0; w.act(time.Now()); n++ {
		if n == 100 {
			return "acts for ever"
		}
	}
	switch at := w.next(time.Now()); {
	case w.done && w.last.nothing() && time.Until(w.deadline) > time.Millisecond:
		return "waits for its deadline" // see ask
	case w.done:
	case !at.IsZero() && !at.After(time.Now()):
		return "acts again at once"
	case at.IsZero() && len(w.open) == 0:
		return "waits for nothing"
	}
	return ""
}

// happen does a step, and returns what is wrong: the call would have something to do, and ask does not wake.
func (w *walk) happen(s step) string {
	results := len(w.open)
	s.do()
	select {
	case <-w.changed:
		return w.missed
	default:
	}
	if w.missed == "" && !strings.HasSuffix(s.name, " passes") && !w.done && len(w.open) == results && w.act(time.Now()) {
		return "has something to do, and is not woken"
	}
	return w.missed
}

// walks takes a call through all that may happen to it in so many steps, and returns the first that is wrong, and how many ways were taken.
func walks(t *testing.T, steps int) (wrong string, ways int) {
	k, err := fleet.NewKey(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		c, err := NATS(holder{}, k.Public().String(), NATSOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for path := []int{}; path != nil && wrong == ""; ways++ { // the choice at each step
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			w := newWalk(ctx, c)
			var names []string
			var widths []int
			what := w.settle()
			for i := 0; what == "" && !w.done && i < steps; i++ {
				all := w.steps()
				if i == len(path) {
					path = append(path, 0)
				}
				widths = append(widths, len(all))
				if path[i] >= len(all) {
					t.Fatalf("%s: %d steps; there were more", strings.Join(names, ", "), len(all))
				}
				names = append(names, all[path[i]].name)
				what = cmp.Or(w.happen(all[path[i]]), w.settle())
			}
			if what != "" {
				wrong = strings.Join(names, ", ") + ": the call " + what
			}
			cancel()
			synctest.Wait() // requests end
			path = following(path[:len(widths)], widths)
		}
	})
	return wrong, ways
}

// following is the path after one, in the order of numbers whose digits have those widths; nil after the last.
func following(path, widths []int) []int {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i]++; path[i] < widths[i] {
			return path[:i+1]
		}
	}
	return nil
}

// Whatever happens to a call in whatever order, it always waits for something, never acts at once without an end, and does what is due
// when it is.
func TestNATSWalks(t *testing.T) {
	steps := 4
	if os.Getenv("FOUNT_LONG") != "" {
		steps = 5
	}
	wrong, ways := walks(t, steps)
	if t.Logf("%d ways", ways); wrong != "" {
		t.Error(wrong)
	}
}
