// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"fmt"
)

// expandGo writes expand1, expand2 and so on: k states in one loop, round by
// round, so that k chains of lookups overlap.
func expandGo(b *bytes.Buffer) {
	b.WriteString("package blowfish\n")
	for k := 1; k <= lanes; k++ {
		fmt.Fprintf(b, "\nfunc expand%d(s *states) {\nvar l0, r0", k)
		for lane := 1; lane < k; lane++ {
			fmt.Fprintf(b, ", l%d, r%[1]d", lane)
		}
		b.WriteString(" uint32\nfor n := 0; n < words; n += 2 {\n")
		each(b, k, "l%d ^= s[%[1]d][0]")
		for round := 1; round <= 16; round += 2 {
			each(b, k, "r%d ^= s[%[1]d].f(l%[1]d) ^ s[%[1]d][%d]", round)
			each(b, k, "l%d ^= s[%[1]d].f(r%[1]d) ^ s[%[1]d][%d]", round+1)
		}
		each(b, k, "l%d, r%[1]d = r%[1]d ^ s[%[1]d][17], l%[1]d")
		each(b, k, "s[%d][n], s[%[1]d][n+1] = l%[1]d, r%[1]d")
		b.WriteString("}\n}\n")
	}
}

// each writes one line for each of k lanes; the first argument of its format
// is the lane.
func each(b *bytes.Buffer, k int, line string, args ...any) {
	for lane := range k {
		fmt.Fprintf(b, line+"\n", append([]any{lane}, args...)...)
	}
}
