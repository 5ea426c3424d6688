// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// The figures of others, each with where it was published. They stand beside what was measured, never in one plot.

// bcryptPost are the compares in 5 s of the bcrypt load post: a Core 2 Duo, cost 10, 90 goroutines.
var bcryptPost = struct{ Unbounded, Two int }{27, 69}
