// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package hashes measures what one hash of a password costs: the pair of benchmarks of the bcrypt load post (one bcrypt after the
// other, and many at once), several bcrypts side by side on one core, and every other algorithm with OWASP's parameters.
package hashes

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"fount/internal/blowfish"
	"fount/internal/policytext"
	"fount/lab"
	"fount/lab/measure"
	"fount/password"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
)

// Study is fount bench password.
var Study = lab.Study{Name: "password", About: "one bcrypt, many at once, several on one core, and other hashes", Time: 60 * time.Second, Run: run}

const (
	cost   = 10 // of the post
	many   = 64 // goroutines are as many as possible
	secret = "correct horse battery staple"
)

func run(r *lab.Run) {
	bcrypts := group{Name: fmt.Sprintf("A bcrypt of cost %d", cost), ways: []*way{
		{name: "serial", workers: 1, hashes: 1, open: xBcrypt},
		{name: fmt.Sprintf("%d goroutines", many), workers: many, hashes: 1, open: xBcrypt},
		{name: "a goroutine a core", workers: runtime.GOMAXPROCS(0), hashes: 1, open: xBcrypt},
	}}
	for k := range blowfish.MaxLanes {
		name := fmt.Sprintf("%d lanes on one core", k+1)
		if k == 0 {
			name = "1 lane on one core"
		}
		bcrypts.ways = append(bcrypts.ways, &way{name: name, workers: 1, hashes: k + 1, open: func() (func() error, error) { return lanes(k + 1), nil }})
	}
	others := group{Name: "A hash by OWASP's parameters, one after the other"}
	var pool *password.Pool
	defer func() {
		if pool != nil {
			pool.Close(context.Background())
		}
	}()
	for _, policy := range policytext.Names {
		others.ways = append(others.ways, &way{name: policy, workers: 1, hashes: 1, open: func() (func() error, error) { return verify(policy) }})
		if policy == argon2id {
			others.ways = append(others.ways,
				&way{name: argon2id + ", in a Pool, which keeps its memory", workers: 1, hashes: 1, open: func() (func() error, error) { return inPool(&pool) }},
				&way{name: argon2id + ", golang.org/x/crypto", workers: 1, hashes: 1, open: xArgon2id})
		}
	}
	slices.SortStableFunc(others.ways, func(a, b *way) int { // argon2id is the base
		return strings.Compare(fmt.Sprint(!strings.HasPrefix(a.name, argon2id)), fmt.Sprint(!strings.HasPrefix(b.name, argon2id)))
	})
	for _, g := range []group{bcrypts, others} {
		g.measure(r)
	}
}

// A group is ways that take turns.
type group struct {
	Name string
	ways []*way
}

// A way is one way to hash. A turn is one draw of each worker.
type way struct {
	name    string
	workers int
	hashes  int // that one draw makes
	open    func() (draw func() error, err error)

	draw     func() error
	err      error
	seconds  []float64 // elapsed time a hash
	core     []float64 // CPU time a hash
	quantity []float64 // hashes a second
	cores    []float64
}

// The rounds: ten make a run each.
const fullRounds, quickRounds = 10, 6

// measure has the ways take turns in random order, and adds the group.
func (g group) measure(r *lab.Run) {
	g.ways = slices.DeleteFunc(g.ways, func(w *way) bool { return w != g.ways[0] && !r.Wants(g.Name, w.name) })
	if len(g.ways) == 1 && !r.Wants(g.Name, g.ways[0].name) {
		return
	}
	rounds := fullRounds
	if r.Quick {
		rounds = quickRounds
	}
	if r.Count > 0 {
		rounds = r.Count
	}
	for _, w := range g.ways {
		w.draw, w.err = w.open()
		if w.err == nil {
			w.err = w.draw() // once to warm up
		}
	}
	for round := range rounds {
		for _, i := range rand.Perm(len(g.ways)) {
			if r.Over() {
				break
			}
			r.Show("%s, round %d of %d", g.ways[i].name, round+1, rounds)
			g.ways[i].turn()
		}
	}
	result := lab.Group{Name: g.Name, Procs: runtime.GOMAXPROCS(0), Columns: []lab.Column{
		{Name: "a hash", Unit: "sec/op", Judged: true, Clock: true}, {Name: "core time", Unit: "core-sec/op", Judged: true}, {Name: "hashes a second", Unit: "op/s"}, {Name: "cores", Unit: "cores"},
	}}
	for _, w := range g.ways {
		result.Rows = append(result.Rows, w.row())
		if f := lab.Of(w.cores...); f != nil { // nobody waits while he hashes
			share := f.Value / float64(min(w.workers, runtime.GOMAXPROCS(0)))
			if result.Share == 0 || share < result.Share {
				result.Share = share
			}
		}
	}
	r.Add(result)
}

