// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build race

// The race detector is on: allocations are not counted.

package fount

const raceEnabled = true

// RaceEnabled is for the tests in package fount_test.
const RaceEnabled = raceEnabled
