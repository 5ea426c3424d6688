// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// One process of a race, from outside.

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

// A racer is one process of a race, and what became of it. Its times are clock's, written before hasEnded is closed and
// read after that.
type racer struct {
	launched int64 // before exec
	ready    int64 // 0: never
	passed   int64 // the gate; 0: never
	had      int64 // its bytes; 0: never
	err      error // why it does not have them; nil if it was late

	in       io.WriteCloser // the task; its end opens the gate
	isReady  chan struct{}  // closed when it is ready, or never will be
	hasEnded chan struct{}
}

// openGate ends the process's input.
func (p *racer) openGate() { p.in.Close() }

func newRacer() *racer {
	return &racer{isReady: make(chan struct{}), hasEnded: make(chan struct{})}
}

// start starts the process, which is killed when ctx ends.
func (p *racer) start(ctx context.Context, program []string, t task) error {
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.Args[0] = os.Args[0] // some programs act on it
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if p.in, err = cmd.StdinPipe(); err != nil {
		return err
	}
	p.launched = clock()
	if err := cmd.Start(); err != nil {
		return err
	}
	_, _ = p.in.Write(line) // a process that takes no task never gets ready, and says why
	go func() {
		defer close(p.hasEnded)
		p.err = p.listen(out)
		died := cmd.Wait()
		switch cause := context.Cause(ctx); {
		case p.err == nil || p.passed != 0: // it has reported
		case cause == errLate:
			p.err = nil
		case cause == errNotReady:
			p.err = errNotReady
		case died != nil:
			p.err = fmt.Errorf("%w (%v%s)", p.err, died, firstLine(stderr.String()))
		}
	}()
	return nil
}

// listen reads what the process says until it ends.
func (p *racer) listen(out io.Reader) error {
	isReady := sync.OnceFunc(func() { close(p.isReady) })
	defer isReady()
	lines := json.NewDecoder(out)
	var first, second said
	if err := lines.Decode(&first); err != nil || first.Ready == 0 {
		return errors.New("it ended before it was ready")
	}
	p.ready = first.Ready
	isReady()
	if err := lines.Decode(&second); err != nil || second.Passed == 0 {
		return errors.New("it ended without its bytes")
	}
	p.passed, p.had = second.Passed, second.Had
	if second.Error != "" {
		return errors.New(second.Error)
	}
	return nil
}

func (p *racer) ended() bool {
	select {
	case <-p.hasEnded:
		return true
	default:
		return false
	}
}

// judge disqualifies a process that did not wait for the gate.
func (p *racer) judge(opened int64) {
	if p.passed != 0 && p.passed < opened {
		p.err, p.had = errFalseStart, 0
	}
}

// firstLine is what a process said on standard error, after a colon.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if line == "" {
		return ""
	}
	return ": " + line
}
