// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux && !darwin && !freebsd

package logins

// The memory of this process, on systems that are not asked for it.

func resident() (now, peak int64) { return 0, 0 }

func resetPeak() {}
