// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

import (
	"math"
	"strings"
	"testing"
	"time"
)

// Advice is given of a known share alone, and of a large one.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		used, waited, elapsed float64
		quiet                 bool
	}{
		{9, 1, 100, true}, {8.9, 1.1, 100, false}, {1, math.NaN(), 100, false}, {0, 0, 100, false},
		{10 * Usable(), 50, 10, true}, // no process has more than its cores or its quota
	} {
		s := ShareOf(c.used, c.waited, time.Duration(c.elapsed)*time.Second)
		advice := strings.Join(s.Advise("Use a."), " ")
		if s.Quiet() != c.quiet || strings.Contains(advice, "Use a.") != c.quiet || strings.Contains(advice, "nothing advised") == c.quiet {
			t.Errorf("%+v: %q; want advice: %v", c, advice, c.quiet)
		}
	}
}
