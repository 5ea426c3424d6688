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
// CPU; then of each turn a task, to which it answers a tally without values as soon as it is ready, and when to begin, to which
// it answers what it did.
type family []*child.Child

// soon is how long after the last process is ready all begin: long enough for each to be told.
const soon = 500 * time.Microsecond

// newFamily starts a process for each core.
func newFamily(ctx context.Context, cpus []int) (family, error) {
	var f family
	for _, cpu := range cpus {
		c, err := child.Start(ctx, name)
		if err == nil {
			f = append(f, c)
			err = c.Send(cpu)
		}
		if err != nil {
			f.close()
			return nil, err
		}
	}
	return f, nil
}

// A lost is the error of a process that does not answer any more: nothing can be measured without it.
type lost struct{ error }

func (l *lost) Unwrap() error { return l.error }

// turn has the first n processes draw, each from a source of its own.
func (f family) turn(m measure.Method, what task, n int) (turned, error) {
	what.Method = m.Name
	tallies := make([]tally, n)
	send := func(k int, v any) error { return f[k].Send(v) }
	hear := func(k int) error {
		tallies[k] = tally{}
		return f[k].Receive(&tallies[k])
	}
	var ready []int
	err := each(n, func(k int) error {
		what.Worker = k
		return send(k, what)
	})
	if err == nil {
		err = each(n, hear)
	}
	if err != nil {
		return turned{}, &lost{err}
	}
	for k, t := range tallies {
		if t.Err == "" {
			ready = append(ready, k)
		}
	}
	refused := slices.IndexFunc(tallies, func(t tally) bool { return t.Err != "" })
	start := time.Now().Add(soon).UnixNano()
	var why error
	if refused >= 0 { // those that are ready draw too, and then wait for the next task
		why = errors.New(tallies[refused].Err)
	}
	if err := each(len(ready), func(i int) error { return send(ready[i], start) }); err != nil {
		return turned{}, &lost{err}
	}
	if err := each(len(ready), func(i int) error { return hear(ready[i]) }); err != nil {
		return turned{}, &lost{err}
	}
	if why != nil {
		return turned{}, why
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

// close ends the processes and waits for each.
func (f family) close() {
	for _, c := range f {
		c.Close()
	}
}

// serve is one of the processes.
func serve(in *json.Decoder, out *json.Encoder) error {
	cpu := 0
	if err := in.Decode(&cpu); err != nil {
		return fmt.Errorf("a core: %w", err)
	}
	if err := pin(cpu); err != nil {
		return err
	}
	for {
		var t task
		err := in.Decode(&t)
		if err == nil {
			err = t.answer(in, out)
		}
		if errors.Is(err, io.EOF) {
			return nil // dismissed
		}
		if err != nil {
			return err
		}
	}
}

// answer does one task. A method that can't be opened is told in place of being ready, and nothing follows.
func (t task) answer(in *json.Decoder, out *json.Encoder) error {
	methods := Methods(t.setting())
	i := slices.IndexFunc(methods, func(m measure.Method) bool { return m.Name == t.Method })
	if i < 0 {
		return out.Encode(tally{Err: fmt.Sprintf("unknown method %q", t.Method)})
	}
	src, err := methods[i].Open()
	if err != nil {
		return out.Encode(tally{Err: err.Error()})
	}
	defer src.Close()
	var told error
	result := t.run(src, func() {
		var start int64
		if told = out.Encode(tally{}); told == nil {
			told = in.Decode(&start)
		}
		for told == nil && time.Now().UnixNano() < start {
		}
	})
	if told != nil {
		return told
	}
	return out.Encode(result)
}
