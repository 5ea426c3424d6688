// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package probe

// switched is how often the calling thread lost its CPU, which this system does not say.
func switched() int64 { return 0 }

// pin leaves the thread where it is: this system knows no affinity, or x/sys has no call for it.
func pin(int) bool { return false }
