// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build (amd64 || arm64) && gc && !purego

package registers

// ever tries f a few times until it is true: a goroutine that loses its thread before it reads the
// registers sees another's.
func ever(f func() bool) bool {
	for range 5 {
		if f() {
			return true
		}
	}
	return false
}
