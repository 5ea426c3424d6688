// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package survey counts the hashes of a store by form and cost, and says what taking the store over
// costs. It changes no store. Neither its results nor its errors hold a part of a hash, a password
// or a user's name.
package survey

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fount/cmd/internal/policytext"
	"fount/internal/hashfile"
	"fount/password"
)

// A Survey counts stored strings, in bounded memory. It must not be used by several goroutines.
type Survey struct {
	policy    password.Policy
	report    Report
	kinds     map[kindKey]*Kind
	costs     map[string]int // kinds of an algorithm
	refusals  refusals
	unwrapped refusals
	verdicts  map[verdictKey]verdict
}

// New returns a Survey for a service that will have the policy, with its Formats and Limits.
func New(policy password.Policy) *Survey {
	policy.Markers = true
	return &Survey{
		policy:    policy,
		kinds:     make(map[kindKey]*Kind),
		costs:     make(map[string]int),
		refusals:  make(refusals),
		unwrapped: make(refusals),
		verdicts:  make(map[verdictKey]verdict),
	}
}

// A Kind counts the hashes of one form and cost.
type Kind struct {
	Name string `json:"name"` // a policy, or an algorithm and its cost
	Scheme
	Count    int64   `json:"count"`
	Weak     int64   `json:"weak"`                // of these, those that fount password wrap takes
	WrapForm string  `json:"wrap_form,omitempty"` // by which fount password wrap takes these
	Upgrade  int64   `json:"upgrade"`             // of these, those that a login replaces
	MS       float64 `json:"ms"`                  // of one core, for a password of 12 bytes; 0: not measured
	Memory   int64   `json:"memory_bytes"`
	Covered  bool    `json:"covered"` // by password.Sample: the time of a wrong password reveals no user

	sample string // the first
}

// A Scheme is how hashes are made and stored, apart from their costs.
type Scheme struct {
	Algorithm string `json:"algorithm"`
	Form      string `json:"form,omitempty"`    // of another maker, in which it is stored
	PreHash   string `json:"prehash,omitempty"` // what the password becomes before
	Unsalted  bool   `json:"unsalted"`

	others bool // all of the algorithm above mostCosts
}

// A kindKey has all by which hashes are of one kind.
type kindKey struct {
	Scheme
	policy  password.Policy // algorithm and costs; zero for a Format's
	digests int             // of a PBKDF2's sum: each takes all iterations
	cost    int             // of what a Format computes
}

// mostCosts bounds the kinds of an algorithm that are counted apart. A store has a handful, and who
// can write to it may plant a new cost in each line.
const mostCosts = 64

func keyOf(i password.Info, encoded string) kindKey {
	algorithm, unsalted := Describe(i, encoded)
	scheme := Scheme{Algorithm: algorithm, Form: i.Form, PreHash: i.PreHash, Unsalted: unsalted}
	k := kindKey{Scheme: scheme, cost: i.Cost}

	switch {
	case i.Wraps != "":
		k.cost = i.Memory * i.Iterations
	case i.Algorithm != password.Foreign:
		k.digests = i.Digests
		k.policy = password.Policy{
			Algorithm:   i.Algorithm,
			Cost:        i.Cost,
			Memory:      i.Memory,
			Iterations:  i.Iterations,
			BlockSize:   i.BlockSize,
			Parallelism: i.Parallelism,
		}
	}
	return k
}

func (k kindKey) name() string {
	switch {
	case k.others:
		return k.Algorithm + ", others"
	case k.policy != password.Policy{} && k.digests > 1:
		return fmt.Sprintf("%s (%d digests)", policytext.Of(k.policy), k.digests)
	case k.policy != password.Policy{}:
		return policytext.Of(k.policy)
	case k.cost > 0:
		return fmt.Sprintf("%s,%d", k.Algorithm, k.cost)
	}
	return k.Algorithm
}

// Add counts a line of a file, or a row of a CSV file.
func (s *Survey) Add(l hashfile.Line) {
	s.report.Lines++
	switch {
	case l.Locked:
		s.report.Locked++
		if _, err := IsWeak(s.policy, l.Hash); err != nil { // no hash after the marker is no error
			s.unwrapped.add(l.Number, reason(err))
		}
		return
	case l.Hash == "":
		s.report.Blank++
		return
	}

	info, err := s.policy.Inspect(l.Hash)
	if err == nil {
		err = s.policy.Check(l.Hash) // limits, and a key
	}
	if err = cmp.Or(l.Err, err); err != nil {
		s.refusals.add(l.Number, reason(err))
		return
	}

	k := s.kindOf(keyOf(info, l.Hash))
	if k.Count == 0 {
		k.sample = strings.Clone(l.Hash)
	}
	k.Count++
	k.Memory = max(k.Memory, info.Bytes)
	if password.NeedsRehash(s.policy, l.Hash) {
		k.Upgrade++
	}

	switch v := s.verdictOf(k, l.Hash); {
	case v.err != nil:
		s.unwrapped.add(l.Number, reason(v.err))
	case v.weak:
		k.Weak++
		k.WrapForm = RowOf(s.policy, l.Hash).Form
	}
}

// kindOf returns the kind of a key, or, of an algorithm with too many, the one of all others.
func (s *Survey) kindOf(k kindKey) *Kind {
	if s.kinds[k] == nil && s.costs[k.Algorithm] >= mostCosts {
		k = kindKey{Scheme: Scheme{Algorithm: k.Algorithm, others: true}}
	}
	if s.kinds[k] == nil {
		s.costs[k.Algorithm]++
		s.kinds[k] = &Kind{Name: k.name(), Scheme: k.Scheme}
	}
	return s.kinds[k]
}

// A Refusal has a reason to refuse hashes, and the lines of these hashes.
type Refusal struct {
	Reason string  `json:"reason"`
	Count  int64   `json:"count"`
	Lines  []int64 `json:"lines"` // the first of them
}

// refusals are by their reasons, which are few: the errors of package password.
type refusals map[string]*Refusal

// maxLines is how many lines a Refusal names.
const maxLines = 5

func (r refusals) add(n int64, why string) {
	one := r[why]
	if one == nil {
		one = &Refusal{Reason: why}
		r[why] = one
	}

	one.Count++
	if len(one.Lines) < maxLines {
		one.Lines = append(one.Lines, n)
	}
}

// sorted returns the refusals, the most frequent first, and the number of all refused hashes.
func (r refusals) sorted() (all []*Refusal, n int64) {
	all = slices.SortedFunc(maps.Values(r), func(a, b *Refusal) int {
		return cmp.Or(-cmp.Compare(a.Count, b.Count), strings.Compare(a.Reason, b.Reason))
	})
	for _, one := range all {
		n += one.Count
	}
	return append([]*Refusal{}, all...), n
}

// reason returns the error without the numbers and names that differ from hash to hash.
func reason(err error) string {
	text := strings.TrimPrefix(err.Error(), "password: ")
	switch {
	case errors.Is(err, password.ErrKey):
		return "unknown key: a pool without the KeyRing that has it refuses them"
	case errors.Is(err, password.ErrCost):
		for _, number := range []string{" is ", " takes ", " needs "} {
			text, _, _ = strings.Cut(text, number)
		}
		text = strings.TrimSuffix(text, ",")
	}
	return text
}
