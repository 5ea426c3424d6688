// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !fount_test

package entropy

// In a normal build nothing, not even an environment variable, reaches these.

// reroute is where tests put another source under Kernel.
func reroute([]byte) (bool, error) { return false, nil }

// A probe is a place where tests put a fault under a source.
type probe int

const (
	probeRDSEED probe = iota
	probeRDRAND
	probeClock
)

func tamper(_ probe, v uint64, ok bool) (uint64, bool) { return v, ok }
