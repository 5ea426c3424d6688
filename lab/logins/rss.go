// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// The memory of this process.

// Memory is resident memory in bytes; 0 if this system does not tell.
type Memory struct {
	Base int64 `json:"base"` // before the run
	Peak int64 `json:"peak"` // in the run, on Linux; elsewhere since the start of the process
}

// Above is how much the peak lies above the base.
func (m Memory) Above() int64 { return m.Peak - m.Base }
