// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// A RareLog logs a frequent event at most once a minute, with the number of events since its last
// line. Its methods may be called from any goroutine.
type RareLog struct {
	log     *slog.Logger
	message string
	minute  rate.Sometimes
	events  atomic.Int64 // since the last line
}

// NewRareLog returns a RareLog that logs a message as a warning, to a log that doesn't block.
func NewRareLog(log *slog.Logger, message string) *RareLog {
	return &RareLog{log: log, message: message, minute: rate.Sometimes{Interval: time.Minute}}
}

// Add counts an event, and logs it unless a line was logged less than a minute ago.
func (l *RareLog) Add(args ...any) {
	l.events.Add(1)
	l.minute.Do(func() {
		l.log.Warn(l.message, append(args, "times", l.events.Swap(0))...)
	})
}
