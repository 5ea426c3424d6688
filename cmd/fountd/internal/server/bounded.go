// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// A Bounded logs a frequent event at most once a minute, with the number of events since its last
// line. Its methods may be called from any goroutine.
type Bounded struct {
	log     *slog.Logger
	message string
	minute  rate.Sometimes
	events  atomic.Int64 // since the last line
}

// NewBounded returns a Bounded that logs a message as a warning, to a log that doesn't block.
func NewBounded(log *slog.Logger, message string) *Bounded {
	return &Bounded{log: log, message: message, minute: rate.Sometimes{Interval: time.Minute}}
}

// Add counts an event, and logs it unless a line was logged less than a minute ago.
func (b *Bounded) Add(args ...any) {
	b.events.Add(1)
	b.minute.Do(func() {
		b.log.Warn(b.message, append(args, "times", b.events.Swap(0))...)
	})
}
