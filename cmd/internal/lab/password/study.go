// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package password measures what a password hash costs. It has the benchmarks of the bcrypt load post
// (one hash after the other, and many at once), several bcrypts at once on a core, and other
// algorithms.
package password

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/measure"
	"fount/cmd/internal/policytext"
	"fount/internal/blowfish"
	"fount/password"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
)

// Study is fount bench password.
var Study = lab.Study{
	Name: "password", About: "one bcrypt, many at once, several on one core, and other hashes",
	Time: 55 * time.Second, Run: run,
	Headline: &lab.Headline{
		Asks:  "How many bcrypts does a core make?",
		Group: bcryptTable, Unit: coreTime, Row: lanesRow(5), Tells: lab.TellFewer,
		Says:   "as many where fount's pool hashes five at once on a core",
		Charts: "core time of a hash",
		Bars: []lab.Bar{
			{Row: serial, Label: "golang.org/x/crypto"},
			{Row: lanesRow(1), Label: "fount, one at a time"},
			{Row: lanesRow(5), Label: "fount, five at once"},
		},
	},
}

// Names of a table, a row and a unit.
const (
	bcryptTable = "A bcrypt of cost"
	serial      = "serial"
	coreTime    = "core-sec/op"
)

func lanesRow(k int) string { return fmt.Sprintf("lanes on one core: %d", k) }

const (
	cost   = 10 // of the post
	secret = "correct horse battery staple"
)

func run(r *lab.Run) {
	bcrypts(r)
	others(r)
}

// bcrypts adds the post's benchmarks, and several bcrypts at once on a core.
func bcrypts(r *lab.Run) {
	ways := []way{
		{name: serial, open: xBcrypt},                       // the base
		{name: "32 goroutines", workers: 32, open: xBcrypt}, // as many as possible
		{name: "a goroutine a core", workers: runtime.GOMAXPROCS(0), open: xBcrypt},
	}
	for k := 1; k <= blowfish.MaxLanes; k++ {
		ways = append(ways, way{name: lanesRow(k), hashes: k, open: lanes(k)})
	}
	add(r, fmt.Sprint(bcryptTable, " ", cost), ways)
}

// others adds the other algorithms.
func others(r *lab.Run) {
	var inPool pooled
	defer inPool.close()

	ways := []way{
		{name: argon2id, open: verify(argon2id)}, // the base
		{name: argon2id + ", in a Pool, which keeps its memory", open: inPool.verify},
		{name: argon2id + ", golang.org/x/crypto", open: xArgon2id},
	}
	for _, policy := range policytext.Names {
		if policy != argon2id {
			ways = append(ways, way{name: policy, open: verify(policy)})
		}
	}
	add(r, "A hash by OWASP's parameters, one after the other", ways)
}

// A way is a way to hash. In a turn each of its workers draws once.
type way struct {
	name    string
	workers int // 1 if 0
	hashes  int // of a draw, 1 if 0
	open    opener
}

// An opener makes what hashes.
type opener func() (draw func() error, err error)

// add has ways take turns.
func add(r *lab.Run, name string, ways []way) {
	g := lab.Group{Name: name, Procs: runtime.GOMAXPROCS(0), Columns: []lab.Column{
		{Name: "core time", Unit: coreTime, Judged: true},
		{Name: "elapsed", Unit: "sec/op"},
		{Name: "cores", Unit: "cores"},
	}}

	var list []lab.Way
	for _, w := range ways {
		opened := sync.OnceValues(w.warm)
		list = append(list, lab.Way{Row: lab.Row{Name: w.name}, Turn: func(int) ([]float64, error) {
			draw, err := opened()
			if err != nil {
				return nil, err
			}
			return turn(max(1, w.workers), max(1, w.hashes), draw)
		}})
	}
	r.Turns(g, lab.Rounds, list)
}

// warm opens the way and draws once.
func (w way) warm() (func() error, error) {
	draw, err := w.open()
	if err == nil {
		err = draw()
	}
	return draw, err
}

// turn returns the columns' figures of a hash.
func turn(workers, hashes int, draw func() error) ([]float64, error) {
	errs := make([]error, workers)
	start := time.Now()
	before := measure.CPUSeconds() // x/crypto's argon2 computes on other threads

	var ended sync.WaitGroup
	for k := range errs {
		ended.Go(func() { errs[k] = draw() })
	}
	ended.Wait()

	elapsed := time.Since(start).Seconds()
	used := measure.CPUSeconds() - before
	n := float64(workers * hashes)
	return []float64{used / n, elapsed / n, used / elapsed}, errors.Join(errs...)
}

// xBcrypt hashes by golang.org/x/crypto/bcrypt, as in the post.
func xBcrypt() (func() error, error) {
	hash, err := bcrypt.GenerateFromPassword([]byte(secret), cost)
	return func() error { return bcrypt.CompareHashAndPassword(hash, []byte(secret)) }, err
}

// lanes computes k bcrypts at once on one goroutine.
func lanes(k int) opener {
	engine := new(blowfish.Engine)
	work := make([]*blowfish.Lane, k)
	for i := range work {
		work[i] = &blowfish.Lane{Key: fmt.Appendf(nil, "password %d\x00", i)}
		work[i].Salt[0] = byte(i)
	}

	draw := func() error {
		engine.Run(cost, work)
		return nil
	}
	return func() (func() error, error) { return draw, nil }
}

const argon2id = "argon2id"

// hashed is a policy and a hash of it.
func hashed(policy string) (password.Policy, string, error) {
	p, err := policytext.Parse(policy)
	if err != nil {
		return p, "", err
	}
	encoded, err := password.Hash(p, []byte(secret))
	return p, encoded, err
}

// verify is fount's way, one after the other.
func verify(policy string) opener {
	return func() (func() error, error) {
		p, encoded, err := hashed(policy)
		return func() error {
			_, err := password.Verify(p, []byte(secret), encoded)
			return err
		}, err
	}
}

// A pooled is verify in a Pool.
type pooled struct{ *password.Pool }

func (p *pooled) verify() (func() error, error) {
	policy, encoded, err := hashed(argon2id)
	if err != nil {
		return nil, err
	}

	p.Pool, err = password.NewPool(password.Options{Policy: policy, MaxWait: time.Hour})
	return func() error {
		_, err := p.Verify(context.Background(), password.Login{Principal: "one"}, []byte(secret), encoded)
		return err
	}, err
}

func (p *pooled) close() {
	if p.Pool != nil {
		p.Close(context.Background())
	}
}

func xArgon2id() (func() error, error) {
	p, _, err := hashed(argon2id)
	return func() error {
		argon2.IDKey([]byte(secret), []byte("sixteen bytes of"), uint32(p.Iterations), uint32(p.Memory), uint8(p.Parallelism), 32)
		return nil
	}, err
}
