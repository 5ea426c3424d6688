// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Whether the test binary has the race detector, whose instrumentation allocates.

//go:build race

package chacha

const raceEnabled = true
