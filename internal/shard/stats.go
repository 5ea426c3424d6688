// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import "sync/atomic"

// redone counts draws that were made again because the generation changed during them.
var redone atomic.Uint64

// Stats has the figures for Status.
type Stats struct {
	States  int    // in use: by Ps, or by tokens of the pool
	Reseeds uint64 // seeds mixed in so far, each with 32 fresh bytes of the kernel
	Redone  uint64 // draws made again because the generation changed during them
	Epoch   uint64 // calls of Reseed so far, plus one
}

// ReadStats returns the present figures. It delays no draw but a P's first.
func ReadStats() Stats {
	slots.Lock()
	defer slots.Unlock()

	st := Stats{Redone: redone.Load(), Epoch: epoch.Load()/epochStep + 1}
	for _, chunk := range slots.chunks {
		st.States += len(chunk)
		for i := range chunk {
			st.Reseeds += chunk[i].reseeds.Load()
		}
	}

	st.States -= len(slots.free)
	return st
}
