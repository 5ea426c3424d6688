// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// A logged keeps the lines of a log, and gives each to who waits.
type logged struct {
	t     testing.TB
	mu    sync.Mutex
	lines []string
	wait  chan struct{} // closed at the next line
}

func (l *logged) printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
	if l.wait != nil {
		close(l.wait)
		l.wait = nil
	}
}

// has waits for a line that contains a text.
func (l *logged) has(text string) {
	l.t.Helper()
	for {
		l.mu.Lock()
		for _, line := range l.lines {
			if strings.Contains(line, text) {
				l.mu.Unlock()
				return
			}
		}
		if l.wait == nil {
			l.wait = make(chan struct{})
		}
		wait := l.wait
		l.mu.Unlock()
		<-wait
	}
}
