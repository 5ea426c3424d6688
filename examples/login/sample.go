// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// What the pool is told of stored hashes.

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"fount/password"
)

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

// sample returns one of the stored hashes for each work, that of the most first, without those that would be beyond mostSamples or mostTime,
// or that a pool refuses.
func sample(policy password.Policy, hashes iter.Seq[string]) (samples []string) {
	first, count, took := map[work]string{}, map[string]int{}, map[string]time.Duration{}
	for hash := range hashes {
		info, err := policy.Inspect(hash)
		if err != nil || policy.Check(hash) != nil {
			continue // a sign-in will say so
		}
		w := workOf(info)
		if first[w] == "" {
			first[w], took[hash] = hash, info.Time
		}
		count[first[w]]++
	}
	frequent := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], strings.Compare(a, b))
	})
	left := mostTime
	for _, hash := range frequent {
		if len(samples) < mostSamples && took[hash] <= left && taken(policy, hash) {
			samples, left = append(samples, hash), left-took[hash]
		}
	}
	return samples
}

// taken reports whether a pool takes the sample: not if a hash like it takes too long for the longest password.
func taken(policy password.Policy, sample string) bool {
	policy.Algorithm, policy.Cost = password.Bcrypt, 4 // a pool begins with a hash
	pool, err := password.NewPool(password.Options{Policy: policy, Stored: []string{sample}})
	return err == nil && pool.Close(context.Background()) == nil
}
