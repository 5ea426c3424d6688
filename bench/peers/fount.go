// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package peers

// fount itself: the package's functions, and the kernel's bytes.

import "fount"

func fountShared() Peer {
	return Peer{
		Name: "fount",
		Open: func() Worker {
			return Worker{
				Read: func(dst []byte, size int) {
					for ; len(dst) > 0; dst = dst[size:] {
						fount.Read(dst[:size])
					}
				},
				Uint64: func(dst []uint64) {
					for i := range dst {
						dst[i] = fount.Uint64()
					}
				},
				UUID: func(dst [][16]byte) {
					for i := range dst {
						dst[i] = fount.NewUUID()
					}
				},
				UUIDv7: func(dst [][16]byte) {
					for i := range dst {
						dst[i] = fount.NewUUIDv7()
					}
				},
				UUIDString: func(dst []string) {
					for i := range dst {
						dst[i] = fount.NewUUID().String()
					}
				},
				Text: func(dst []string) {
					for i := range dst {
						dst[i] = fount.Text()
					}
				},
			}
		},
	}
}

func fountStrict() Peer {
	return Peer{
		Name: "fount.Strict",
		Open: func() Worker {
			var s fount.Strict
			return Worker{
				Read: func(dst []byte, size int) {
					for ; len(dst) > 0; dst = dst[size:] {
						s.Read(dst[:size])
					}
				},
			}
		},
	}
}
