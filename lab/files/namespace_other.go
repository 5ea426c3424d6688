// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9

package files

// Starts need name spaces that anyone may change, as Plan 9 has them.

import (
	"errors"
	"syscall"
)

var ownNameSpace *syscall.SysProcAttr

func (s site) enter() error {
	return errors.New("what /dev/random is for a program can be chosen on Plan 9 alone")
}
