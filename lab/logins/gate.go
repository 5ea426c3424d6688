// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// A mechanism for a study that calls it in its own way.

// Gate makes the configured mechanism and the password that it checks. A compare that is under way can't be stopped;
// those of MaxOut and Semaphore may outlive Close.
func (c Config) Gate() (Mechanism, error) {
	job, err := NewJob(c.Policy, c.Cost)
	if err != nil {
		return nil, err
	}
	job.Engine = c.Engine
	return c.open(job)
}
