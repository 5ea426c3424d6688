// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of what is written for people.

package logins

import (
	"strings"
	"testing"

	"fount/lab/show"
)

// The text at three widths keeps within them, and its first lines are the post's.
func TestReportText(t *testing.T) {
	v := 1234.56
	s := &Summary{Count: 1000, P50: &v, P99: &v, Max: &v}
	rate := 32.6
	r := Report{Finished: &rate, Compares: 163, Seconds: 5.0012, Config: Post(), GOMAXPROCS: 2, Cores: 1.98, Latency: s,
		Wait:    s,
		Service: s, Heartbeat: s, Endpoint: s, Memory: Memory{Base: 1 << 20, Peak: 1 << 24}}
	for _, width := range []int{40, 80, 100} {
		text := r.Text(show.Style{Width: width})
		if !strings.HasPrefix(text, "number of compares: 163\ntime taken: 5.001s\n") {
			t.Errorf("the post's lines are not the first:\n%s", text)
		}
		for line := range strings.Lines(text) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
				t.Errorf("%d columns of %d: %q", n, width, line)
			}
		}
		if !strings.Contains(text, "1,235") || strings.Contains(text, "refusal") {
			t.Errorf("a row is missing, or one is there that nothing is known of:\n%s", text)
		}
	}
}
