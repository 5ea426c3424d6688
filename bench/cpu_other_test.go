// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !unix

package bench

import "time"

func cpuTime() time.Duration { return 0 }
