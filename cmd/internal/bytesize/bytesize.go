// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package bytesize parses sizes in arguments and settings of fount and fountd.
package bytesize

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Parse returns the number of bytes of a text: digits, then K, M, G or nothing, in either case.
func Parse(s string) (int64, error) {
	digits, shift := s, 0
	if n := len(s); n > 0 {
		if unit := strings.Index("KMG", strings.ToUpper(s[n-1:])); unit >= 0 {
			digits, shift = s[:n-1], 10*(1+unit)
		}
	}
	n, err := strconv.ParseUint(digits, 10, 63-shift)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("too large: want at most %d bytes", int64(math.MaxInt64))
	case err != nil:
		return 0, errors.New("want a number of bytes, as 64, 16K, 512M or 2G")
	}
	return int64(n) << shift, nil
}
