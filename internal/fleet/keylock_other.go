// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package fleet

// lockKeyFile locks nothing: rotate from one process at a time.
func lockKeyFile(string) (unlock func(), err error) { return func() {}, nil }
