// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"bytes"
	"io"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A logWriter writes lines to a log that may be full or stand still, as a pipe that nobody reads
// and a terminal after Ctrl-S do. Write never waits: while logLines wait, others are dropped and
// counted.
type logWriter struct {
	lines   chan []byte   // nil marks the end
	ended   chan struct{} // closed at the end
	dropped prometheus.Counter
}

const (
	logLines    = 256
	logPatience = time.Second // of flush
)

func newLogWriter(to io.Writer) *logWriter {
	w := &logWriter{
		lines: make(chan []byte, logLines),
		ended: make(chan struct{}),
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
			if _, err := to.Write(line); err != nil {
				w.dropped.Inc()
			}
		}
	}()
	return w
}

// Write passes a line on. It keeps no part of it, and returns no error.
func (w *logWriter) Write(line []byte) (int, error) {
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
	limit := time.After(logPatience)
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
