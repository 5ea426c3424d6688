// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package nonce measures what a 16-byte nonce costs on this machine, by each of the methods in use and by the seven of a post of
// 2016. It does not judge whether what they make is random.
//
// [Study] measures the seven; [Standard] is what programs use.
package nonce

import "fount/lab/measure"

// A Nonce is what every method makes.
type Nonce = [16]byte

// A worker fills nonces.
type worker = measure.Filler[Nonce]
