// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package daemon

import "net"

func harden() error { return nil }

func peer(*net.UnixConn) string { return "" }

func reloading() string { return "RELOADING=1" }
