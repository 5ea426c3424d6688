// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The seed file, which is listed here and belongs to package pool.

package entropy

import "sync/atomic"

// SeedFile tells [List] what became of the seed file: that n bytes of it were
// mixed, or, with an error that names the file, why none were. Package pool reads
// the file, mixes it and calls this. It may be called from any goroutine; the last
// call counts.
func SeedFile(n int, err error) {
	if err != nil {
		why := err.Error()
		seedFileState.Store(&why)
		return
	}
	seedFileSource.bytes.Add(uint64(n))
	seedFileState.Store(new(string))
}

// seedFileState is why there is no seed file, "" if there is one, nil before
// SeedFile was called.
var seedFileState atomic.Pointer[string]

var seedFileSource = source{
	name:    "seed file",
	passive: true,
	absent:  seedFileAbsent,
	fill:    func([]byte) (int, error) { return 0, errDry }, // pool mixes it itself
}

func seedFileAbsent() string {
	why := seedFileState.Load()
	if why == nil {
		return "none is in use"
	}
	return *why
}
