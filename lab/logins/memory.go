// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// Many callers of a hash that takes much memory, in a budget for few.

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"fount/password"
)

// MemoryTerms say how to measure memory.
type MemoryTerms struct {
	Policy  string `json:"policy"`
	Budget  int64  `json:"budget"` // bytes
	Workers int    `json:"workers"`
	Callers int    `json:"callers"`
}

// DefaultMemory lets 1,000 callers of argon2id, 64 MiB each, share 192 MiB, which hold three.
func DefaultMemory() MemoryTerms {
	return MemoryTerms{Policy: "argon2id,m=65536,t=1", Budget: 192 << 20, Workers: 8, Callers: 1000}
}

// A MemoryReport is the result.
type MemoryReport struct {
	MemoryTerms
	Seconds      float64             `json:"seconds"`
	Matched      int                 `json:"matched"` // answers
	Pool         password.ClassStats `json:"pool"`
	MostInFlight int                 `json:"most_in_flight"` // looked at every 5 ms
	MostHeld     int64               `json:"most_held"`      // of the budget, in bytes
	Memory       Memory              `json:"memory"`
	Conditions   []Condition         `json:"conditions"`
}

// Measure lets all callers verify at once, and waits for all. It calls progress with the number answered so far.
func (terms MemoryTerms) Measure(ctx context.Context, progress func(done int)) (*MemoryReport, error) {
	r := &MemoryReport{MemoryTerms: terms}
	r.Memory.Base, _ = resident()
	job, err := NewJob(terms.Policy, 0)
	if err != nil {
		return nil, err
	}
	p, err := password.NewPool(password.Options{
		Policy: job.Policy, Workers: terms.Workers, Memory: terms.Budget,
		Queue: terms.Callers, MaxWait: time.Hour, NoRehash: true,
	})
	if err != nil {
		return nil, err
	}
	debug.FreeOSMemory() // what the job's hash held is not the pool's
	resetPeak()

	start := time.Now()
	answers := make(chan error, terms.Callers)
	var callers sync.WaitGroup
	for i := range terms.Callers {
		callers.Go(func() {
			_, err := p.Verify(ctx, password.Login{Principal: fmt.Sprint(i)}, job.Password, job.Encoded)
			answers <- err
		})
	}
	err = r.watch(p, answers, progress)
	callers.Wait()
	r.Seconds = time.Since(start).Seconds()
	_, r.Memory.Peak = resident()
	r.Pool = p.Stats().Total()
	r.judge()
	if closed := p.Close(ctx); err == nil {
		err = closed
	}
	return r, err
}

// watch looks at the pool until all callers have their answers. It returns the first error among those.
func (r *MemoryReport) watch(p *password.Pool, answers <-chan error, progress func(int)) (first error) {
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for done := 0; done < r.Callers; {
		select {
		case err := <-answers:
			done++
			if err == nil {
				r.Matched++
			} else if first == nil {
				first = err
			}
		case <-look.C:
			s := p.Stats()
			r.MostInFlight = max(r.MostInFlight, s.Total().Running)
			r.MostHeld = max(r.MostHeld, s.MemoryInUse)
			if progress != nil {
				progress(done)
			}
		}
	}
	return first
}

// judge compares the figures with what the pool promises.
func (r *MemoryReport) judge() {
	const mib = 1 << 20
	s := r.Pool
	known := s.Completed + s.Refused + s.Dropped + s.Expired + s.Canceled + uint64(s.Queued) + uint64(s.Running)
	r.Conditions = []Condition{
		atMost("hashes in flight", float64(r.MostInFlight), 3, ""),
		atMost("memory held of the budget", float64(r.MostHeld)/mib, float64(r.Budget)/mib, "MiB"),
		atMost("calls lost", float64(s.Submitted-known)+float64(r.Callers-r.Matched), 0, ""),
	}
	above := noFigure
	if r.Memory.Base > 0 {
		above = float64(r.Memory.Above()) / mib
	}
	r.Conditions = append(r.Conditions, atMost("resident memory above the base, at its peak",
		above, 1.25*float64(r.Budget)/mib, "MiB"))
}
