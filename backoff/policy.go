// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package backoff

// Policies, their defaults and their errors.

import (
	"fmt"
	"math"
	"time"
)

// A Jitter chooses the range from which each delay is drawn uniformly.
type Jitter int

const (
	// Full draws from [0, min(Cap, Base·2ⁿ)), where n is 0 for the first delay. It spreads clients
	// most widely.
	Full Jitter = iota

	// Decorrelated draws from [Base, min(Cap, 3·previous)), where previous is the delay before, and
	// Base for the first. No delay is below Base.
	Decorrelated
)

// A Policy says how long to wait between attempts, and how many to make. It may be copied, and used
// by any number of goroutines. The zero Policy retries without end, with full jitter: the first
// delay is below 100 ms, and all are below 10 s.
type Policy struct {
	// Base sets the range of the first delay: below Base with Full, and from Base to 3·Base with
	// Decorrelated. 0 means 100 ms.
	Base time.Duration

	// All delays are below Cap. 0 means 100 times Base. Cap must be at least Base, and above it
	// with Decorrelated. The retries of many clients spread over at most Cap, so make it long
	// enough for the server to take all of them.
	Cap time.Duration

	// Attempts is the maximal number of attempts, including the first. 0 means no limit but the
	// context's.
	Attempts int

	// Jitter is Full by default.
	Jitter Jitter

	// MaxElapsed limits [Retry] to attempts that begin at most MaxElapsed after it was called.
	// Retry does not wait for a later one. 0 means no limit but the context's. [Delays] ignores it.
	MaxElapsed time.Duration
}

const (
	defaultBase = 100 * time.Millisecond
	defaultCap  = 100 // times Base
)

// withDefaults returns p with its defaults filled in, or an error that says which field is invalid.
func (p Policy) withDefaults() (Policy, error) {
	switch {
	case p.Base < 0:
		return p, fmt.Errorf("backoff: Base is %v; want more than 0, or 0 for %v", p.Base, defaultBase)
	case p.Cap < 0:
		return p, fmt.Errorf("backoff: Cap is %v; want at least Base, or 0 for %d times Base", p.Cap, defaultCap)
	case p.Attempts < 0:
		return p, fmt.Errorf("backoff: Attempts is %d; want at least 1, or 0 for no limit", p.Attempts)
	case p.Jitter != Full && p.Jitter != Decorrelated:
		return p, fmt.Errorf("backoff: Jitter is %d; want Full (%d) or Decorrelated (%d)", p.Jitter, Full, Decorrelated)
	case p.MaxElapsed < 0:
		return p, fmt.Errorf("backoff: MaxElapsed is %v; want more than 0, or 0 for no limit", p.MaxElapsed)
	}

	if p.Base == 0 {
		p.Base = defaultBase
	}
	if p.Cap == 0 {
		p.Cap = multiply(defaultCap, p.Base, math.MaxInt64)
	}

	switch {
	case p.Cap < p.Base:
		return p, fmt.Errorf("backoff: Cap is %v, Base %v; want Cap to be at least Base", p.Cap, p.Base)
	case p.Cap == p.Base && p.Jitter == Decorrelated:
		return p, fmt.Errorf("backoff: Cap and Base are both %v; want Cap above Base, since Decorrelated draws between them", p.Cap)
	}
	return p, nil
}

// multiply returns the lesser of k·d and limit, without overflow. k must be positive, and d and
// limit not negative.
func multiply(k, d, limit time.Duration) time.Duration {
	if d > limit/k {
		return limit
	}
	return k * d
}
