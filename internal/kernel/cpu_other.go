// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !amd64 || !gc || purego

package kernel

import "time"

// cpuRandom returns false: there is no instruction for it here.
func cpuRandom() (uint64, bool) { return 0, false }

// ticks returns the system's clock in ns.
func ticks() uint64 { return uint64(time.Now().UnixNano()) }
