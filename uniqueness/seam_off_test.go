// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !fount_test

package uniqueness

import "sync/atomic"

// forget does for tests what it does in a build with the tag fount_test.
func forget() {
	climb.mu.Lock()
	defer climb.mu.Unlock()
	held.Store(false)
	atomic.StoreUint64(&still, 0)
	word.Store(&still)
	settle.on.Store(false)
	climb.rungs, climb.rest, climb.taken, climb.source, climb.seen = nil, 0, nil, source{}, 0
	settled.Store(false)
	published.Store(nil)
}
