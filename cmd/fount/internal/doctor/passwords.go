// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package doctor

import (
	"context"
	"errors"
	"fmt"

	"fount/cmd/internal/lab/logins"
	"fount/cmd/internal/lab/measure"
	"fount/cmd/internal/lab/show"
)

// Passwords says what callers get that all ask for a hash at the same time.
type Passwords struct {
	Cost   int      `json:"bcrypt_cost"`
	HashMS float64  `json:"hash_core_ms"` // one hash alone, by golang.org/x/crypto
	Asked  int      `json:"asked_at_once"`
	Ways   []Way    `json:"ways"`
	Advice []string `json:"advice"`
}

// A Way says what the callers got with one way to hash.
type Way struct {
	Name string `json:"name"`
	logins.Report
}

// ways are unbounded goroutines, a semaphore with a slot for each core, and the pool.
var ways = []struct{ name, mechanism string }{
	{"goroutines", logins.MaxOut}, {"semaphore", logins.Semaphore}, {"pool", logins.Pool},
}

// passwords measures all ways to hash.
func (x Examination) passwords(ctx context.Context) (*Passwords, error) {
	p := &Passwords{Cost: x.Cost, Asked: x.Callers}
	job, err := logins.NewJob(logins.Bcrypt, x.Cost)
	if err != nil {
		return nil, err
	}
	took, err := job.CoreTime()
	if err != nil {
		return nil, err
	}

	p.HashMS = took.Seconds() * 1000
	share := measure.Share(1) // the least

	for _, way := range ways {
		c := logins.Post()
		c.Mechanism = way.mechanism
		c.Cost = x.Cost
		c.Callers = x.Callers
		c.Duration = 0 // each asks once
		r, err := c.Run(ctx)
		if err == nil && r.Failed > 0 {
			err = errors.New(r.Failure)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", way.name, err)
		}
		p.Ways = append(p.Ways, Way{way.name, r})
		share = min(share, r.Share)
	}

	var advice []string
	if one, pool := p.Ways[0].CoreMS, p.Ways[2].CoreMS; one != nil && pool != nil {
		second := 1000 * measure.Usable()
		advice = []string{fmt.Sprintf("Where more than %s may log in within a second, put the pool before the hash: one by one, all "+
			"cores make no more. The pool puts several bcrypts side by side on a core, and makes %s.", show.Rate(second / *one), show.Rate(second / *pool))}
	}

	p.Advice = share.Advise(advice...)
	return p, nil
}

func (p *Passwords) text(s show.Style) string {
	title := fmt.Sprintf("Passwords: %d ask at once and wait for 1 s; one bcrypt of cost %d alone takes %s ms of a core",
		p.Asked, p.Cost, show.Ratio(p.HashMS))

	t := show.Table{Head: []string{"", "in time", "last", "core ms"}}
	for _, w := range p.Ways {
		t.Rows = append(t.Rows, []string{w.Name, fmt.Sprint(w.InTime), show.Seconds(w.LastAnswer), show.Known(w.CoreMS)})
	}

	return "\n" + show.Paragraph(title, s.Width, "", "  ") + t.String("  ") + s.Items(p.Advice...)
}
