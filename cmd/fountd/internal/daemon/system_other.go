// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package daemon

import (
	"errors"
	"os"
)

func harden() error { return nil }

func keepOwner(string, *os.File) error {
	if os.Geteuid() == 0 {
		return errors.New("want the user who owns the file: root's rotation would make it root's")
	}
	return nil
}

func reloading() string { return "RELOADING=1" }
