// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package calibrate finds the hash that suits a machine, and the cores and memory that a rate of
// logins needs.
package calibrate

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"fount/cmd/internal/lab/logins"
	"fount/cmd/internal/lab/measure"
	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/policytext"
	"fount/password"
)

// A Calibrator finds the hardest hash of a policy that one core makes in a given time.
type Calibrator struct {
	Policy password.Policy // the weakest allowed
	Target time.Duration   // of one hash
	Rate   float64         // logins a second to plan for; 0 if not known
	Memory int64           // limit of all running hashes, in bytes; if 0, the Pool's default
}

// A Calibration is the result of a Calibrator. It is based on CPU time.
type Calibration struct {
	Policy   string        `json:"policy,omitempty"` // as policytext.Parse takes it; "" if none was chosen
	Tried    string        `json:"tried"`            // the policy that was measured
	HashMS   float64       `json:"hash_core_ms"`     // of one hash alone
	LoginMS  float64       `json:"login_core_ms"`    // of one hash among many, in the Pool
	TargetMS float64       `json:"target_ms"`
	Missed   bool          `json:"missed_target"`
	Each     int64         `json:"memory_each"`       // bytes that one hash holds
	Budget   int64         `json:"memory_budget"`     // the Calibrator's Memory
	Peak     float64       `json:"most_logins_per_s"` // that the Pool made
	Rate     float64       `json:"rate,omitempty"`
	Cores    float64       `json:"cores,omitempty"`   // that the rate needs
	Memory   int64         `json:"memory,omitempty"`  // and the bytes
	Servers  int           `json:"servers,omitempty"` // machines like this one, should one of them fail
	Workers  int           `json:"workers"`           // of the Pool
	Usable   float64       `json:"usable_cores"`      // GOMAXPROCS, or a CPU limit below it
	Share    measure.Share `json:"core_share"`        // the least: of one hash, or of many
	Says     []string      `json:"sentences"`
}

// Measure finds the policy, measures one hash, and has the Pool make many for some seconds. It
// chooses no policy beside other programs, which slow a hash, nor one that misses the target.
func (k Calibrator) Measure(ctx context.Context) (*Calibration, error) {
	meter := measure.Start()
	policy, err := k.Policy.Calibrate(k.Target)
	if err != nil {
		return nil, err
	}

	c := &Calibration{
		Tried:    policytext.Of(policy),
		TargetMS: k.Target.Seconds() * 1000,
		Budget:   k.Memory,
		Rate:     k.Rate,
		Usable:   measure.Usable(),
	}
	took, err := c.alone()
	if err != nil {
		return nil, err
	}
	c.Share = meter.Share()

	run := logins.Post()
	run.Mechanism = logins.Pool
	run.Policy = c.Tried
	run.Cost = 0
	run.Callers = 8 * runtime.GOMAXPROCS(0)
	run.Memory = k.Memory
	run.Duration = max(2*time.Second, 8*took)
	r, err := run.Run(ctx)
	if err != nil {
		return nil, err
	}

	c.Workers = r.Workers
	c.Share = min(c.Share, r.Share)
	c.Peak = r.Hashes
	c.LoginMS = c.HashMS
	if r.CoreMS != nil {
		c.LoginMS = *r.CoreMS
	}

	if c.Share.Quiet() && !c.Missed {
		c.Policy = c.Tried
		c.plan()
	}
	c.Says = append(c.measured(), c.Share.Advise(c.advice()...)...)
	return c, nil
}

// alone measures one hash.
func (c *Calibration) alone() (time.Duration, error) {
	job, err := logins.NewJob(c.Tried, 0)
	if err != nil {
		return 0, err
	}
	info, err := password.Policy{}.Inspect(job.Encoded)
	if err != nil {
		return 0, err
	}

	c.Each = info.Bytes
	if c.Budget > 0 && c.Each > c.Budget {
		return 0, fmt.Errorf("one hash of %s holds %s, more than the %s allowed; allow more, or choose another policy",
			c.Tried, show.Size(float64(c.Each)), show.Size(float64(c.Budget)))
	}

	took, err := job.CoreTime()
	c.HashMS = took.Seconds() * 1000
	c.Missed = c.HashMS > 1.1*c.TargetMS // a tenth is noise
	return took, err
}

// plan says what the rate needs, by what the workers did: cores, with those that the Pool leaves
// free, and memory for the hashes at work at once (Little's law), as each holds its own. Of several
// servers any may fail.
func (c *Calibration) plan() {
	cores := min(float64(c.Workers), c.Usable)
	atOnce := cores
	if c.Budget > 0 && c.Each > 0 {
		atOnce = min(atOnce, float64(c.Budget/c.Each))
	}

	needs := atOnce * c.Rate / c.Peak // hashes at once
	c.Cores = needs * c.Usable / cores
	c.Memory = int64(math.Ceil(needs)) * c.Each
	if c.Rate > 0 {
		c.Servers = int(math.Ceil(c.Rate/(maxLoad*c.Peak))) + 1
	}
}

// maxLoad is that of servers beside one that failed, as a part of what they can do: package remote
// promises nearly all answers up to it.
const maxLoad = 0.85

// measured says what was found of one hash and of many.
func (c *Calibration) measured() []string {
	one := fmt.Sprintf("One hash of %s takes %s of a core here", c.Tried, show.Figure(c.HashMS/1000, "sec"))
	if c.Each > 0 {
		one += " and holds " + show.Size(float64(c.Each))
	}

	many := fmt.Sprintf("In a pool a login takes %s of a core", show.Figure(c.LoginMS/1000, "sec"))
	if c.Share.Quiet() {
		many += fmt.Sprintf(": %s logins/s on %g cores", show.Figure(c.Peak, ""), c.Usable)
	}
	return []string{one + ".", many + "."}
}

// advice says what to use, and whether that is enough.
func (c *Calibration) advice() []string {
	if c.Missed {
		return nil
	}
	use := "Use " + c.Tried + "."
	if c.Rate == 0 {
		return []string{use}
	}

	enough := "this machine is enough"
	if c.Rate > c.Peak {
		enough = "more than this machine has; use more machines or a shorter target"
	}
	return []string{
		use,
		fmt.Sprintf("%g logins/s need %s cores and %s: %s.",
			c.Rate, show.Figure(c.Cores, ""), show.Size(float64(c.Memory)), enough),
		fmt.Sprintf("Have %d servers like this one: while one is away, the others are loaded to at most %g.",
			c.Servers, maxLoad),
	}
}
