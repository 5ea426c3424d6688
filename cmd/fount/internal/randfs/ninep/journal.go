// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// A log that clients can neither block nor fill.

import (
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	maxBurst     = 20                     // lines at once
	lineInterval = 200 * time.Millisecond // of lines after a burst
	closeTimeout = time.Second            // if nobody reads the lines
)

// A Journal writes at most 20 lines at once, then 5 a second, and says how many it left out.
// Writers never wait, even if w blocks, as a full pipe does: a goroutine of the Journal writes to
// w.
type Journal struct {
	lines chan string
	ended chan struct{}

	mu    sync.Mutex
	limit *rate.Limiter
	left  int // lines left out since the last one
}

// NewJournal returns a Journal that writes to w.
func NewJournal(w io.Writer) *Journal {
	j := &Journal{
		lines: make(chan string, maxBurst),
		ended: make(chan struct{}),
		limit: rate.NewLimiter(rate.Every(lineInterval), maxBurst),
	}

	go func() {
		defer close(j.ended)
		for line := range j.lines {
			io.WriteString(w, line)
		}
	}()
	return j
}

// Printf writes a line. It never waits.
func (j *Journal) Printf(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.limit.Allow() && j.send(j.leftOut()+fmt.Sprintf(format, args...)+"\n") {
		j.left = 0
	} else {
		j.left++
	}
}

// leftOut returns a line with the number of lines left out, or "" if there are none.
func (j *Journal) leftOut() string {
	if j.left == 0 {
		return ""
	}
	return fmt.Sprintf("(%d lines left out)\n", j.left)
}

func (j *Journal) send(text string) bool {
	select {
	case j.lines <- text:
		return true
	default:
		return false
	}
}

// Close ends the journal when all its lines are written, or after a second if w blocks. Nobody may
// use the journal from then on.
func (j *Journal) Close() {
	if text := j.leftOut(); text != "" {
		j.send(text)
	}
	close(j.lines)

	select {
	case <-j.ended:
	case <-time.After(closeTimeout):
	}
}
