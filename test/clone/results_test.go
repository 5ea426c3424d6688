// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// What a pair of clones drew, as the test's log shows it.

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"fount"
	"fount/test/clone/wire"
)

// A result is one pair of clones. Counted are draws that began after the snapshot, by the uniqueness word loaded before
// and after each: the snapshot's on both sides (old), a greater one on both sides (new), or one of each (across).
// Repeats are values that the second clone drew and the first drew too. Draws that were under way at the snapshot are
// counted apart.
type result struct {
	name   string
	s      *snapshot
	clones [2]*twin
	pairs  []*pair
}

// logResult logs the pair's table.
func logResult(t *testing.T, name string, s *snapshot, clones [2]*twin, pairs []*pair) {
	r := result{name, s, clones, pairs}
	var b strings.Builder
	r.write(&b)
	t.Log(b.String())
}

func (r *result) write(b *strings.Builder) {
	var now [2]uint64
	var moved [2][]string
	for i, c := range r.clones {
		now[i] = c.Word
		for _, ns := range c.Moved {
			if ns >= 0 {
				moved[i] = append(moved[i], time.Duration(ns).Round(10*time.Microsecond).String())
			}
		}
	}
	fmt.Fprintf(b, "\n## %s\n\n", strings.ToUpper(r.name[:1])+r.name[1:])
	b.WriteString(r.s.describe())
	fmt.Fprintf(b, "Kernel noticed the clone: %s, %s. Word: %d before, %d and %d at the end of the clones.\n",
		yes(r.clones[0].noticed), yes(r.clones[1].noticed), r.s.word(), now[0], now[1])
	if len(moved[0])+len(moved[1]) > 0 {
		fmt.Fprintf(b, "Each goroutine's time from its first round after the snapshot to its first with another word: %s; %s.\n",
			strings.Join(moved[0], ", "), strings.Join(moved[1], ", "))
	}
	b.WriteString("\n| stream | under way | repeats | old word | repeats | across | repeats | new word | repeats |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, p := range r.pairs {
		fmt.Fprintf(b, "| %s |", p.name)
		for k := range kinds {
			fmt.Fprintf(b, " %d, %d | %d |", p.drawn[0][k], p.drawn[1][k], p.repeats[k])
		}
		b.WriteString("\n")
	}
}

// describe says what was cloned.
func (s *snapshot) describe() string {
	var r fount.StatusReport
	json.Unmarshal(s.Status, &r) // which mode has done before
	return fmt.Sprintf("Linux %s, QEMU %s (TCG, %d CPUs), guest built by %s. fount's mode at the snapshot: %s; window_bytes %d; reseeds forced to find the word: %d.\n",
		s.Kernel, s.version, wire.Workers, s.Go, r.Mode, r.WindowBytes, s.Reseeds)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
