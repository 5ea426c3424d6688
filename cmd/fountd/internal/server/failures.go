// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"
)

// failuresEvery is the time between two lines: a process without descriptors fails a thousand times a second.
const failuresEvery = time.Minute

// failures logs the errors of listeners: the first at once, later ones by their number.
type failures struct {
	log *slog.Logger

	mu     sync.Mutex
	logged time.Time
	since  int // after the line before
}

func (f *failures) add(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.since++
	if now := time.Now(); f.logged.IsZero() || now.Sub(f.logged) >= failuresEvery {
		f.log.Warn("no connection could be accepted", "error", err, "times", f.since)
		f.logged, f.since = now, 0
	}
}

// An accepting listener logs why it could not accept. After errors that pass net/http asks again, within a second.
type accepting struct {
	net.Listener
	failed *failures
}

func (l accepting) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		l.failed.add(err)
	}
	return c, err
}
