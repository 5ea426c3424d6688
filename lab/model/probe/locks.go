// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package probe

// The lock that the model has: Go's is another.

import "sync/atomic"

// A ticket is a ticket lock that spins and never sleeps: who takes a number waits until it is served. It is fair, and
// useless where there are more threads than CPUs. The zero value is unlocked.
type ticket struct {
	_       [lineSize]byte
	next    atomic.Uint32
	_       [lineSize]byte
	serving atomic.Uint32
	_       [lineSize]byte
}

// Lock takes a number and waits.
func (t *ticket) Lock() {
	number := t.next.Add(1) - 1
	for t.serving.Load() != number {
	}
}

// Unlock serves the next number. Only the holder calls it.
func (t *ticket) Unlock() { t.serving.Store(t.serving.Load() + 1) }
