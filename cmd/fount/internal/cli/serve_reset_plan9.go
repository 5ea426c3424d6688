// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

// isReset reports whether err says that the other end of a connection died; on Plan 9 that is an end of file.
func isReset(error) bool { return false }
