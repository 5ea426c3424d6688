// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fount has the signatures of the real one.
package fount

func Key() (b [32]byte)          { panic("no body") }
func Read(b []byte) (int, error) { panic("no body") }
func Uint32() uint32             { panic("no body") }
func Uint32N(n uint32) uint32    { panic("no body") }
