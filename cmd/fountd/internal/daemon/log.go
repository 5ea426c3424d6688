// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A logWriter writes lines to a log that may be full or stand still, as a pipe that nobody reads
// and a terminal after Ctrl-S do. Write never waits: while a line has not been written for
// logPatience, others are dropped and counted.
type logWriter struct {
	lines   chan []byte   // nil marks the end
	ended   chan struct{} // closed at the end
	dropped prometheus.Counter
	start   time.Time
	writing atomic.Int64 // when the line that is being written was begun, after start; 0 if none is
}

const (
	logLines    = 256 // lines that may wait
	logPatience = 100 * time.Millisecond
)

func newLogWriter(to io.Writer) *logWriter {
	w := &logWriter{
		lines: make(chan []byte, logLines),
		ended: make(chan struct{}),
		start: time.Now(),
		dropped: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "fountd_log_lines_dropped_total", Help: "Lines that could not be written to the log.",
		}),
	}
	go func() {
		defer close(w.ended)
		for line := range w.lines {
			if line == nil {
				return
			}
			w.writing.Store(int64(time.Since(w.start)))
			if _, err := to.Write(line); err != nil {
				w.dropped.Inc()
			}
			w.writing.Store(0)
		}
	}()
	return w
}

// Write passes a line on. It keeps no part of it, and returns no error.
func (w *logWriter) Write(line []byte) (int, error) {
	began := time.Duration(w.writing.Load())
	if began != 0 && time.Since(w.start)-began > logPatience {
		w.dropped.Inc()
		return len(line), nil
	}

	select {
	case w.lines <- bytes.Clone(line):
	default:
		w.dropped.Inc()
	}
	return len(line), nil
}

// flush waits until all lines are written, but not for a log that stands still. Later lines are
// lost.
func (w *logWriter) flush() {
	limit := time.After(10 * logPatience)
	select {
	case w.lines <- nil:
	case <-limit:
		return
	}

	select {
	case <-w.ended:
	case <-limit:
	}
}
