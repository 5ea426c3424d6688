// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import "fount/internal/devrandom"

func kernelName() string { return "ChaCha20 seeded once from /dev/random" }

func kernel(b []byte) error { return devrandom.Read(b) }
