// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !amd64 && !386 && !(linux && arm64)

package processor

// CPUID: nothing is known of these.
func CPUID() View { return View{} }
