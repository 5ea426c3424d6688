// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package logins puts a password check under load, and measures what its callers get and what is
// left for the rest of the process. It does not benchmark a hash.
//
// One window counts: of a closed loop all requests that begin in it, however long their answers
// take; of an open one those due in it, after the mechanism has met the load.
//
// A [Mechanism] stands between callers and the cores: one of this package, or a [Service] that the
// reader runs. A [Config] names one, and says how it is called: in a closed loop, whose callers ask
// again when they have an answer, as in the bcrypt load post; all at once, each one time; or in an
// open loop, whose requests arrive anyway. A compare can't be stopped, so what an open loop leaves
// behind disturbs the next run: a study gives each a process of its own.
package logins

import (
	"context"
	"errors"
	"runtime"
	"time"

	"fount/cmd/internal/lab/measure"
)

// A Config is one run.
type Config struct {
	Mechanism string        `json:"mechanism"`
	Policy    string        `json:"policy"`         // of policytext.Names
	Cost      int           `json:"cost,omitempty"` // of bcrypt
	Callers   int           `json:"callers"`        // of the closed loop
	Workers   int           `json:"workers"`        // or places; 0: 1 if buffered, else GOMAXPROCS
	Buffer    int           `json:"buffer"`         // of buffered
	Memory    int64         `json:"memory"`         // of the Pool, in bytes; 0: its default
	Duration  time.Duration `json:"duration_ns"`    // in which callers ask; closed loop, 0: each asks once

	Rate     float64       `json:"rate,omitempty"`        // a second, of an open loop; 0: closed
	Cut      time.Duration `json:"cut_ns,omitempty"`      // in an open loop, what is due before does not count
	Deadline time.Duration `json:"deadline_ns,omitempty"` // from a request's intended start
	Seed     uint64        `json:"seed,omitempty"`        // of the arrivals of an open loop

	Service *Service `json:"-"` // asked in an open loop, in the place of a mechanism
}

// Post is the configuration of the bcrypt load post where its flags are not given.
func Post() Config {
	return Config{
		Mechanism: MaxOut, Policy: Bcrypt, Cost: 10, Callers: 15, Buffer: 15, Duration: 5 * time.Second, Deadline: time.Second,
	}
}

// IsOpen reports whether the loop is an open one.
func (c Config) IsOpen() bool { return c.Rate > 0 }

// fansIn reports whether callers wait for room in the channel alone, as the post's do.
func (c Config) fansIn() bool { return c.Mechanism == Buffered && !c.IsOpen() }

// places is the most compares that run at once, for mechanisms that have a limit.
func (c Config) places() int {
	switch {
	case c.Workers > 0:
		return c.Workers
	case c.Mechanism == Buffered:
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// Run measures once, in this process. Compares of an open loop may be in progress when it returns.
func (c Config) Run(ctx context.Context) (Report, error) {
	m, err := c.Open()
	if err != nil {
		return Report{}, err
	}

	probes, err := startProbes()
	if err != nil {
		return Report{}, err
	}

	meter := measure.Start()
	used := measure.CPUSeconds()
	r := newRun(c, m)
	r.load(ctx)
	heartbeat, endpoint, err := probes.stop()
	r.rest(ctx)

	report := r.report(measure.CPUSeconds()-used, meter.Share())
	report.Heartbeat = heartbeat
	if c.Service == nil { // whose own pages would be the ones to watch
		report.Endpoint = endpoint
	}
	return report, errors.Join(err, ctx.Err())
}
