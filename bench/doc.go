// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package bench measures fount beside its competitors, and holds the tools that check it. It is no
// library: nothing imports it, and only its tests and benchmarks matter.
//
// The competitors are in package peers, one adapter each. The benchmarks compare within one run;
// what they print is fit for benchstat, which this module pins:
//
//	go test -run '^$' -bench Nonce -count 10 . | tee new.txt
//	go tool benchstat -row .name,/goroutines -col /method new.txt
//
// The command report runs all of them in rounds and prints a table of each task.
package bench
