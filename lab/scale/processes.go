// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Workers that are processes.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"fount/lab/child"
	"fount/lab/measure"
)

// A family is processes of this program, each bound to a core, that wait for turns. One goroutine uses it. A process is told its
// spot; then of each turn a task, to which it answers a tally without values as soon as it is ready, and when to begin, to which
// it answers what it did.
type family struct {
	children []*child.Child
	spots    []spot
}

// soon is how long after the last process is ready all begin: long enough for each to be told.
const soon = 500 * time.Microsecond

// newFamily starts a process for each spot.
func newFamily(ctx context.Context, spots []spot) (*family, error) {
	f := &family{spots: spots}
	for _, s := range spots {
		c, err := child.Start(ctx, name)
		if err == nil {
			f.children = append(f.children, c)
			err = c.Send(s)
		}
		if err != nil {
			f.close()
			return nil, err
		}
	}
	return f, nil
}

// turn has the first n processes draw, each from a source of its own.
func (f *family) turn(m measure.Method, what task, n int) (turned, error) {
	what.Method = m.Name
	tallies := make([]tally, n)
	hear := func(k int) error { return f.children[k].Receive(&tallies[k]) }
	err := each(n, func(k int) error {
		what.Worker, what.Spot = k, f.spots[k]
		return f.children[k].Send(what)
	})
	if err == nil {
		err = each(n, hear)
	}
	start := time.Now().Add(soon).UnixNano()
	if err == nil {
		err = each(n, func(k int) error { return f.children[k].Send(start) })
	}
	if err == nil {
		err = each(n, hear)
	}
	if err != nil {
		return turned{}, fatal{err}
	}
	return sum(tallies)
}

// each calls do with 0 to n-1 until one fails.
func each(n int, do func(k int) error) error {
	for k := range n {
		if err := do(k); err != nil {
			return err
		}
	}
	return nil
}

// close ends the processes, if there are any, and waits for each.
func (f *family) close() {
	if f == nil {
		return
	}
	for _, c := range f.children {
		c.Close()
	}
}

// serve is one of the processes.
func serve(in *json.Decoder, out *json.Encoder) error {
	var s spot
	if err := in.Decode(&s); err != nil {
		return fmt.Errorf("a spot: %w", err)
	}
	err := pin(s.CPU)
	for err == nil {
		var t task
		if err = in.Decode(&t); err == nil {
			err = t.answer(in, out)
		}
	}
	if errors.Is(err, io.EOF) {
		return nil // dismissed
	}
	return err
}

// answer does one task. One that can't be done is answered with the others.
func (t task) answer(in *json.Decoder, out *json.Encoder) error {
	var told error
	arrive := func() {
		var start int64
		if told = out.Encode(tally{}); told == nil {
			told = in.Decode(&start)
		}
		for told == nil && time.Now().UnixNano() < start {
		}
	}
	result := t.open(arrive)
	if told != nil {
		return told
	}
	return out.Encode(result)
}

func (t task) open(arrive func()) tally {
	methods := Methods(t.Setting)
	i := slices.IndexFunc(methods, func(m measure.Method) bool { return m.Name == t.Method })
	if i < 0 {
		arrive()
		return tally{Err: fmt.Sprintf("unknown method %q", t.Method)}
	}
	src, err := methods[i].Open()
	if err != nil {
		arrive()
		return tally{Err: err.Error()}
	}
	defer src.Close()
	return t.run(src, arrive)
}
