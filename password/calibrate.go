// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Calibrate returns p made harder, so that one hash alone on this machine takes just less than
// target; p itself, if a hash of it takes longer. It stops at p's Limits, and measures for a few
// times as long as one hash takes. It raises bcrypt's and scrypt's Cost, PBKDF2's Iterations, and
// for argon2 the memory up to 64 MiB (RFC 9106, section 4) and then the passes. The time is one
// core's.
//
// Calibrate on the machine that will hash, while it is quiet, and keep the result in the service's
// configuration: calibrated at each start, a policy would be weaker when the machine is busy.
//
// The error says what is wrong with target or with p, which must be at least as hard as one of
// OWASP's.
func (p Policy) Calibrate(target time.Duration) (Policy, error) {
	if target <= 0 {
		return p, fmt.Errorf("password: target of %v; want more than 0", target)
	}
	p, err := p.filled()
	if err != nil {
		return p, err
	}
	if !p.meetsOWASP() {
		return p, errors.New("password: policy to calibrate is below OWASP's minimum for its algorithm")
	}
	w, err := p.plan([]byte("calibration"))
	if err != nil {
		return p, err
	}
	defer w.wipe()
	w.threads = 1
	took := time.Duration(math.MaxInt64)
	for range 3 {
		began := time.Now()
		w.sum()
		took = min(took, max(1, time.Since(began)))
	}
	return p.harder(float64(target) / float64(took) * w.units), nil
}

const calibratedMemory = 64 << 10 // KiB

// harder returns the filled p with at most the given units, but no fewer than it has, and within
// its limits.
func (p Policy) harder(units float64) Policy {
	units = min(units, p.Limits.Time.Seconds()/unitSeconds(p.Algorithm))
	log2 := func(x float64) int { return int(math.Log2(max(1, x))) }
	switch {
	case p.Algorithm == Bcrypt:
		p.Cost = max(p.Cost, min(log2(units), 31))
	case p.Algorithm == Scrypt:
		most := log2(float64(p.Limits.Memory)/float64(128*p.BlockSize) - float64(p.Parallelism+2))
		p.Cost = max(p.Cost, min(log2(units/float64(p.BlockSize*p.Parallelism)), most))
	case p.Algorithm.argon2():
		memory := min(units/float64(p.Iterations), float64(p.Limits.Memory>>10), calibratedMemory)
		p.Memory = max(p.Memory, int(memory)>>10<<10) // whole MiB
		p.Iterations = max(p.Iterations, int(min(units/float64(p.Memory), math.MaxInt32)))
	case p.Algorithm.pbkdf2():
		p.Iterations = max(p.Iterations, int(min(units, math.MaxInt32))/10_000*10_000)
	}
	return p
}
