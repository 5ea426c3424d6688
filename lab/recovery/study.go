// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package recovery

// All runs together.

import (
	"context"
	"fmt"
	"time"

	"fount/lab/logins"
	"fount/lab/machine"
)

// A Study is all runs of one machine. Names of fields stay; fields may be added.
type Study struct {
	machine.Facts `json:"machine"`
	Runs          []Result `json:"runs"`
}

// A Runner makes one run, in a process that has nothing else to do.
type Runner func(context.Context, Config) (Result, error)

// Plan is the runs of a study: each service with each policy, and with each once more where clients obey Retry-After.
// Times are divided by divisor.
func Plan(cost int, divisor time.Duration) (runs []Config) {
	for _, service := range Services {
		for _, obey := range []bool{false, true} {
			if obey && service != logins.PoolLanes {
				continue
			}
			for _, policy := range Policies {
				c := Usual(service, policy, obey)
				c.Cost = cost
				c.Before /= divisor
				c.During /= divisor
				c.After /= divisor
				c.Calm /= divisor
				runs = append(runs, c)
			}
		}
	}
	return runs
}

// Make makes all runs, one after the other. show, if not nil, is told how far it is.
func Make(ctx context.Context, runs []Config, run Runner, show func(string)) (s Study, err error) {
	s.Facts = machine.Inspect()
	for i, c := range runs {
		if show != nil {
			show(fmt.Sprintf("run %d of %d: %s", i+1, len(runs), c.Name()))
		}
		r, err := run(ctx, c)
		if err != nil {
			return s, fmt.Errorf("%s: %w", c.Name(), err)
		}
		s.Runs = append(s.Runs, r)
	}
	return s, nil
}

// Name is the service and the delays.
func (c Config) Name() string { return c.Service + ", " + c.policy() }

func (c Config) policy() string {
	if c.Obey {
		return c.Policy + ", obeying"
	}
	return c.Policy
}
