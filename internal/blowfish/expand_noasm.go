// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !amd64 || purego

package blowfish

// forThisCPU returns the fastest kernels that run here, and what they take.
func forThisCPU() ([MaxLanes + 1]kernel, [MaxLanes + 1]float64) { return inGo, relativeInGo }
