// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package uniqueness

// The ladder on Linux.

// rungs returns the ladder, best first. Each rung keeps what it has found out for the next try.
func rungs() []rung {
	clock, anyFile := clockDevice()
	kernel := new(generationRung)
	return stand([]rung{
		{mode: modeVMClock, try: func() (source, error) { return findVMClock(clock, anyFile) }},
		{mode: modeKernel, try: kernel.find},
	})
}
