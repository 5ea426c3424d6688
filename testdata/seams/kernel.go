// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

// A Route is where Read takes its bytes.
type Route int

const (
	RouteKernel Route = iota // as without the seam
	RouteFail                // every read fails
	RouteZero                // every read is zeros: shows what else goes into a key
)

var route Route

// SetRoute changes where Read takes its bytes.
func SetRoute(r Route) { route = r }

type errRoute struct{}

func (errRoute) Error() string { return "a test took the kernel away" }

// routed is read with the seam.
func routed(b []byte) error {
	switch route {
	case RouteFail:
		return errRoute{}
	case RouteZero:
		clear(b)
		return nil
	}
	return read(b)
}
