// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// No processor but amd64's is known to slow down under wide vectors.

//go:build !amd64 || !gc || purego

package chacha

func throttled() bool { return false }
