// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"io"
	"testing"
	"testing/synctest"
)

// A burst of lines into a log that stands still holds up neither who writes them nor the end.
func TestBurstIntoStoppedLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		read, write := io.Pipe()
		w := newLogWriter(write)
		w.Write([]byte("the line that is stuck\n"))
		synctest.Wait()
		for range 2 * logLines {
			w.Write([]byte("line\n"))
		}

		w.flush()

		read.Close()
		close(w.lines)
		<-w.ended
	})
}
