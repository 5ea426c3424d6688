// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !fount_test

package entropy

// probe is a place where tests put a fault under a source.
type probe int

const (
	probeRDSEED probe = iota
	probeRDRAND
	probeClock
)

// tamper is that place. In a normal build it changes nothing, and nothing, not
// even an environment variable, makes it.
func tamper(_ probe, v uint64, ok bool) (uint64, bool) { return v, ok }
