// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Workers that are processes: the parent's side.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"fount/lab/measure"
)

// A family is processes of this program, each bound to a core, that wait for turns. One goroutine uses it.
type family []*child

// A child is one process. It is told a task, says "ready", is told when to begin, and answers with a tally: one line
// each.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *json.Decoder
	stderr bytes.Buffer
}

// A post is where a child stands: the first that it is told.
type post struct {
	CPU int `json:"cpu"`
}

// soon is how long after the last child is ready all begin: long enough for each to be told.
const soon = 500 * time.Microsecond

// newFamily starts a process for each core. program is the command that runs Serve.
func newFamily(ctx context.Context, program []string, cpus []int) (family, error) {
	var f family
	for _, cpu := range cpus {
		c, err := newChild(ctx, program, cpu)
		if c != nil {
			f = append(f, c)
		}
		if err != nil {
			f.close()
			return nil, err
		}
	}
	return f, nil
}

func newChild(ctx context.Context, program []string, cpu int) (*child, error) {
	c := &child{cmd: exec.CommandContext(ctx, program[0], program[1:]...)}
	c.cmd.Stderr = &c.stderr
	c.cmd.WaitDelay = time.Second
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.out = in, json.NewDecoder(out)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	return c, c.tell(post{cpu})
}

// turn has the first n processes draw, each from a source of its own.
func (f family) turn(m measure.Method, what task, n int) (run, error) {
	what.Method = m.Name
	for k, c := range f[:n] {
		what.Worker = k
		if err := c.tell(what); err != nil {
			return run{}, err
		}
	}
	tallies := make([]tally, n)
	for k, c := range f[:n] {
		if err := c.hear(&tallies[k]); err != nil {
			return run{}, err
		}
	}
	if err := failed(tallies); err != nil {
		return run{}, errors.Join(err, f[:n].dismiss(tallies))
	}
	start := time.Now().Add(soon).UnixNano()
	for _, c := range f[:n] {
		if err := c.tell(start); err != nil {
			return run{}, err
		}
	}
	for k, c := range f[:n] {
		if err := c.hear(&tallies[k]); err != nil {
			return run{}, err
		}
	}
	return sum(tallies)
}

// dismiss lets those begin that are ready, though others are not, so that all wait for the next task.
func (f family) dismiss(tallies []tally) error {
	for k, c := range f {
		if tallies[k].Err != "" {
			continue
		}
		var ignored tally
		if err := c.tell(int64(0)); err != nil {
			return err
		}
		if err := c.hear(&ignored); err != nil {
			return err
		}
	}
	return nil
}

// failed is why one of the children can't draw.
func failed(tallies []tally) error {
	for _, t := range tallies {
		if t.Err != "" {
			return errors.New(t.Err)
		}
	}
	return nil
}

func (c *child) tell(what any) error {
	line, err := json.Marshal(what)
	if err != nil {
		return err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return c.gone(err)
	}
	return nil
}

func (c *child) hear(what any) error {
	if err := c.out.Decode(what); err != nil {
		return c.gone(err)
	}
	return nil
}

// A lost is the error of a child that does not talk any more: nothing can be measured without it.
type lost struct {
	err  error  // of the pipe
	exit string // what became of the process
	said string // the first line on its standard error
}

func (l *lost) Error() string {
	return strings.TrimSpace(fmt.Sprintf("a process of the measurement ended (%s): %v %s", l.exit, l.err, l.said))
}

func (l *lost) Unwrap() error { return l.err }

func (c *child) gone(err error) error {
	c.in.Close()
	c.cmd.Wait()
	said, _, _ := strings.Cut(strings.TrimSpace(c.stderr.String()), "\n")
	return &lost{err, c.cmd.ProcessState.String(), said}
}

// close ends the processes and waits for each: their input ends, and they with it.
func (f family) close() {
	for _, c := range f {
		c.in.Close()
	}
	for _, c := range f {
		if c.cmd.ProcessState == nil {
			c.cmd.Wait()
		}
	}
}
