// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Who wipes a password. Whoever copies it, or makes something of it, wipes that:
//
//   - Hash, Verify and Calibrate wipe their job before they return.
//   - A Pool's call is wiped by the worker that has it: before it gives the answer (call.answer), or
//     when it finds that the caller has left (scheduler.discard). If no worker got the call, Pool.do
//     wipes it.
//   - SignIn wipes its copy, or its upgrade does once it has the new hash.
//   - A function that makes a copy for a Format, or a digest of the password, wipes it at its end.
//
// The blocks of argon2 and scrypt are wiped with the memory that they were computed in: memory.go.

import "fount/internal/erase"

// wipe overwrites the job's copies of the password. The job can't be computed after it.
func (j *job) wipe() {
	erase.Wipe(j.key)
	erase.Wipe(j.alternative)
	j.input = input{}
}

// wipe overwrites all that the call has of the password.
func (c *call) wipe() {
	for i := range c.jobs {
		c.jobs[i].wipe()
	}
}
