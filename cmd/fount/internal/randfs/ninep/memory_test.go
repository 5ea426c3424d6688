// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9 && !race

package ninep

import (
	"runtime"
	"testing"

	"9fans.net/go/plan9"
)

// Each connection that waits has less than the 10 KiB that the package promises, whatever it read
// before. What the clients have of it, in the same process, counts too.
func TestMemoryIdle(t *testing.T) {
	const conns, most = 200, 10 << 10
	used := func() int {
		for range 3 { // the second empties pools, the third stacks
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc + m.StackInuse)
	}
	s := serve(t)
	before := used()
	for range conns {
		r := s.started(t)
		r.open(1, "random", plan9.OREAD)
		r.want(&fcall{Type: plan9.Tread, Fid: 1, Count: 60000}, "")
		r.want(&fcall{Type: plan9.Tflush}, "") // the server is back from giving the other answer
	}
	if each := (used() - before) / conns; each > most {
		t.Errorf("%d bytes for each idle connection that read 60,000, want %d at most", each, most)
	}
}
