// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The kernel as a source among the others.

package entropy

// kernelSource gives 32 bytes at a time: the 256 bits that any key here has. Its
// credit is 8 bits a byte from the first one on, because Kernel waits until the
// system's generator is seeded. It has no test: output of a seeded generator
// shows none of what such tests look for, and one that fails stops the process.
var kernelSource = source{
	name:   "kernel",
	credit: 8,
	length: 32,
	absent: present,
	fill: func(b []byte) (int, error) {
		Kernel(b)
		return len(b), nil
	},
}
