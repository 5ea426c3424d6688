// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux && !darwin && !freebsd

package measure

// The CPU time of this process, where the system does not tell it.

import "time"

// ProcessCPU is nil: this system does not tell CPU time, or not to the microsecond.
var ProcessCPU func() time.Duration
