// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9

package cli

import (
	"errors"
	"syscall"
)

// isReset reports whether err says that the other end of a connection died with messages unread.
func isReset(err error) bool { return errors.Is(err, syscall.ECONNRESET) }
