// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The measuring of Starts, from a process that stays where it is: each place has a process of its own, a starter, with a name
// space of its own, so that nobody else's changes.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// RunStarts measures programs on Plan 9. The places take turns, so that what changes with time befalls all. When ctx ends it
// stops and returns ctx's error; programs that wait for the device then end when they have their bytes.
func RunStarts(ctx context.Context, o StartOptions) (StartResult, error) {
	if err := o.setDefaults(); err != nil {
		return StartResult{}, err
	}
	r := StartResult{Procs: o.Procs, Count: o.Count}
	begin := time.Now()
	dir, err := os.MkdirTemp("", "fount-bench-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	s := site{Server: fmt.Sprintf("fount-bench-%d", os.Getpid()), Dir: dir}
	if o.Measure(Union) || o.Measure(Bind) {
		o.Progress("waiting for the server's seed")
		if err := o.Post(s.Server); err != nil {
			return r, err
		}
		r.ServerS = time.Since(begin).Seconds()
	}
	starters, err := o.starters(ctx, s)
	defer func() {
		for _, s := range starters {
			s.close()
		}
	}()
	if err != nil {
		return r, err
	}
	for _, command := range o.Programs {
		p, err := o.program(starters, command)
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err != nil {
			return r, err
		}
		r.Programs = append(r.Programs, p)
	}
	r.Seconds = time.Since(begin).Seconds()
	return r, nil
}

// starters starts one for each place. Those that it returns with an error are to be closed too.
func (o *StartOptions) starters(ctx context.Context, s site) (all []*starter, err error) {
	for _, s.Place = range Places() {
		if !o.Measure(s.Place) {
			continue
		}
		one, err := newStarter(ctx, o.Starter, s)
		if err != nil {
			return all, err
		}
		all = append(all, one)
	}
	return all, nil
}

// program measures one program at all places, and last what one process of it reads, by the two that count.
func (o *StartOptions) program(starters []*starter, command string) (p Program, err error) {
	p.Command = command
	p.Starts = make([]Starts, len(starters))
	for run := range o.Count {
		for i, s := range starters {
			o.Progress(fmt.Sprintf("%s, %s: run %d of %d", s.place, command, run+1, o.Count))
			p.Starts[i].Place = s.place
			a, err := s.ask(order{Command: command, Procs: o.Procs})
			if err != nil {
				return p, err
			}
			p.Starts[i].RunsMS = append(p.Starts[i].RunsMS, a.TookMS)
			if p.Starts[i].Failed += a.Failed; a.Why != "" {
				p.Starts[i].Why = a.Why
			}
		}
	}
	p.compare()
	for _, s := range starters {
		switch s.place {
		case Device:
			a, err := s.ask(order{Command: command, Iostats: true})
			if err != nil {
				return p, err
			}
			p.Iostats, p.NoIostats = a.Iostats, a.NoIostats
		case Bind:
			a, err := s.ask(order{Command: command, Procs: 1})
			if err != nil {
				return p, err
			}
			p.Served = &a.Served
		}
	}
	return p, nil
}

// A starter is the process of one place, seen from outside.
type starter struct {
	place   string
	cmd     *exec.Cmd
	in      io.Closer
	orders  *json.Encoder
	answers *json.Decoder
}

// newStarter starts one, and waits until its name space is as s has it.
func newStarter(ctx context.Context, program []string, s site) (*starter, error) {
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.SysProcAttr = ownNameSpace
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	one := &starter{s.Place, cmd, in, json.NewEncoder(in), json.NewDecoder(out)}
	if _, err := one.ask(s); err != nil {
		one.close()
		return nil, err
	}
	return one, nil
}

// ask waits for the answer to a site or an order.
func (s *starter) ask(question any) (a answer, err error) {
	if err = s.orders.Encode(question); err == nil {
		err = s.answers.Decode(&a)
	}
	if err == nil && a.Error != "" {
		err = errors.New(a.Error)
	}
	if err != nil {
		return a, fmt.Errorf("%s: %w", s.place, err)
	}
	return a, nil
}

// close ends the process, which has nothing to do.
func (s *starter) close() {
	_ = s.in.Close()
	_ = s.cmd.Wait()
}
