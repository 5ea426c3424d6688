// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package bench holds fount's competitors and the tools that check it.
// It is no library: nothing imports it, and only its tests and benchmarks matter.
//
// The benchmarks compare within one run; what they print is fit for benchstat:
//
//	go test -run '^$' -bench Bytes16 -count 10 . | tee new.txt
//	benchstat -col /method new.txt
package bench
