// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !fount_test

package uniqueness

// stand is where tests put other rungs. In a normal build nothing, not even an environment variable,
// lowers protection.
func stand(rungs []rung) []rung { return rungs }
