// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/fleet"
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
	workers int // that are known
}

// newWalk begins a call of a client that knows three workers.
func newWalk(ctx context.Context, c *NATSClient) *walk {
	c.workers = newWorkers(&c.mistakes)
	w := &walk{&call{NATSClient: c, ctx: ctx, request: fleet.Request{Kind: fleet.Verify, Password: []byte("p")}, results: make(chan result)}, 3}
	w.deadline, _ = ctx.Deadline()
	for i := range w.workers {
		w.hear(i)
	}
	return w
}

func (w *walk) hear(i int) {
	w.call.workers.hear(time.Now(), fleet.News{Worker: workerID(i)}, true)
}

// steps are what may happen now.
func (w *walk) steps() (all []step) {
	add := func(name string, do func()) { all = append(all, step{name, do}) }
	for i, a := range w.open {
		ends := func(err error) func() { return func() { w.take(result{attempt: a, outcome: outcome{err: err}}) } }
		add(fmt.Sprintf("request %d is lost", i), ends(fmt.Errorf("%w: %w", errLost, errConnection)))
		add(fmt.Sprintf("request %d finds nobody", i), ends(ErrNoWorker))
		add(fmt.Sprintf("request %d is refused", i), ends(password.OverloadedError{}))
		if a.direct && !w.call.workers.quietAt(time.Now(), a.worker).IsZero() {
			add(fmt.Sprintf("the worker of request %d is gone", i), func() { w.call.workers.unheard(a.worker) })
		}
	}
	for i := range w.workers {
		if w.call.workers.quietAt(time.Now(), workerID(i)).IsZero() {
			add("a worker is heard", func() { w.hear(i) })
			break // they are all alike
		}
	}
	if at := w.next(time.Now()); !at.IsZero() {
		add("time passes", func() { time.Sleep(time.Until(at)) })
	}
	return all
}

// settle has the call do what is due, and returns what is wrong then: it does so for ever, or acts again at once and not later.
func (w *walk) settle() string {
	for n := 0; w.act(time.Now()); n++ {
		if n == 100 {
			return "acts for ever"
		}
	}
	switch at := w.next(time.Now()); {
	case w.done:
	case !at.IsZero() && !at.After(time.Now()):
		return "acts again at once"
	case at.IsZero() && len(w.open) == 0:
		return "waits for nothing"
	}
	return ""
}

// walks takes a call through all that may happen to it in so many steps, and returns what is wrong and how many ways there are.
func walks(t *testing.T, steps int, m mistakes) (wrong []string, ways int) {
	k, err := fleet.NewKey(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		c, err := NATS(holder{}, k.Public().String(), NATSOptions{})
		if err != nil {
			t.Fatal(err)
		}
		c.mistakes = m
		for path := []int{}; path != nil; ways++ { // the choice at each step
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			w := newWalk(ctx, c)
			var names []string
			var widths []int
			for i := 0; ; i++ {
				if what := w.settle(); what != "" {
					wrong = append(wrong, strings.Join(names, ", ")+": the call "+what)
					break
				}
				if w.done || i == steps {
					break
				}
				all := w.steps()
				if i == len(path) {
					path = append(path, 0)
				}
				widths = append(widths, len(all))
				if path[i] >= len(all) {
					break // chance has the call do something else this time: see again
				}
				names = append(names, all[path[i]].name)
				all[path[i]].do()
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

// Whatever happens to a call in whatever order, it always waits for something, and never without an end acts at once.
func TestNATSWalks(t *testing.T) {
	steps := 5
	if os.Getenv("FOUNT_LONG") != "" {
		steps = 7
	}
	wrong, ways := walks(t, steps, mistakes{})
	for _, w := range wrong {
		t.Error(w)
	}
	control, _ := walks(t, steps, mistakes{spins: true})
	if t.Logf("%d ways; negative control: %d are wrong", ways, len(control)); len(control) == 0 {
		t.Error("a call that spins is not found")
	} else {
		t.Log(control[0])
	}
}
