// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !go1.27

package peers

// openStandardUUID is nil: this Go has no package uuid.
var openStandardUUID func() Worker
