// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clockseed

import (
	"math/rand"
	"time"
)

var ofTest = rand.New(rand.NewSource(time.Now().UnixNano()))
