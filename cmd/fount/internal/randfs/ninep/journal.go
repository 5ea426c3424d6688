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
	mostLines = 20                     // that may come at once
	lineEvery = 200 * time.Millisecond // after them
	lastWrite = time.Second            // how long Close waits if nobody takes the lines
)

// A Journal writes lines, at most 20 at once and 5 a second from then on, and says how many it left
// out. Writers never wait for a reader, such as a full pipe: a goroutine does.
type Journal struct {
	lines chan string
	ended chan struct{}

	mu     sync.Mutex
	limit  *rate.Limiter
	closed bool
	left   int // lines left out since the last one
}

// NewJournal makes a Journal that writes to w.
func NewJournal(w io.Writer) *Journal {
	j := &Journal{
		lines: make(chan string, mostLines),
		ended: make(chan struct{}),
		limit: rate.NewLimiter(rate.Every(lineEvery), mostLines),
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
	if !j.closed && j.limit.Allow() && j.send(j.leftOut()+fmt.Sprintf(format, args...)+"\n") {
		j.left = 0
	} else {
		j.left++
	}
}

// leftOut is a line about those that are missing, or nothing.
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

// Close ends the journal when all its lines are written, or after a second if nobody takes them.
func (j *Journal) Close() {
	j.mu.Lock()
	if !j.closed {
		j.closed = true
		if text := j.leftOut(); text != "" {
			j.send(text)
		}
		close(j.lines)
	}
	j.mu.Unlock()
	select {
	case <-j.ended:
	case <-time.After(lastWrite):
	}
}
