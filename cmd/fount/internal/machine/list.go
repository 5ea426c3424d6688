// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// Linux's list format: "0-1,3" is 0, 1, and 3.

import (
	"fmt"
	"strconv"
	"strings"
)

// countList counts the numbers in a list such as /sys/devices/system/node/online. An empty list has none. Numbers above
// 65535 and ranges that run backwards or overlap are errors: no kernel writes them.
func countList(s string) (int, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, nil
	}
	n, next := 0, 0
	for part := range strings.SplitSeq(s, ",") {
		lo, hi, isRange := strings.Cut(part, "-")
		if !isRange {
			hi = lo
		}
		first, err1 := strconv.ParseUint(lo, 10, 16)
		last, err2 := strconv.ParseUint(hi, 10, 16)
		if err1 != nil || err2 != nil || first > last || int(first) < next {
			return 0, fmt.Errorf("%q in the list %q: want ascending numbers or ranges such as 0-1,3", part, s)
		}
		n += int(last-first) + 1
		next = int(last) + 1
	}
	return n, nil
}
