// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build gc && !purego

package entropy

import "fount/internal/processor"

// cpuRandom returns 64 bits of RDRAND. Intel's rule is to try ten times
// (Digital Random Number Generator Software Implementation Guide, section
// 5.2.1): a processor that then has none is taken for broken.
//
// Assembly, because no package of Go's offers the instruction; cpu_none.go is
// its twin.
func cpuRandom() (uint64, bool) {
	if rdrandAbsent() != "" {
		return 0, false
	}
	for range 10 {
		if v, ok := rdrand(); ok {
			return v, true
		}
	}
	return 0, false
}

//go:noescape
func rdrand() (v uint64, ok bool)

// cpuSeed returns 64 bits of RDSEED. They come from a slower part of the
// processor that all cores share, so to have none is no defect: the guide's rule
// is to give up after a number of tries from 1 to 100, with a PAUSE
// after each.
func cpuSeed() (uint64, bool) {
	if rdseedAbsent() != "" {
		return 0, false
	}
	for range 100 {
		if v, ok := rdseed(); ok {
			return v, true
		}
	}
	return 0, false
}

//go:noescape
func rdseed() (v uint64, ok bool)

func rdrandAbsent() string { return processor.Here().RDRAND }
func rdseedAbsent() string { return processor.Here().RDSEED }
