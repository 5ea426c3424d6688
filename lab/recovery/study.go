// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package recovery

// All runs together.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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

// Make makes the runs that s does not have, one after the other. show, if not nil, is told how far it is; keep, if not nil, is
// called after each run.
func (s *Study) Make(ctx context.Context, runs []Config, run Runner, show func(string), keep func() error) error {
	if len(s.Runs) == 0 {
		s.Facts = machine.Inspect()
	}
	runs = slices.DeleteFunc(slices.Clone(runs), s.has)
	for i, c := range runs {
		if show != nil {
			show(fmt.Sprintf("run %d of %d: %s", i+1, len(runs), c.Name()))
		}
		r, err := run(ctx, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name(), err)
		}
		s.Runs = append(s.Runs, r)
		slices.SortFunc(s.Runs, func(a, b Result) int { return a.compare(b.Config) })
		if keep == nil {
			continue
		}
		if err := keep(); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether the study has that run.
func (s *Study) has(c Config) bool {
	return slices.ContainsFunc(s.Runs, func(r Result) bool { return r.Config == c })
}

// compare orders runs as [Plan] does.
func (c Config) compare(d Config) int {
	obeys := map[bool]int{true: 1}
	return cmp.Or(
		slices.Index(Services, c.Service)-slices.Index(Services, d.Service),
		obeys[c.Obey]-obeys[d.Obey],
		slices.Index(Policies, c.Policy)-slices.Index(Policies, d.Policy))
}

// Accepts finds what makes a study begun before no part of one of plan on this machine.
func (s *Study) Accepts(plan []Config) error {
	here := machine.Inspect()
	if s.CPU != here.CPU || s.GOMAXPROCS != here.GOMAXPROCS || s.GoVersion != here.GoVersion {
		return fmt.Errorf("it is of another machine: %s, GOMAXPROCS %d, %s; here %s, %d, %s",
			s.CPU, s.GOMAXPROCS, s.GoVersion, here.CPU, here.GOMAXPROCS, here.GoVersion)
	}
	for _, r := range s.Runs {
		if !slices.Contains(plan, r.Config) {
			return fmt.Errorf("its run %q has other times, rates or cost", r.Name())
		}
	}
	return nil
}

// Name is the service and the delays.
func (c Config) Name() string { return c.Service + ", " + c.policy() }

func (c Config) policy() string {
	if c.Obey {
		return c.Policy + ", obeying"
	}
	return c.Policy
}
