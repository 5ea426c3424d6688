// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux && fount_test

package main

import "fount/internal/seam"

var stuck uint64

// stickWord makes fount believe in a word that never moves.
func stickWord() { seam.SetWord(&stuck) }
