// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cgroup

import "fount/internal/sysfile"

// readHead is the reader of this machine.
func readHead(name string, b []byte) (int, error) {
	n, err := sysfile.ReadHead("/"+name, b)
	if sysfile.Scarce(err) {
		return 0, errLater
	}
	return n, err
}
