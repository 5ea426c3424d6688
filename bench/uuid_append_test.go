// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package bench

import (
	"testing"

	"fount"
)

// BenchmarkUUIDAppend makes UUIDs of version 4 and appends their text to a
// buffer, which no peer does without an allocation.
func BenchmarkUUIDAppend(b *testing.B) {
	b.ReportAllocs()
	buf := make([]byte, 0, 64*36)
	for i := range b.N {
		if i%64 == 0 {
			buf = buf[:0]
		}
		buf, _ = fount.NewUUID().AppendText(buf)
	}
}
