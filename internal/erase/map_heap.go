// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !unix || race || purego

package erase

// Map returns n zero values of T, and a function that gives them back: the twin
// of map_mmap.go on the heap, where the collector does that.
func Map[T any](n int) (values []T, unmap func()) { return make([]T, n), func() {} }
