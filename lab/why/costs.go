// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// What draws and hashes cost on this machine, by the doctor's harness.

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"fount"
	"fount/lab/logins"
	"fount/lab/measure"
	"fount/lab/nonce"

	"github.com/google/uuid"
)

// Costs are those of the calls that are there and of those that would stand in their place, on this machine.
type Costs struct {
	Draw     Change `json:"crypto_rand_16"` // 16 bytes of crypto/rand, and of what the doctor would use
	Long     Change `json:"crypto_rand_64"` // 64
	UUID     Change `json:"uuid"`           // of google/uuid, and of fount
	UUIDText Change `json:"uuid_text"`      // as a string
	Use      string `json:"use"`            // the doctor's verdict for this machine: crypto/rand, fount or fount.Strict
	Rounds   int    `json:"rounds"`

	Lanes  float64 `json:"pool_hashes_ratio"` // bcrypts of fount/password's Pool in a second of CPU time, by those of goroutines; 0: not measured
	HashMS float64 `json:"bcrypt_ms"`         // one of cost 10, by golang.org/x/crypto, while all cores hash
}

// A Change is what a call costs, and what the one in its place does: ns of CPU time, the garbage collector's part of it,
// medians of rounds in which both had a turn.
type Change struct {
	From  float64 `json:"ns"`
	To    float64 `json:"own_ns"`
	Ratio float64 `json:"ratio"` // of To to From: the median of the rounds' own
	Low   float64 `json:"ratio_low"`
	High  float64 `json:"ratio_high"` // of its 95 % interval
}

// changeOf compares two methods round by round.
func changeOf(from, to *measure.Sample) Change {
	ratio := measure.Of(measure.Over(to.Values, from.Values)...)
	c := Change{From: from.Median, To: to.Median, Ratio: ratio.Median}
	var ok bool
	if c.Low, c.High, ok = ratio.Interval(); !ok {
		c.Low, c.High = ratio.Min(), ratio.Max()
	}
	return c
}

// calling is a method that makes a call, again and again.
func calling(name string, call func()) measure.Method {
	return measure.Method{Name: name, Open: func() (measure.Source, error) {
		return measure.Workers(func(int) measure.Worker {
			return measure.Loop{Do: func(n int) {
				for range n {
					call()
				}
			}}
		}), nil
	}}
}

// What is made is kept, as a program does.
var kept struct {
	bytes [longer]byte
	id    uuid.UUID
	text  string
}

// longer is more than what most programs draw at once.
const longer = 64

// The methods that the harness measures besides those of package nonce, for one worker.
var (
	stdLong = calling("64 B of crypto/rand", func() { rand.Read(kept.bytes[:]) })
	ownLong = calling("64 B of fount", func() { fount.Read(kept.bytes[:]) })
	stdUUID = calling("google/uuid", func() { kept.id = uuid.New() })
	ownUUID = calling("fount's UUID", func() { kept.id = uuid.UUID(fount.NewUUID()) })
	stdText = calling("google/uuid as text", func() { kept.text = uuid.NewString() })
	ownText = calling("fount's UUID as text", func() { kept.text = fount.NewUUID().String() })
)

// MeasureDraws measures what draws cost, with the doctor's plan, and takes its verdict.
func (c *Costs) MeasureDraws(p measure.Plan, progress func(done, all int)) error {
	std, own, strict := nonce.CryptoRand(), nonce.Fount(), nonce.Strict()
	p.Workers = []int{1}
	results := p.Run([]measure.Method{std, own, strict, nonce.Buffered(256), stdLong, ownLong, stdUUID, ownUUID, stdText, ownText}, progress)
	costs := make(map[string]*measure.Sample)
	for _, r := range results {
		if r.Err != nil {
			return fmt.Errorf("%s: %w", r.Method.Name, r.Err)
		}
		costs[r.Method.Name] = r.Costs[0]
	}
	change := func(from, to measure.Method) Change { return changeOf(costs[from.Name], costs[to.Name]) }
	v := nonce.Judge(nonce.Evidence{Workers: p.Workers, Results: results})
	c.Use, c.Rounds = v.Use, len(results[0].Costs[0].Values)
	if v.Use == strict.Name {
		own = strict
	}
	c.Draw, c.Long = change(std, own), change(stdLong, ownLong)
	c.UUID, c.UUIDText = change(stdUUID, ownUUID), change(stdText, ownText)
	return nil
}

// MeasureHashes measures bcrypts of the Pool and of goroutines without a bound, each for a run of that time.
func (c *Costs) MeasureHashes(ctx context.Context, run time.Duration) error {
	var per [2]float64
	for i, mechanism := range []string{logins.PoolLanes, logins.MaxOut} {
		load := logins.Post()
		load.Mechanism, load.Callers, load.Duration = mechanism, 64, run
		r, err := load.Run(ctx, func(logins.Progress) {})
		switch {
		case err != nil:
			return err
		case r.Failed > 0:
			return errors.New(r.Failure)
		case r.Finished == nil || !(*r.Finished > 0):
			return errors.New("no bcrypt ended")
		}
		per[i] = *r.Finished / cmp.Or(r.Cores, 1) // of CPU time: the program that was watched may still be busy
		if i == 1 && r.Cores > 0 {
			c.HashMS = 1000 / per[i]
		}
	}
	c.Lanes = per[0] / per[1]
	return nil
}
