// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// fount/password's Pool as a Mechanism.

import (
	"context"
	"time"

	"fount/password"
)

// pool is the Pool at work.
type pool struct {
	*password.Pool
	job    *Job
	before password.Stats // at the cut
}

// PoolFigures are what the Pool's own counters say of the part of a run that counts.
type PoolFigures struct {
	Workers    int                 `json:"workers"`
	Lanes      []uint64            `json:"lanes"` // turns of workers by how many bcrypts they did at once
	RefusedFor password.RefusedFor `json:"refused_for"`
	Dropped    int64               `json:"dropped"` // let in and refused later: of the refused, these are not at once
	Expired    int64               `json:"expired"` // the caller's deadline passed before the answer
	Canceled   int64               `json:"canceled"`

	wait, service *Summary
}

// openPool makes the Pool for a run. In a closed loop it refuses no caller: they wait, as in the post.
func (c Config) openPool(job *Job) (Mechanism, error) {
	o := password.Options{
		Policy: job.Policy, Workers: c.Workers, Memory: c.Memory, MaxWait: c.Deadline,
	}
	if !c.IsOpen() {
		o.MaxWait = time.Hour
		o.Queue = max(c.Callers, password.DefaultQueue)
	}
	p, err := password.NewPool(o)
	if err != nil {
		return nil, err
	}
	return &pool{Pool: p, job: job}, nil
}

func (p *pool) Compare(ctx context.Context, principal string) (Spans, error) {
	_, err := p.Verify(ctx, password.Login{Principal: principal}, p.job.Password, p.job.Encoded)
	return Spans{}, err
}

// Close waits for what is under way.
func (p *pool) Close() error { return p.Pool.Close(context.Background()) }

// mark is called when the part of the run that counts begins.
func (p *pool) mark() { p.before = p.Stats() }

// figures is the difference since mark.
func (p *pool) figures() *PoolFigures {
	now := p.Stats()
	a, b := p.before.Total(), now.Total()
	f := &PoolFigures{
		Workers: now.Workers, Lanes: make([]uint64, len(now.Lanes)),
		RefusedFor: password.RefusedFor{
			Deadline: b.RefusedFor.Deadline - a.RefusedFor.Deadline,
			Queue:    b.RefusedFor.Queue - a.RefusedFor.Queue,
			Share:    b.RefusedFor.Share - a.RefusedFor.Share,
			Closed:   b.RefusedFor.Closed - a.RefusedFor.Closed,
		},
		Dropped: int64(b.Dropped - a.Dropped), Expired: int64(b.Expired - a.Expired), Canceled: int64(b.Canceled - a.Canceled),
	}
	for i, n := range now.Lanes {
		f.Lanes[i] = n
		if i < len(p.before.Lanes) {
			f.Lanes[i] -= p.before.Lanes[i]
		}
	}
	if len(now.Hashes) > 0 {
		first := now.Hashes[0] // the run has one kind of hash
		var then password.HashStats
		if len(p.before.Hashes) > 0 {
			then = p.before.Hashes[0]
		}
		f.wait, f.service = summaryOf(then.Wait, first.Wait), summaryOf(then.Service, first.Service)
	}
	return f
}

// summaryOf is the percentiles of what a histogram counted after it was as before.
func summaryOf(before, now password.Histogram) *Summary {
	h := now.Sub(before)
	if h.Count == 0 {
		return nil
	}
	quantile := func(q float64) *float64 {
		if float64(h.Count)*(1-q) < 1-1e-9 {
			return nil
		}
		return ms(float64(h.Quantile(q)))
	}
	return &Summary{int64(h.Count), quantile(0.5), quantile(0.99), quantile(0.999), ms(float64(h.Quantile(1)))}
}
