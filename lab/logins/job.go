// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// One password, and the hash it is compared with.

import (
	"fmt"

	"fount/internal/policytext"
	"fount/password"

	"golang.org/x/crypto/bcrypt"
)

const secret = "correct horse battery staple"

// A Job is one password and a stored hash that it matches. Any number of goroutines may compare at once.
type Job struct {
	Policy   password.Policy
	Password []byte
	Encoded  string
}

// NewJob makes the hash, which takes as long as one compare. A cost other than 0 replaces that of a bcrypt policy.
func NewJob(policy string, cost int) (*Job, error) {
	p, err := policytext.Parse(policy)
	if err != nil {
		return nil, err
	}
	if cost != 0 && p.Algorithm == password.Bcrypt {
		p.Cost = cost
	}
	j := &Job{Policy: p, Password: []byte(secret)}
	if j.Encoded, err = password.Hash(p, j.Password); err != nil {
		return nil, fmt.Errorf("hash by %s: %w", policy, err)
	}
	return j, nil
}

// Compare checks once, on this goroutine. x/crypto computes a bcrypt, as in the post.
func (j *Job) Compare() error {
	if j.Policy.Algorithm == password.Bcrypt {
		return bcrypt.CompareHashAndPassword([]byte(j.Encoded), j.Password)
	}
	_, err := password.Verify(j.Policy, j.Password, j.Encoded)
	return err
}
