// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// Ways to hash, as methods of package nonce: what nonce calls a nonce is one hash here.

import (
	"fmt"

	"fount/internal/blowfish"
	"fount/lab/nonce"

	"golang.org/x/crypto/bcrypt"
)

// A Hashing is one way to hash, and how it is to be measured.
type Hashing struct {
	Label   string
	Workers int // goroutines that hash at once
	Hashes  int // that one draw of nonce makes
	open    func() (draw func() error, err error)
	away    func(nonce.Plan) (nonce.Run, error) // a turn in another process, which times itself; then open is nil
}

// Name is the label.
func (h Hashing) Name() string { return h.Label }

// Weakness is none: all that is measured here may be stored.
func (Hashing) Weakness() string { return "" }

// Open makes what all workers share: a hash to compare with.
func (h Hashing) Open() (nonce.Source, error) {
	draw, err := h.open()
	if err != nil {
		return nil, err
	}
	return hashingSource(draw), nil
}

// A hashingSource is the draw of all workers.
type hashingSource func() error

func (s hashingSource) Worker() (draw func([]nonce.Nonce), end func()) {
	return func(dst []nonce.Nonce) {
		for range dst {
			if err := s(); err != nil {
				panic(err) // lab reports it as the method's error
			}
		}
	}, func() {}
}

func (hashingSource) Close() {}

// Names without spaces, which benchstat could not read.
const (
	Serial     = "serial"
	OnEachCore = "each-core"
	AllAtOnce  = "-goroutines" // after their number
)

// Hashings are the post's pair (one bcrypt after the other, and as many goroutines as possible), one on each core,
// lanes on one core, every policy, and those of a. goroutines are those of the pair, cores those of the second.
func Hashings(cost, goroutines, cores int, a *Argon2ids) []Hashing {
	bcrypts := func() (func() error, error) {
		job, err := NewJob(Bcrypt, cost)
		if err != nil {
			return nil, err
		}
		return func() error { return bcrypt.CompareHashAndPassword([]byte(job.Encoded), job.Password) }, nil
	}
	all := []Hashing{
		{Label: Serial, Workers: 1, Hashes: 1, open: bcrypts},
		{Label: fmt.Sprint(goroutines) + AllAtOnce, Workers: goroutines, Hashes: 1, open: bcrypts},
		{Label: OnEachCore, Workers: cores, Hashes: 1, open: bcrypts},
	}
	for k := range blowfish.MaxLanes {
		all = append(all, lanes(cost, k+1))
	}
	for _, policy := range Policies {
		switch policy {
		case Bcrypt: // as above
		case Argon2id:
			all = append(all, a.Hashings()...)
		default:
			all = append(all, Hashing{Label: policy, Workers: 1, Hashes: 1, open: func() (func() error, error) {
				job, err := NewJob(policy, 0)
				if err != nil {
					return nil, err
				}
				return job.Compare, nil
			}})
		}
	}
	return all
}

// lanes is k bcrypts at once on one goroutine.
func lanes(cost, k int) Hashing {
	label := fmt.Sprint(k) + "-lanes"
	if k == 1 {
		label = "1-lane"
	}
	return Hashing{Label: label, Workers: 1, Hashes: k, open: func() (func() error, error) {
		engine := blowfish.New()
		work := make([]*blowfish.Lane, k)
		for i := range work {
			work[i] = &blowfish.Lane{Key: fmt.Appendf(nil, "password %d\x00", i)}
			work[i].Salt[0] = byte(i)
		}
		return func() error {
			engine.Run(cost, work)
			return nil
		}, nil
	}}
}

// Measure gives each of the methods one turn a round: hashes of each worker, or as many as come in the plan's time.
// It calls progress before each. The rows are of single hashes.
func Measure(p nonce.Plan, methods []Hashing, progress func(done, all int)) []nonce.Row {
	results := make([]nonce.Result, len(methods))
	rounds := p.Rounds
	p.Rounds, p.Elapsed = 1, true
	for round := range rounds {
		for i, h := range methods {
			progress(round*len(methods)+i, rounds*len(methods))
			if results[i].Err == nil {
				results[i] = joined(results[i], turn(p, h))
			}
		}
	}
	rows := nonce.Rows(results, nil, 0)
	for i, h := range methods {
		each := 1 / float64(h.Hashes)
		rows[i].Cost = rows[i].Cost.Times(each)
		if rows[i].Core != nil {
			rows[i].Core = rows[i].Core.Times(each)
		}
		for k := range rows[i].Drawn {
			rows[i].Drawn[k] *= h.Hashes
		}
	}
	return rows
}

// turn is one turn of a method. The plan's number of hashes is that of each worker.
func turn(p nonce.Plan, h Hashing) nonce.Result {
	if h.away != nil {
		run, err := h.away(p)
		if err != nil {
			return nonce.Result{Method: h, Err: err}
		}
		return nonce.Result{Method: h, Costs: []nonce.Sample{{run.NS()}}, Runs: [][]nonce.Run{{run}}}
	}
	p.Workers = []int{h.Workers}
	p.Nonces *= h.Workers
	return p.Run([]nonce.Method{h}, nil)[0]
}

// joined is the result with another turn.
func joined(r, next nonce.Result) nonce.Result {
	if next.Err != nil || r.Method == nil {
		return next
	}
	r.Costs[0] = append(r.Costs[0], next.Costs[0]...)
	r.Runs[0] = append(r.Runs[0], next.Runs[0]...)
	return r
}
