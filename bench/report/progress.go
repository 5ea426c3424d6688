// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Progress, on a terminal only.

import (
	"fmt"
	"os"
	"time"
)

// progress is one line on stderr that is written again and again.
type progress struct{ terminal bool }

// newProgress takes a character device for a terminal: /dev/null is one too, and takes it all.
func newProgress() progress {
	info, err := os.Stderr.Stat()
	return progress{err == nil && info.Mode()&os.ModeCharDevice != 0}
}

func (p progress) show(format string, args ...any) {
	if p.terminal {
		fmt.Fprintf(os.Stderr, "\r\x1b[K%.78s", fmt.Sprintf(format, args...))
	}
}

func (p progress) clear() {
	if p.terminal {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}

// left is the time that remains if the rest goes on like what is done.
func left(spent time.Duration, done, all int) time.Duration {
	return (spent / time.Duration(done) * time.Duration(all-done)).Round(time.Second)
}
