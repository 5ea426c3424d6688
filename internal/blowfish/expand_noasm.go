// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !amd64 || purego

package blowfish

func forThisCPU() ([MaxLanes + 1]kernel, times) { return inGo, relativeInGo }
