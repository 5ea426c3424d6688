// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux && !darwin && !freebsd && !windows && !plan9

package machine

// inspectOS knows nothing of this system beyond Go's own random bytes.
func inspectOS(*Facts) {}
