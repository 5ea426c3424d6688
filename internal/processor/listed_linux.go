// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package processor

import "fount/internal/sysfile"

// enough of /proc/cpuinfo for some 35 processors. Those of a machine have one microcode, and the whole file takes the
// kernel 5 ms where there are hundreds.
const enough = 64 << 10

// listed returns what the kernel lists; scarce means that it could not be asked for want of descriptors or memory.
func listed() (flags []string, scarce bool) {
	b, err := sysfile.Read("/proc/cpuinfo", enough)
	if err != nil {
		return nil, sysfile.Scarce(err)
	}
	return Flags(b), false
}
