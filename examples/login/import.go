// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Users with the hashes of other systems.

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"fount/examples/login/internal/store"
	"fount/password"
	"fount/password/legacy"
)

// readUsers reads lines of an address, a comma and a hash, which may have commas too.
func readUsers(r io.Reader) (users []store.User, err error) {
	text := bufio.NewReader(r)
	if mark, _ := text.Peek(len(byteOrderMark)); string(mark) == byteOrderMark { // as Excel begins a file
		text.Discard(len(byteOrderMark))
	}
	lines := csv.NewReader(text)
	lines.FieldsPerRecord = -1
	lines.Comment = '#'
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return users, nil
		}
		if err != nil {
			return nil, err // it names the line
		}
		u, err := userOf(fields)
		if err != nil {
			line, _ := lines.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		users = append(users, u)
	}
}

const byteOrderMark = "\ufeff"

func userOf(fields []string) (store.User, error) {
	if len(fields) < 2 {
		return store.User{}, errors.New("want an address, a comma and a hash")
	}
	email, err := store.ParseEmail(fields[0])
	if err != nil {
		return store.User{}, err
	}
	hash := strings.TrimSpace(strings.Join(fields[1:], ","))
	if hash == "" || strings.ContainsAny(hash[:1], "!*") { // Django's unusable password, shadow's locked one
		return store.User{Email: email}, nil
	}
	return store.User{Email: email, Hash: hash}, password.Policy{Formats: legacy.All()}.Check(hash)
}

// withoutPassword counts who can't sign in before a new password is asked for.
func withoutPassword(users []store.User) (n int) {
	for _, u := range users {
		if u.Hash == "" {
			n++
		}
	}
	return n
}

// A work is what takes equally long for one password: a computation of package password's, or a form of another maker's with its cost.
type work struct {
	algorithm                                        password.Algorithm
	form                                             string // of password.Foreign, or what is wrapped; else the work does not depend on it
	cost, memory, iterations, blockSize, parallelism int
	digests                                          int              // of a PBKDF2's sum
	times                                            [2]time.Duration // of what a form computes, also inside of a wrapped hash, whose costs above are the outer ones
}

func workOf(i password.Info) work {
	w := work{
		algorithm: i.Algorithm, cost: i.Cost, memory: i.Memory, iterations: i.Iterations, blockSize: i.BlockSize, parallelism: i.Parallelism,
		digests: i.Digests, times: i.Times,
	}
	switch {
	case i.Wraps != "":
		w.form = i.Wraps
	case i.Algorithm == password.Foreign:
		w.form = i.Form
	}
	return w
}

// What a refusal takes is bounded: each unknown user takes all samples, and passlib's vary_rounds alone makes hundreds of costs. A pool refuses
// samples of more than 5 s.
const (
	mostSamples = 16
	mostTime    = 4 * time.Second // of password.Info's
)

// samplesOf returns one of the stored hashes for each work, that of the most first, without those that would be beyond mostSamples or mostTime,
// or that a pool refuses.
func samplesOf(hashes func(func(hash string) error) error, policy password.Policy) (samples []string, err error) {
	first, count, took := map[work]string{}, map[string]int{}, map[string]time.Duration{}
	err = hashes(func(hash string) error {
		info, err := policy.Inspect(hash)
		if err != nil || policy.Check(hash) != nil {
			return nil // a sign-in will say so
		}
		w := workOf(info)
		if first[w] == "" {
			first[w], took[hash] = hash, info.Time
		}
		count[first[w]]++
		return nil
	})
	frequent := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], strings.Compare(a, b))
	})
	left := mostTime
	for _, hash := range frequent {
		if len(samples) < mostSamples && took[hash] <= left && taken(policy, hash) {
			samples, left = append(samples, hash), left-took[hash]
		}
	}
	return samples, err
}

// taken reports whether a pool takes the sample: not if a hash like it takes too long for the longest password.
func taken(policy password.Policy, sample string) bool {
	policy.Algorithm, policy.Cost = password.Bcrypt, 4 // a pool begins with a hash
	pool, err := password.NewPool(password.Options{Policy: policy, Stored: []string{sample}})
	return err == nil && pool.Close(context.Background()) == nil
}
