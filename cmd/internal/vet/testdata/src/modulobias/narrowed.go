// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package modulobias

import (
	randv2 "math/rand/v2"
	"time"
)

func jitter(max time.Duration) time.Duration {
	return time.Duration(randv2.Uint32()) % max // want "biased: some results come more often"
}

func narrowed() uint8 {
	return uint8(randv2.Uint64()) % 10 // want "biased: some results come more often than others, by 1 in 25;"
}
