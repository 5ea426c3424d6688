// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package numa

// The kernel's format of lists.

import (
	"errors"
	"strconv"
	"strings"
)

// Linux has at most 1024 nodes (CONFIG_NODES_SHIFT is at most 10) and 8192 CPUs (CONFIG_NR_CPUS on
// x86, with MAXSMP).
const (
	maxNode = 1023
	maxCPU  = 8191
)

// ParseList parses a list of node numbers and ranges as sysfs writes it, such as "0-3,8"
// (cpuset(7), "List format"). The result is in growing order.
func ParseList(s string) ([]int, error) { return parseList(s, maxNode) }

// parseList parses a list of numbers up to limit.
func parseList(s string, limit int) ([]int, error) {
	s = strings.TrimSuffix(s, "\n")
	if s == "" {
		return nil, errors.New("it is empty")
	}

	var list []int
	for part := range strings.SplitSeq(s, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}

		first, err := number(low, limit)
		if err != nil {
			return nil, err
		}
		last, err := number(high, limit)
		if err != nil {
			return nil, err
		}

		if last < first || len(list) > 0 && first <= list[len(list)-1] {
			return nil, errors.New(strconv.Quote(part) + " does not follow in growing order")
		}

		for n := first; n <= last; n++ {
			list = append(list, n)
		}
	}
	return list, nil
}

// number reads decimal digits: no sign, no space.
func number(s string, limit int) (int, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || int(n) > limit {
		return 0, errors.New(strconv.Quote(s) + " is not a number from 0 to " + strconv.Itoa(limit))
	}
	return int(n), nil
}
