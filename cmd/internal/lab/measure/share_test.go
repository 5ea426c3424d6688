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
	for name, test := range map[string]struct {
		used, waited, elapsed float64
		quiet                 bool
	}{
		"nine of ten":         {used: 9, waited: 1, elapsed: 100, quiet: true},
		"less":                {used: 8.9, waited: 1.1, elapsed: 100},
		"wait not known":      {used: 1, waited: math.NaN(), elapsed: 100},
		"idle":                {elapsed: 100},
		"all cores or quotas": {used: 10 * Usable(), waited: 50, elapsed: 10, quiet: true}, // no process has more
	} {
		t.Run(name, func(t *testing.T) {
			s := ShareOf(test.used, test.waited, time.Duration(test.elapsed)*time.Second)
			advice := strings.Join(s.Advise("Use a."), " ")
			isAdvised := strings.Contains(advice, "Use a.")
			saysWhyNot := strings.Contains(advice, "nothing advised")
			if s.Quiet() != test.quiet || isAdvised != test.quiet || saysWhyNot == test.quiet {
				t.Errorf("quiet %v, %q; want advice: %v", s.Quiet(), advice, test.quiet)
			}
		})
	}
}
