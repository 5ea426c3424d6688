// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package doctor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"fount/lab/logins"
	"fount/lab/show"
)

// Passwords is what password hashes cost, alone and when many ask at once.
type Passwords struct {
	Cost    int      `json:"bcrypt_cost"`
	HashMS  float64  `json:"hash_ms"` // one alone, by golang.org/x/crypto
	Callers int      `json:"callers"`
	Ways    []Way    `json:"ways"`
	Advice  []string `json:"advice"`
}

// A Way is what became of all callers with one way to hash.
type Way struct {
	Name      string  `json:"name"`
	Hashes    float64 `json:"hashes_per_s"`          // until those under way had ended too
	InTime    float64 `json:"answered_in_1s_per_s"`  // of each caller's asking
	Heartbeat float64 `json:"heartbeat_late_p99_ms"` // of the rest of the process
}

// ways are goroutines without a bound, as many as there are cores, and the pool.
var ways = []struct{ name, mechanism string }{
	{"goroutines", logins.MaxOut}, {"semaphore", logins.Semaphore}, {"pool", logins.Pool},
}

// passwords measures what hashes cost.
func (x Examination) passwords(ctx context.Context) (*Passwords, error) {
	p := &Passwords{Cost: x.Cost, Callers: x.Callers, HashMS: math.Inf(1)}
	job, err := logins.NewJob(logins.Bcrypt, x.Cost)
	if err != nil {
		return nil, err
	}
	for range 3 { // what else the machine does makes one longer, never shorter
		start := time.Now()
		if err := job.Compare(); err != nil {
			return nil, err
		}
		p.HashMS = min(p.HashMS, time.Since(start).Seconds()*1000)
	}
	for _, way := range ways {
		c := logins.Post()
		c.Mechanism, c.Cost, c.Callers, c.Duration = way.mechanism, x.Cost, x.Callers, time.Duration(x.Seconds*float64(time.Second))
		r, err := c.Run(ctx, nil)
		if err == nil && r.Failed > 0 {
			err = errors.New(r.Failure)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", way.name, err)
		}
		w := Way{Name: way.name, InTime: float64(r.Good) / x.Seconds, Hashes: *r.Finished}
		if r.Heartbeat.P99 != nil {
			w.Heartbeat = *r.Heartbeat.P99
		}
		p.Ways = append(p.Ways, w)
	}
	one, bound, whole := p.Ways[0], p.Ways[1], p.Ways[2]
	p.Advice = []string{fmt.Sprintf("Where more than a few log in at once, or others can make it more, put the pool before the hash: of %d callers it "+
		"answers %s a second in time, goroutines %s.", p.Callers, show.Ratio(whole.InTime), show.Ratio(one.InTime))}
	if factor := whole.Hashes / one.Hashes; factor > 1.5 {
		p.Advice = append(p.Advice, fmt.Sprintf("Several bcrypts side by side on a core make %.1f times as many hashes. A semaphore alone, with one "+
			"hash a core, answers %s a second in time.", factor, show.Ratio(bound.InTime)))
	}
	return p, nil
}

func (p *Passwords) text(s show.Style) string {
	text := "\n" + show.Paragraph(fmt.Sprintf("Passwords: %d callers at once; one bcrypt of cost %d takes %.0f ms of a core", p.Callers, p.Cost, p.HashMS), s.Width, "", "  ")
	t := show.Table{Head: []string{"", "hashes/s", "in time/s", "heartbeat late"}}
	for _, w := range p.Ways {
		t.Rows = append(t.Rows, []string{w.Name, show.Ratio(w.Hashes), show.Ratio(w.InTime), show.Seconds(w.Heartbeat / 1000)})
	}
	return text + t.String("  ") + s.Items(p.Advice...)
}
