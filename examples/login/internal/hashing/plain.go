// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package hashing

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"

	"fount"
	"fount/password"
)

// A plain hasher calls golang.org/x/crypto.
type plain struct {
	policy  password.Policy
	unknown string        // the hash of a user who does not exist
	places  chan struct{} // of all that hash or wait; nil: no limit
	turns   chan struct{} // nil: no semaphore
}

func (p *plain) Ready(context.Context, password.Login) error { return nil }
func (p *plain) Close(context.Context) error                 { return nil }

// begin takes a place and waits for a turn, and returns a function that ends both.
func (p *plain) begin(ctx context.Context) (end func(), err error) {
	if p.places != nil {
		select {
		case p.places <- struct{}{}:
		default:
			return nil, password.OverloadedError{After: time.Second}
		}
	}
	if p.turns != nil {
		select {
		case p.turns <- struct{}{}:
		case <-ctx.Done():
			leave(p.places)
			return nil, ctx.Err()
		}
	}
	return func() { leave(p.turns); leave(p.places) }, nil
}

func leave(c chan struct{}) {
	if c != nil {
		<-c
	}
}

func (p *plain) Verify(ctx context.Context, _ password.Login, given []byte, stored string) (password.Result, error) {
	end, err := p.begin(ctx)
	if err != nil {
		return password.Result{}, err
	}
	defer end()
	if stored == "" {
		if err := p.compare(given, p.unknown); err != nil {
			return password.Result{}, err
		}
		return password.Result{}, password.ErrMismatch
	}
	if err := p.compare(given, stored); err != nil {
		return password.Result{}, err
	}
	return password.Result{NeedsRehash: password.NeedsRehash(p.policy, stored)}, nil
}

// compare knows bcrypt and argon2id; what else was imported is left to package password.
func (p *plain) compare(given []byte, stored string) error {
	switch {
	case strings.HasPrefix(stored, "$2") && !strings.HasPrefix(stored, "$2x$"): // whose bug x/crypto does not have
		err := bcrypt.CompareHashAndPassword([]byte(stored), given)
		if errors.Is(err, bcrypt.ErrMismatchedHashAndPassword) {
			return password.ErrMismatch
		}
		return err
	case strings.HasPrefix(stored, "$argon2id$"):
		return compareArgon2id(given, stored)
	}
	_, err := password.Verify(p.policy, given, stored)
	return err
}

func compareArgon2id(given []byte, stored string) error {
	part := strings.Split(stored, "$")
	if len(part) != 6 {
		return password.ErrMalformed
	}
	var m, t uint32
	var lanes uint8
	_, err := fmt.Sscanf(part[3], "m=%d,t=%d,p=%d", &m, &t, &lanes)
	salt, saltErr := base64.RawStdEncoding.DecodeString(part[4])
	sum, sumErr := base64.RawStdEncoding.DecodeString(part[5])
	if errors.Join(err, saltErr, sumErr) != nil {
		return password.ErrMalformed
	}
	if subtle.ConstantTimeCompare(sum, argon2.IDKey(given, salt, t, m, lanes, uint32(len(sum)))) != 1 {
		return password.ErrMismatch
	}
	return nil
}

func (p *plain) Hash(ctx context.Context, _ password.Login, given []byte) (string, error) {
	end, err := p.begin(ctx)
	if err != nil {
		return "", err
	}
	defer end()
	switch p.policy.Algorithm {
	case password.Bcrypt:
		hash, err := bcrypt.GenerateFromPassword(given, p.policy.Cost)
		if errors.Is(err, bcrypt.ErrPasswordTooLong) {
			err = password.ErrTooLong
		}
		return string(hash), err
	case password.Argon2id:
		m, t, lanes := uint32(p.policy.Memory), uint32(p.policy.Iterations), uint8(max(p.policy.Parallelism, 1))
		salt := fount.Nonce()
		sum := argon2.IDKey(given, salt[:], t, m, lanes, 32)
		b64 := base64.RawStdEncoding.EncodeToString
		return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", m, t, lanes, b64(salt[:]), b64(sum)), nil
	}
	return password.Hash(p.policy, given)
}
