// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package entropy

import (
	"errors"
	"sync/atomic"
)

// A Route is where Kernel takes its bytes in a build with the tag fount_test.
type Route uint32

const (
	RouteKernel  Route = iota // as in a normal build
	RouteSyscall              // Linux: the getrandom system call, never the vDSO
	RouteFail                 // every draw fails
	RouteZero                 // every draw is zeros: shows what else goes into a key
)

var route atomic.Uint32

// SetRoute changes where Kernel takes its bytes. It exists in builds with the
// tag fount_test alone.
func SetRoute(r Route) { route.Store(uint32(r)) }

var errRouteFail = errors.New("a test took the kernel away")

func reroute(b []byte) (bool, error) {
	switch Route(route.Load()) {
	case RouteSyscall:
		return true, rawSyscall(b)
	case RouteFail:
		return true, errRouteFail
	case RouteZero:
		clear(b)
		return true, nil
	}
	return false, nil
}
