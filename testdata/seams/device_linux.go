// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package uniqueness

// SetDevice puts a plain file, of a page at least, in the place of vmclock's device, with the next Check.
func SetDevice(path string) {
	with(func() {
		climb.rungs = []rung{{mode: modeVMClock, try: func() (source, error) { return findVMClock(path, true) }}}
	})
}
