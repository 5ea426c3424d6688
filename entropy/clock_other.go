// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The jitter source's clock.

//go:build !amd64 || !gc || purego

package entropy

import "time"

// ticks is the system's clock in ns. It is the wall clock, which may be set, but a
// difference that is wrong once is one sample among thousands.
func ticks() uint64 { return uint64(time.Now().UnixNano()) }
