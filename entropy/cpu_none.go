// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !amd64 || !gc || purego

package entropy

// cpuRandom has no instruction to use here.
func cpuRandom() (uint64, bool) { return 0, false }

// cpuSeed has none either.
func cpuSeed() (uint64, bool) { return 0, false }

func rdrandAbsent() string { return "this build has no such instruction" }
func rdseedAbsent() string { return "this build has no such instruction" }
