// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The progress of a stream: one line on a terminal, rewritten five times a second and removed at the end.

package cli

import (
	"fmt"
	"io"
	"time"

	"fount/lab/show"
)

// progress shows how far a stream is. A nil progress shows nothing. It is used by one goroutine.
type progress struct {
	line   *show.Progress
	total  uint64 // 0: no end
	start  time.Time
	ticker *time.Ticker
}

func newProgress(terminal io.Writer, total uint64) *progress {
	return &progress{
		line:   show.NewProgress(terminal, styleOf(terminal)),
		total:  total,
		start:  time.Now(),
		ticker: time.NewTicker(time.Second / 5),
	}
}

// tick is the channel of the ticker; it never delivers if p is nil.
func (p *progress) tick() <-chan time.Time {
	if p == nil {
		return nil
	}
	return p.ticker.C
}

// show replaces the line.
func (p *progress) show(done int64) {
	p.line.Show(progressLine(uint64(done), p.total, time.Since(p.start)))
}

// clear removes the line and stops the ticker.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.ticker.Stop()
	p.line.Clear()
}

// progressLine says how much is done, at which average rate, and how long the rest takes at that rate.
func progressLine(done, total uint64, elapsed time.Duration) string {
	rate, size := float64(done)/elapsed.Seconds(), show.Size
	if total == 0 {
		return fmt.Sprintf("%s  %s/s", size(float64(done)), size(rate))
	}
	line := fmt.Sprintf("%s of %s  %2.0f %%  %s/s", size(float64(done)), size(float64(total)),
		100*float64(done)/float64(total), size(rate))
	if done == 0 {
		return line
	}
	const year = 365 * 24 * 60 * 60
	seconds := float64(total-done) / rate
	if seconds > year { // and a Duration overflows at 292 of them
		return line + "  over a year left"
	}
	left := time.Duration(seconds * float64(time.Second))
	return line + "  " + left.Round(time.Second).String() + " left"
}
