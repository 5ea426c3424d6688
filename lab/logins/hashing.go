// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// Ways to hash, as methods: a value is one hash.

import (
	"fmt"
	"slices"

	"fount/internal/blowfish"
	"fount/internal/policytext"
	"fount/lab/measure"

	"golang.org/x/crypto/bcrypt"
)

// A Hashing is one way to hash, and how it is to be measured.
type Hashing struct {
	Label   string
	Workers int // goroutines that hash at once
	Hashes  int // that one draw makes
	open    func() (draw func() error, err error)
}

// Method is the Hashing as it is measured. It has no weakness: all that is measured here may be stored.
func (h Hashing) Method() measure.Method { return measure.Method{Name: h.Label, Open: h.start} }

// start makes what all workers share: a hash to compare with.
func (h Hashing) start() (measure.Source, error) {
	draw, err := h.open()
	if err != nil {
		return nil, err
	}
	return measure.Workers(func(int) measure.Worker {
		return measure.Loop{Do: func(n int) {
			for range n {
				if err := draw(); err != nil {
					panic(err) // the harness reports it as the method's error
				}
			}
		}}
	}), nil
}

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
	for _, policy := range policytext.Names {
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
func Measure(p measure.Plan, methods []Hashing, progress func(done, all int)) []measure.Row {
	results := make([]measure.Result, len(methods))
	rounds := p.Rounds
	p.Rounds, p.Elapsed = 1, true
	for round := range rounds {
		for i, h := range methods {
			progress(round*len(methods)+i, rounds*len(methods))
			if r := &results[i]; r.Err == nil {
				next := turn(p, h)
				r.Method, r.Err, r.Runs = h.Method(), next.Err, [][]measure.Run{append(slices.Concat(r.Runs...), slices.Concat(next.Runs...)...)}
			}
		}
	}
	for i, h := range methods {
		r := &results[i]
		var costs []float64
		for k := range r.Runs[0] {
			run := &r.Runs[0][k]
			run.Values *= h.Hashes
			costs = append(costs, run.NS())
		}
		r.Costs = []*measure.Sample{measure.Of(costs...)}
	}
	return measure.Rows(results, nil, 0)
}

// turn is one turn of a method. The plan's number of hashes is that of each worker.
func turn(p measure.Plan, h Hashing) measure.Result {
	p.Workers = []int{h.Workers}
	p.Values *= h.Workers
	return p.Run([]measure.Method{h.Method()}, nil)[0]
}
