// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package numa

// The kernel's list format.

import (
	"errors"
	"strconv"
	"strings"
)

// The greatest numbers: Linux has at most 1024 nodes (CONFIG_NODES_SHIFT is 10 at
// most) and 8192 CPUs (CONFIG_NR_CPUS on x86, with MAXSMP).
const (
	maxNode = 1023
	maxCPU  = 8191
)

// ParseList reads a list of numbers of nodes and ranges as sysfs writes it, "0-3,8"
// (cpuset(7), "List format"). The numbers of the result grow.
func ParseList(s string) ([]int, error) { return parseList(s, maxNode) }

// parseList reads a list of numbers up to most.
func parseList(s string, most int) ([]int, error) {
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
		first, err := number(low, most)
		if err != nil {
			return nil, err
		}
		last, err := number(high, most)
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
func number(s string, most int) (int, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || int(n) > most {
		return 0, errors.New(strconv.Quote(s) + " is not a number from 0 to " + strconv.Itoa(most))
	}
	return int(n), nil
}
