// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux && !fount_test

package main

import "errors"

// stickWord does not exist in a normal build.
func stickWord() {
	must(errors.New("word=stuck needs a guest built with the tag fount_test"))
}
