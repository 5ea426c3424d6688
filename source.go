// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// Sources for code that takes one: math/rand's and math/rand/v2's interfaces.

import (
	"math/rand/v2"

	"fount/internal/shard"
)

// Source is a source for [math/rand.New] and [math/rand/v2.New] over the same
// secure draws as the package functions. Its zero value is ready, it has no
// state, and any number of goroutines may use it at once.
//
// Goroutines may share a [math/rand/v2.Rand] over it too, as a v2 Rand keeps only
// its source. They must not share a [math/rand.Rand] over it, whose Read keeps
// the unused bytes of the last draw: use [Read] instead.
type Source struct{}

// Uint64 returns a uniform 64-bit integer.
func (Source) Uint64() uint64 { return shard.Uint64() }

// Int63 returns a uniform integer in [0, 1<<63).
func (Source) Int63() int64 { return int64(shard.Uint64() >> 1) }

// Seed does nothing: the source is always seeded, and can't be made to repeat
// itself. A source that can is rand.NewChaCha8(fount.Key()) of math/rand/v2.
func (Source) Seed(int64) {}

// NewRand returns a Rand of math/rand/v2 over [Source], for code that wants one.
// Unlike other Rands it may be used by any number of goroutines at once.
func NewRand() *rand.Rand { return rand.New(Source{}) }
