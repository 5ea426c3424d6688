// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package backoff

// What a policy is, and when it is one.

import (
	"fmt"
	"math"
	"time"
)

// A Jitter is the range that a delay is drawn from, uniformly.
type Jitter int

const (
	// Full draws from [0, min(Cap, Base·2ⁿ)), n = 0 for the first delay. It spreads
	// clients widest.
	Full Jitter = iota

	// Decorrelated draws from [Base, min(Cap, 3·previous)), where previous is the
	// delay before, or Base for the first. No delay is below Base.
	Decorrelated
)

// A Policy says how long to wait between attempts, and how many to make. It is a
// value: it may be copied, and used by any number of goroutines. Its zero value
// means full jitter, below 100 ms for the first delay, up to 10 s, without end.
type Policy struct {
	// Base is where the range of the delays starts: the first one is below it
	// (Full) or not below it (Decorrelated). 0 means 100 ms.
	Base time.Duration

	// Cap is what all delays stay below. 0 means 100 times Base. It must not be
	// below Base, and with Decorrelated must be above it. The retries of many
	// clients spread over no more than Cap, so make it long enough for all of them.
	Cap time.Duration

	// Attempts is how often to try, the first time included. 0 means that only the
	// context limits it.
	Attempts int

	// Jitter is Full unless set.
	Jitter Jitter

	// MaxElapsed is how long after it began [Retry] may make the last attempt; it does
	// not wait for a later one. 0 means that only the context limits it. [Delays]
	// ignores it.
	MaxElapsed time.Duration
}

const (
	defaultBase = 100 * time.Millisecond
	defaultCap  = 100 // times Base
)

// complete returns p with its defaults filled in, or an error that says which
// field is invalid.
func (p Policy) complete() (Policy, error) {
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
		p.Cap = times(defaultCap, p.Base, math.MaxInt64)
	}
	switch {
	case p.Cap < p.Base:
		return p, fmt.Errorf("backoff: Cap is %v, Base %v; want Cap to be at least Base", p.Cap, p.Base)
	case p.Cap == p.Base && p.Jitter == Decorrelated:
		return p, fmt.Errorf("backoff: Cap and Base are both %v; want Cap above Base, since Decorrelated draws between them", p.Cap)
	}
	return p, nil
}

// times returns k·d, or limit where that is less. It does not overflow. k > 0, and
// neither d nor limit is negative.
func times(k, d, limit time.Duration) time.Duration {
	if d > limit/k {
		return limit
	}
	return k * d
}
