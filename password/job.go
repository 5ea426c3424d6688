// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"crypto/subtle"
	"runtime"

	"fount/internal/erase"
)

// A job is one hash of one password to compute. All checks of verifyJob or hashJob have passed.
type job struct {
	hasher
	input
	need      effort
	storedSum []byte // the sum that is stored
	dummy     bool   // it only takes time: any password is a mismatch
	outdated  bool   // a new hash of the password should replace the stored one

	threads int // how many goroutines it can use

	// scratch is the memory to compute in. If nil, it comes from unpooledScratch. Jobs that share
	// one run one after the other.
	scratch *scratch

	failed error       // why there is no sum
	gone   func() bool // whether the caller has left, and the job may be given up; may be nil
}

// newJob returns the job of hashing password.
func newJob(h hasher, storedSum, password []byte) job {
	return job{
		hasher:    h,
		input:     h.input(password),
		need:      h.effort(len(password)),
		storedSum: storedSum,
		threads:   runtime.GOMAXPROCS(0),
	}
}

// compute returns the sum, or nil if the job was given up or has failed. It uses this goroutine,
// and others if threads is more than 1.
func (j *job) compute() []byte {
	if j.need.memory > 0 && j.scratch == nil {
		j.scratch = unpooledScratch.take(j.need.memory)
		defer func() {
			unpooledScratch.give(j.scratch)
			j.scratch = nil
		}()
	}

	return j.hasher.sum(j)
}

// keepRight returns the sum that equals the stored one, or else the second, and wipes the other.
// exact is the second's, and j's if it is returned.
func (j *job) keepRight(first, second []byte, exact bool) []byte {
	if first != nil && subtle.ConstantTimeCompare(first, j.storedSum) == 1 {
		erase.Wipe(second)
		return first
	}

	j.exact = exact
	erase.Wipe(first)
	return second
}

// check compares the sum with the stored one, in constant time.
func (j *job) check(sum []byte) (Result, error) {
	isSame := subtle.ConstantTimeCompare(sum, j.storedSum) == 1
	switch {
	case j.failed != nil:
		return Result{}, j.failed
	case !isSame || j.dummy || j.neverMatches:
		return Result{}, ErrMismatch
	}
	return Result{NeedsRehash: j.exact && j.outdated, Truncated: j.truncated}, nil
}
