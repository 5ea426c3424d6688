// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package iostats

import "golang.org/x/sys/unix"

func init() {
	kinds[unix.SYS_OPEN] = opens
	kinds[unix.SYS_CREAT] = opens
}
