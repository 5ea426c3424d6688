// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// The figures of others, each with where it was published. They stand beside what was measured, never in one plot.

// kernel2015 is how many random bytes were drawn in parallel on 1 to 4 sockets of a Xeon v3, 18 cores with two threads each,
// against one socket: Andi Kleen's patch "Make /dev/urandom scalable" (2015).
var kernel2015 = []struct {
	Sockets          int
	OnePool, PerNode float64
}{{1, 1, 1}, {2, 0.75, 2}, {3, 0.55, 2.4}, {4, 0.42, 3}}

// bcryptPost are the compares in 5 s of the bcrypt load post: a Core 2 Duo, cost 10, 90 goroutines.
var bcryptPost = struct{ Unbounded, Two int }{27, 69}
