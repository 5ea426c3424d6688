// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package processor

// Pretend makes Here judge another View, until undo. It exists in builds with the tag fount_test alone.
func Pretend(v View) (undo func()) {
	verdict := Judge(v)
	here.Store(&verdict)
	return func() { here.Store(nil) }
}
