// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

// A kernel before 6.11, where each draw from it is a system call. The tag fount_test lets fount be
// seeded that way on a newer one.

package bench

import (
	"testing"
	"unsafe"

	"fount"
	"fount/entropy"

	"golang.org/x/sys/unix"
)

func BenchmarkSyscall16(b *testing.B) {
	entropy.SetRoute(entropy.RouteSyscall)
	defer entropy.SetRoute(entropy.RouteKernel)
	compare(b,
		method{"getrandom(2)", func(n int) {
			var buf [16]byte
			for range n {
				// The pointer is good for the call: https://pkg.go.dev/unsafe#Pointer, pattern 4.
				got, _, errno := unix.Syscall(unix.SYS_GETRANDOM, uintptr(unsafe.Pointer(&buf)), uintptr(len(buf)), 0)
				if errno != 0 || got != uintptr(len(buf)) {
					panic(errno)
				}
			}
		}},
		method{"fount.Nonce", func(n int) {
			for range n {
				fount.Nonce()
			}
		}},
		method{"fount.Generator.Nonce", func(n int) {
			g := fount.NewGenerator()
			defer g.Close()
			for range n {
				g.Nonce()
			}
		}},
	)
}
