// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package files

import "time"

// clock is in ns, and the same in all processes: the time of day. If it is set in a run, that run's figures are wrong.
func clock() int64 { return time.Now().UnixNano() }
