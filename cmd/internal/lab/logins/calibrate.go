// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// The hash that suits a machine, and the cores and memory that a rate of logins needs.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/measure"
	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/policytext"
	"fount/internal/cputime"
	"fount/password"
)

// A Calibrator finds the hardest hash of a policy that one core makes in a given time.
type Calibrator struct {
	Policy password.Policy // the weakest allowed
	Target time.Duration   // of one hash
	Rate   float64         // logins a second to plan for; 0 if not known
	Memory int64           // limit of all running hashes, in bytes; if 0, the Pool's default
}

// A Calibration is the result of a Calibrator. It is based on CPU time if the system reports that.
type Calibration struct {
	Policy     string   `json:"policy"`        // as policytext.Parse takes it
	HashMS     float64  `json:"hash_core_ms"`  // of one hash alone
	LoginMS    float64  `json:"login_core_ms"` // of one hash among many, in the Pool
	TargetMS   float64  `json:"target_ms"`
	Missed     bool     `json:"missed_target"`
	GOMAXPROCS int      `json:"gomaxprocs"`
	Each       int64    `json:"memory_each"`       // bytes that one hash holds
	Budget     int64    `json:"memory_budget"`     // the Calibrator's Memory
	Peak       float64  `json:"most_logins_per_s"` // of workers that have their cores to themselves
	Rate       float64  `json:"rate,omitempty"`
	Cores      int      `json:"cores,omitempty"`  // that the rate needs
	Memory     int64    `json:"memory,omitempty"` // and the bytes
	Workers    int      `json:"workers"`          // of the pool that made them
	Usable     float64  `json:"usable_cores"`     // GOMAXPROCS, or a CPU limit below it
	Share      *float64 `json:"core_share,omitempty"`
	Sentences  []string `json:"sentences"`
}

// Measure finds the policy, measures one hash, and has the Pool make many for some seconds.
func (k Calibrator) Measure(ctx context.Context) (*Calibration, error) {
	policy, err := k.Policy.Calibrate(k.Target)
	if err != nil {
		return nil, err
	}
	c := &Calibration{Policy: policytext.Of(policy), TargetMS: k.Target.Seconds() * 1000, GOMAXPROCS: runtime.GOMAXPROCS(0), Budget: k.Memory, Rate: k.Rate, Usable: measure.Usable()}
	took, err := c.alone()
	if err != nil {
		return nil, err
	}
	run := Post()
	run.Mechanism, run.Policy, run.Cost, run.Callers = Pool, c.Policy, 0, 8*c.GOMAXPROCS
	run.Memory, run.Duration = k.Memory, max(2*time.Second, 8*took)
	r, err := run.Run(ctx)
	if err != nil {
		return nil, err
	}
	c.Workers, c.Share, c.LoginMS = r.Workers, r.Share, 1000*float64(r.Workers)/r.Hashes
	if r.CoreMS != nil {
		c.LoginMS = *r.CoreMS
	}
	c.plan()
	c.Sentences = c.sentences()
	return c, nil
}

// alone measures one hash.
func (c *Calibration) alone() (time.Duration, error) {
	job, err := NewJob(c.Policy, 0)
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
			c.Policy, show.Size(float64(c.Each)), show.Size(float64(c.Budget)))
	}
	took, err := job.CoreTime()
	c.HashMS = took.Seconds() * 1000
	c.Missed = c.HashMS > 1.1*c.TargetMS // a tenth is noise
	return took, err
}

// CoreTime returns the least CPU time of one core that a compare takes, of three.
func (j *Job) CoreTime() (time.Duration, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // without argon2's lanes on other cores
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	took, err := time.Duration(math.MaxInt64), error(nil)
	for range 3 {
		start := cputime.Thread()
		err = errors.Join(err, j.Compare())
		took = min(took, cputime.Thread()-start)
	}
	return took, err
}

// plan says what the workers can do, and what the rate needs: cores, with those that the pool keeps
// free, and memory for the hashes at work at once (Little's law), as each holds its own.
func (c *Calibration) plan() {
	atOnce := min(float64(c.Workers), c.Usable)
	if c.Budget > 0 && c.Each > 0 {
		atOnce = min(atOnce, float64(c.Budget/c.Each))
	}
	c.Peak = atOnce * 1000 / c.LoginMS
	if c.Rate > 0 {
		c.Cores = int(math.Ceil(c.Rate*c.LoginMS/1000)) + max(0, c.GOMAXPROCS-c.Workers)
		c.Memory = int64(math.Ceil(c.Rate*c.HashMS/1000)) * c.Each
	}
}

func (c *Calibration) sentences() []string {
	size := func(n int64) string { return show.Size(float64(n)) }
	first := fmt.Sprintf("Use %s: one hash takes %s ms of a core here", c.Policy, show.Ratio(c.HashMS))
	if c.Each > 0 {
		first += " and holds " + size(c.Each)
	}
	if c.Missed {
		first += fmt.Sprintf(", more than the %.0f ms asked for", c.TargetMS)
	}
	peak := fmt.Sprintf("In a pool a login takes %s ms of a core: at most %s logins/s on GOMAXPROCS %d",
		show.Ratio(c.LoginMS), show.Ratio(c.Peak), c.GOMAXPROCS)
	if c.Budget > 0 && c.Each > 0 {
		peak += fmt.Sprintf(", %d at once in %s", c.Budget/c.Each, size(c.Budget))
	}
	sentences := []string{first + ".", peak + "."}
	if c.Cores > 0 {
		enough := "this machine is enough"
		if c.Rate > c.Peak {
			enough = "more than this machine has; use more machines or a shorter target"
		}
		sentences = append(sentences, fmt.Sprintf("%g logins/s need cores: %d, memory: %s: %s.",
			c.Rate, c.Cores, size(c.Memory), enough))
	}
	if c.Share != nil && *c.Share < lab.QuietShare {
		sentences = append(sentences, fmt.Sprintf("The process had %.2f of the core time that it could use. If other "+
			"programs had the rest, what they take of caches slows a hash: try again when they are quiet.", *c.Share))
	}
	return sentences
}
