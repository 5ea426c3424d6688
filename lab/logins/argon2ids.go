// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// One argon2id, by fount and by others.

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"fount/internal/policytext"
	"fount/password"

	"golang.org/x/crypto/argon2"
)

// Ends of the labels of ways to compute argon2id.
const (
	InPool    = "-pool"
	ByXCrypto = "-xcrypto"
)

// secret is the password of every job.
const secret = "correct horse battery staple"

// Argon2ids are the ways to compute one argon2id.
type Argon2ids struct {
	Policy password.Policy
	pool   *password.Pool
}

// NewArgon2ids are those with the parameters of s, as in "m=65536,t=3,p=4"; "" stands for OWASP's.
func NewArgon2ids(s string) (*Argon2ids, error) {
	p, err := policytext.Parse(strings.TrimSuffix(Argon2id+","+s, ","))
	if err != nil {
		return nil, err
	}
	pool, err := password.NewPool(password.Options{
		Policy: p, MaxWait: time.Hour, NoRehash: true, Logger: slog.New(slog.DiscardHandler),
	})
	return &Argon2ids{Policy: p, pool: pool}, err
}

// Close ends the pool.
func (a *Argon2ids) Close() { a.pool.Close(context.Background()) }

// Hashings are password.Verify, the same in a Pool, which keeps its memory, and x/crypto's.
func (a *Argon2ids) Hashings() []Hashing {
	one := func(label string, open func() (func() error, error)) Hashing {
		return Hashing{Label: Argon2id + label, Workers: 1, Hashes: 1, open: open}
	}
	return []Hashing{one("", a.verify), one(InPool, a.verifyInPool), one(ByXCrypto, a.byXCrypto)}
}

// job is a password with its hash.
func (a *Argon2ids) job() (*Job, error) {
	j := &Job{Policy: a.Policy, Password: []byte(secret)}
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
	p := a.Policy
	return func() error {
		argon2.IDKey([]byte(secret), []byte("sixteen bytes of"), uint32(p.Iterations), uint32(p.Memory), uint8(p.Parallelism), 32)
		return nil
	}, nil
}
