// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Sizes: numbers of bytes as they are typed and as they are shown.

package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// units holds what each suffix of a size stands for; either case is accepted.
var units = map[byte]uint64{'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}

// maxSize bounds a size, so that the hex form of that many bytes still fits 64 bits.
const maxSize = math.MaxInt64

// parseSize reads decimal digits followed by at most one of K, M and G. Its error starts with the
// quoted value.
func parseSize(s string) (uint64, error) {
	digits, unit := s, uint64(1)
	if s != "" {
		last := strings.ToUpper(s[len(s)-1:])[0]
		if u, ok := units[last]; ok {
			digits, unit = s[:len(s)-1], u
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) || err == nil && n > maxSize/unit:
		return 0, fmt.Errorf("%q is too large; the largest is %d", s, uint64(maxSize))
	case err != nil:
		return 0, fmt.Errorf("%q is not a number of bytes; use for example 64, 16K, 10M, 1G", s)
	}
	return n * unit, nil
}

// sizeArgument reads the only argument of a command, a size, or returns the usual one.
func sizeArgument(cmd *cobra.Command, args []string, usual uint64) (uint64, error) {
	if err := atMost(1)(cmd, args); err != nil || len(args) == 0 {
		return usual, err
	}
	n, err := parseSize(args[0])
	if err != nil {
		return 0, usagef("size %v", err)
	}
	return n, nil
}
