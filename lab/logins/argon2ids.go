// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// One argon2id, by fount and by others.

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fount/internal/policytext"
	"fount/lab/clib"
	"fount/lab/measure"
	"fount/password"

	"golang.org/x/crypto/argon2"
)

// Ends of the labels of ways to compute argon2id.
const (
	InPool    = "-pool"
	ByXCrypto = "-xcrypto"
	Kept      = "-kept" // a C library whose memory one hash leaves to the next
)

// Argon2ids are the ways to compute one argon2id. Close ends what measuring them started.
type Argon2ids struct {
	Policy password.Policy
	Files  []string // builds of libargon2, beside those that are installed

	pool *password.Pool

	start sync.Once
	c     *clib.Process
	err   error // of its start
}

// NewArgon2ids are those with the parameters of s, as in "m=65536,t=3,p=4"; "" stands for OWASP's.
func NewArgon2ids(s string, files []string) (*Argon2ids, error) {
	p, err := policytext.Parse(strings.TrimSuffix(Argon2id+","+s, ","))
	if err != nil {
		return nil, err
	}
	pool, err := password.NewPool(password.Options{
		Policy: p, MaxWait: time.Hour, NoRehash: true, Logger: slog.New(slog.DiscardHandler),
	})
	return &Argon2ids{Policy: p, Files: files, pool: pool}, err
}

// Libraries are the C libraries that were found, nil as long as none was measured.
func (a *Argon2ids) Libraries() []clib.Library {
	if a.c == nil {
		return nil
	}
	return a.c.Libraries()
}

// Close ends the C libraries' process and the pool.
func (a *Argon2ids) Close() {
	if a.c != nil {
		a.c.Close()
	}
	a.pool.Close(context.Background())
}

// Hashings are password.Verify, the same in a Pool, which keeps its memory, x/crypto's, and the C libraries'.
func (a *Argon2ids) Hashings() []Hashing {
	one := func(label string, open func() (func() error, error)) Hashing {
		return Hashing{Label: Argon2id + label, Workers: 1, Hashes: 1, open: open}
	}
	all := []Hashing{one("", a.verify), one(InPool, a.verifyInPool), one(ByXCrypto, a.byXCrypto)}
	for _, name := range append(clib.Names[:len(clib.Names):len(clib.Names)], a.Files...) {
		label := LibraryLabel(name)
		all = append(all, a.byC(label, name, false))
		if clib.Keeps(name) {
			all = append(all, a.byC(label+Kept, name, true))
		}
	}
	return all
}

// LibraryLabel is the label of argon2id by a C library, given its name or file.
func LibraryLabel(name string) string {
	return Argon2id + "-" + strings.ReplaceAll(filepath.Base(name), " ", "_")
}

// job is a password with its hash.
func (a *Argon2ids) job() (*Job, error) {
	j := &Job{Policy: a.Policy, Password: []byte(clib.Password)}
	var err error
	j.Encoded, err = password.Hash(a.Policy, j.Password)
	return j, err
}

func (a *Argon2ids) verify() (func() error, error) {
	j, err := a.job()
	return j.Compare, err
}

func (a *Argon2ids) verifyInPool() (func() error, error) {
	j, err := a.job()
	return func() error {
		_, err := a.pool.Verify(context.Background(), password.Login{Principal: "one"}, j.Password, j.Encoded)
		return err
	}, err
}

func (a *Argon2ids) byXCrypto() (func() error, error) {
	return func() error { a.sum(); return nil }, nil
}

// sum is the tag by x/crypto.
func (a *Argon2ids) sum() []byte {
	p := a.Policy
	return argon2.IDKey([]byte(clib.Password), []byte(clib.Salt), uint32(p.Iterations), uint32(p.Memory), uint8(p.Parallelism), clib.TagSize)
}

// byC is a C library in its process. Its first hash of a turn, which finds its memory untouched, does not count.
func (a *Argon2ids) byC(label, name string, keep bool) Hashing {
	tag := sync.OnceValue(a.sum)
	return Hashing{Label: label, Workers: 1, Hashes: 1, away: func(p measure.Plan) (measure.Run, error) {
		a.start.Do(func() { a.c, a.err = clib.Start(a.Files...) })
		if a.err != nil {
			return measure.Run{}, a.err
		}
		params := clib.Params{Memory: a.Policy.Memory, Iterations: a.Policy.Iterations, Parallelism: a.Policy.Parallelism}
		if _, err := a.c.Argon2id(name, params, keep, 1, 0); err != nil {
			return measure.Run{}, err
		}
		least := p.Turn
		if p.Values > 0 {
			least = 0
		}
		run, err := a.c.Argon2id(name, params, keep, p.Values, least)
		if err == nil && !bytes.Equal(run.Tag, tag()) {
			err = fmt.Errorf("its hash is %x, x/crypto's %x", run.Tag, tag())
		}
		return measure.Run{Values: run.Hashes, Elapsed: run.Elapsed, CPU: run.CPU}, err
	}}
}
