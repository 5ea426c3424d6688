// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !unix

package server

import (
	"errors"
	"net"
)

func canPark(net.Conn) bool { return false }

func readable(net.Conn) error { return errors.ErrUnsupported }