// turn has all workers draw once.
func (w *way) turn() {
	if w.err != nil {
		return
	}
	errs := make([]error, w.workers)
	start, before := time.Now(), cpu()
	var ended sync.WaitGroup
	for k := range errs {
		ended.Go(func() { errs[k] = w.draw() })
	}
	ended.Wait()
	elapsed, used, n := time.Since(start).Seconds(), (cpu() - before).Seconds(), float64(w.workers*w.hashes)
	for _, err := range errs {
		if err != nil {
			w.err = err
			return
		}
	}
	w.seconds, w.core = append(w.seconds, elapsed/n), append(w.core, used/n)
	w.quantity, w.cores = append(w.quantity, n/elapsed), append(w.cores, used/elapsed)
}

func cpu() time.Duration {
	if measure.ProcessCPU == nil {
		return 0
	}
	return measure.ProcessCPU()
}

func (w *way) row() lab.Row {
	if w.err != nil {
		return lab.Row{Name: w.name, Error: w.err.Error()}
	}
	row := lab.Row{Name: w.name, Figures: []*lab.Figure{lab.Of(w.seconds...), lab.Of(w.core...), lab.Of(w.quantity...), lab.Of(w.cores...)}}
	if measure.ProcessCPU == nil {
		row.Figures[1], row.Figures[3] = nil, nil
	}
	return row
}

// xBcrypt is golang.org/x/crypto's, as in the post.
func xBcrypt() (func() error, error) {
	hash, err := bcrypt.GenerateFromPassword([]byte(secret), cost)
	return func() error { return bcrypt.CompareHashAndPassword(hash, []byte(secret)) }, err
}

// lanes is k bcrypts side by side on one goroutine.
func lanes(k int) func() error {
	engine := blowfish.New()
	work := make([]*blowfish.Lane, k)
	for i := range work {
		work[i] = &blowfish.Lane{Key: fmt.Appendf(nil, "password %d\x00", i)}
		work[i].Salt[0] = byte(i)
	}
	return func() error {
		engine.Run(cost, work)
		return nil
	}
}

const argon2id = "argon2id"

// hashed is a policy with a hash by it.
func hashed(policy string) (password.Policy, string, error) {
	p, err := policytext.Parse(policy)
	if err != nil {
		return p, "", err
	}
	encoded, err := password.Hash(p, []byte(secret))
	return p, encoded, err
}

// verify is fount's way, one after the other.
func verify(policy string) (func() error, error) {
	p, encoded, err := hashed(policy)
	return func() error {
		_, err := password.Verify(p, []byte(secret), encoded)
		return err
	}, err
}

// inPool is verify in a pool, which the caller closes.
func inPool(pool **password.Pool) (func() error, error) {
	p, encoded, err := hashed(argon2id)
	if err != nil {
		return nil, err
	}
	*pool, err = password.NewPool(password.Options{Policy: p, MaxWait: time.Hour})
	return func() error {
		_, err := (*pool).Verify(context.Background(), password.Login{Principal: "one"}, []byte(secret), encoded)
		return err
	}, err
}

func xArgon2id() (func() error, error) {
	p, _, err := hashed(argon2id)
	return func() error {
		argon2.IDKey([]byte(secret), []byte("sixteen bytes of"), uint32(p.Iterations), uint32(p.Memory), uint8(p.Parallelism), 32)
		return nil
	}, err
}
