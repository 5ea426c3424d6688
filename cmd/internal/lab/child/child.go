// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package child runs parts of a study in processes of their own: this program again, as "fount
// child STUDY". Both sides send JSON, a value a line. A process ends when it is dismissed, by the
// end of its input, and at an interrupt; one that does not is killed.
package child

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// patience is how long a process may take to end before it is killed.
const patience = 5 * time.Second

// A Child is a process that measures for a study. One goroutine may send while another receives.
type Child struct {
	cmd    *exec.Cmd
	input  io.Closer
	output io.Reader
	enc    *json.Encoder
	dec    *json.Decoder
	stderr bytes.Buffer
	ctx    context.Context
	once   sync.Once
}

// Start starts a process of a study, with env besides its environment. It is interrupted with ctx.
func Start(ctx context.Context, study string, env ...string) (*Child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}

	c := &Child{ctx: ctx, cmd: exec.CommandContext(ctx, program, "child", study)}
	c.cmd.Args[0] = os.Args[0] // some programs act on it
	c.cmd.Stderr = &c.stderr
	c.cmd.Cancel = func() error { return c.cmd.Process.Signal(os.Interrupt) } // it may unmount
	c.cmd.WaitDelay = patience
	c.cmd.Env = append(c.cmd.Environ(), env...)

	input, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}

	output, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}

	if err := c.cmd.Start(); err != nil {
		return nil, err
	}

	c.input = input
	c.output = output
	c.enc = json.NewEncoder(input)
	c.dec = json.NewDecoder(output)
	return c, nil
}

// Run starts a process, tells it one value, and returns its answer.
func Run[Answer any](ctx context.Context, study string, ask any) (answer Answer, err error) {
	c, err := Start(ctx, study)
	if err != nil {
		return answer, err
	}
	if err = c.Send(ask); err == nil {
		err = c.Receive(&answer)
	}
	return answer, errors.Join(err, c.Close())
}

// Send tells the process a value.
func (c *Child) Send(v any) error {
	if err := c.enc.Encode(v); err != nil {
		return c.why(err)
	}
	return nil
}

// Receive waits for a value of the process.
func (c *Child) Receive(v any) error {
	if err := c.dec.Decode(v); err != nil {
		return c.why(err)
	}
	return nil
}

// why returns the reason that the process does not answer: what it said when it ended, if it has.
func (c *Child) why(err error) error {
	if ended := c.Close(); ended != nil {
		return ended
	}
	return fmt.Errorf("process %d: %w", c.cmd.Process.Pid, err)
}

// Close dismisses the process and waits until it has ended. Its error is that of the process, once.
func (c *Child) Close() (err error) {
	c.once.Do(func() { err = c.end() })
	return err
}

func (c *Child) end() error {
	c.input.Close()
	late := time.AfterFunc(patience, func() { c.cmd.Process.Kill() })
	defer late.Stop()

	_, _ = io.Copy(io.Discard, c.output)
	err := c.cmd.Wait()

	if err != nil && c.ctx.Err() != nil {
		return c.ctx.Err()
	}

	if line, _, _ := strings.Cut(strings.TrimSpace(c.stderr.String()), "\n"); err != nil && line != "" {
		err = errors.New(line)
	}
	return err
}

// Pipes returns what a process of a study receives and sends by. A read of os.Stdin is a blocking
// system call, which holds the processor of a process that has one until the runtime's monitor looks,
// 10 ms later; a pipe that is opened by its name waits in the poller.
func Pipes() (*json.Decoder, *json.Encoder) {
	in, err := os.Open("/dev/stdin")
	if err != nil {
		in = os.Stdin
	}
	return json.NewDecoder(in), json.NewEncoder(os.Stdout)
}
