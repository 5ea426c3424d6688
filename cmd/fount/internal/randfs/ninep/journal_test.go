// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		j := NewJournal(&out)
		flood := func(n int) (lines []string) {
			for range n {
				j.Printf("client %d", 1)
				synctest.Wait()
			}
			text := out.String()
			out.Reset()
			return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		}
		if got := flood(10000); len(got) != maxBurst || got[0] != "client 1" {
			t.Errorf("%d lines, want %d: %q", len(got), maxBurst, got)
		}
		time.Sleep(time.Second)
		if got := flood(100); len(got) != 6 || got[0] != "(9980 lines left out)" || got[1] != "client 1" {
			t.Errorf("a second later %d lines, want 6: %q", len(got), got)
		}
		time.Sleep(time.Hour)
		if got := flood(30); len(got) != 1+maxBurst || got[0] != "(95 lines left out)" {
			t.Errorf("an hour later %d lines, want %d: %q", len(got), maxBurst, got)
		}
		j.Close()
		if got := out.String(); got != "(10 lines left out)\n" {
			t.Errorf("at the end %q", got)
		}
	})
}

// Where nobody reads what is written, logging never waits, and Close a second at most.
func TestJournalStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		j := NewJournal(w)
		for range 1000 {
			j.Printf("line")
			time.Sleep(lineInterval)
		}
		began := time.Now()
		j.Close()
		if took := time.Since(began); took != closeTimeout {
			t.Errorf("Close took %v", took)
		}
		text := make(chan string)
		go func() { b, _ := io.ReadAll(r); text <- string(b) }()
		<-j.ended
		w.Close()
		if got := <-text; strings.Count(got, "\n") > 2*maxBurst {
			t.Errorf("%d lines were kept for later", strings.Count(got, "\n"))
		}
	})
}
