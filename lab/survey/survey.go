// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package survey counts what a store of password hashes is made of, and says what it costs to take over: each form and
// cost, what would be refused, the time of a login, how long an upgrade by logins takes. It changes no store, and
// nothing that it returns, an error neither, holds a part of a hash, a password or a user's name.
package survey

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"fount/internal/policytext"
	"fount/password"
)

// A Survey counts stored strings. Its memory is bounded, whatever is stored: it keeps a number for each kind, and one
// string to time. It is used by one goroutine.
type Survey struct {
	policy   password.Policy
	lines    int64
	blank    int64
	locked   int64
	kinds    map[kind]*tally
	distinct map[family]int // kinds of it
	refusals map[string]*Refusal
}

// New returns a Survey of a store whose service will have the policy, with its Formats and Limits.
func New(policy password.Policy) *Survey {
	policy.Markers = true
	return &Survey{policy: policy, kinds: map[kind]*tally{}, distinct: map[family]int{}, refusals: map[string]*Refusal{}}
}

// mostCosts bounds the kinds that are counted apart. A store has a handful, and who can write to it may plant a new cost
// in each line. The bound is each family's own, so that such costs of one hide none of another.
const mostCosts = 64

// A family is what has costs: a form of another maker, "" for none, an algorithm, and what it makes of the password before.
type family struct {
	form, prehash string
	algorithm     password.Algorithm
}

// A kind is all hashes of one cost.
type kind struct {
	family
	policy  password.Policy // algorithm and costs alone; zero for what a Format computes
	digests int             // of a PBKDF2's sum, if more than the one that a policy makes
	cost    int             // of what a Format computes
	work    int             // which of those that the cost does not tell apart, from 0
	others  bool            // all kinds of the family above mostCosts
}

// sampled reports whether a pool knows the kind by one of Options.Samples, as no policy makes it.
func (k kind) sampled() bool { return k.algorithm == password.Foreign || k.digests > 1 }

// name is the kind's in tables.
func (k kind) name() string {
	switch {
	case k.algorithm == password.Foreign && k.others:
		return k.form + ", others"
	case k.others:
		return k.algorithm.String() + ", others"
	case k.algorithm == password.Foreign && k.work > 0:
		return fmt.Sprintf("%s,%d (%d)", k.form, k.cost, k.work+1)
	case k.algorithm == password.Foreign:
		return fmt.Sprintf("%s,%d", k.form, k.cost)
	case k.digests > 1:
		return fmt.Sprintf("%s (%d digests)", policytext.Of(k.policy), k.digests)
	}
	return policytext.Of(k.policy)
}

// A tally is what was counted of one kind.
type tally struct {
	count, upgrade int64
	memory         int64            // the most
	reference      float64          // ms on the machine of which password.Limits speaks, all together
	times          [2]time.Duration // there, of the sample: password.Info's
	sample         string           // the first
	ms             float64          // of one, on this machine
	measured       bool             // or estimated
	weak           bool             // password.Wrap takes it
}

// isWeak reports whether password.Wrap takes the string, by an argon2id that takes no time.
func (s *Survey) isWeak(encoded string) bool {
	p := password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1, Parallelism: 1, Formats: s.policy.Formats, Limits: s.policy.Limits}
	_, err := password.Wrap(p, encoded)
	return err == nil
}

// kindOf is the kind of a hash.
func kindOf(i password.Info) kind {
	k := kind{family: family{i.Form, i.PreHash, i.Algorithm}}
	switch {
	case i.Wraps != "": // as a pool counts it
		return kind{family: family{form: "wrapped-" + i.Wraps, algorithm: password.Foreign}, cost: i.Memory * i.Iterations}
	case i.Algorithm == password.Foreign:
		k.cost = i.Cost
		return k
	}
	k.policy = password.Policy{
		Algorithm: i.Algorithm, Cost: i.Cost, Memory: i.Memory, Iterations: i.Iterations, BlockSize: i.BlockSize, Parallelism: i.Parallelism,
	}
	if i.Digests > 1 {
		k.digests = i.Digests
	}
	return k
}

// A verdict is what becomes of one stored string.
type verdict struct {
	encoded string
	info    password.Info
	locked  bool
	none    bool // a name's line has no hash
	err     error
}

// judge says what a pool with the policy would do with the string.
func (s *Survey) judge(encoded string) verdict {
	info, err := s.policy.Inspect(encoded)
	if err == nil {
		err = s.policy.Check(encoded) // limits, and a key
	} else if encoded != "" && (encoded[0] == '!' || encoded[0] == '*') {
		return verdict{locked: true}
	}
	return verdict{encoded: encoded, info: info, err: err}
}

// unreadable reports whether nothing is known of the string but that it is no hash.
func (v verdict) unreadable() bool { return errors.Is(v.err, password.ErrMalformed) }

// Add counts the stored string of row n, the first of which is 1.
func (s *Survey) Add(n int64, encoded string) {
	s.lines++
	s.add(n, s.judge(encoded))
}

// AddNone counts a row that has no string, as a blank line of a file or a name without a hash.
func (s *Survey) AddNone() {
	s.lines++
	s.blank++
}

func (s *Survey) add(n int64, v verdict) {
	switch {
	case v.locked:
		s.locked++
		return
	case v.err != nil:
		s.refuse(n, reason(v.err))
		return
	}
	k := s.workOf(kindOf(v.info), v.info.Times)
	t := s.kinds[k]
	if t == nil {
		if s.distinct[k.family] >= mostCosts {
			k = kind{family: k.family, others: true}
		} else {
			s.distinct[k.family]++
		}
		if t = s.kinds[k]; t == nil {
			t = &tally{sample: strings.Clone(v.encoded), times: v.info.Times, weak: s.isWeak(v.encoded)}
			s.kinds[k] = t
		}
	}
	t.count++
	t.reference += v.info.Time.Seconds() * 1000
	t.memory = max(t.memory, v.info.Bytes)
	if password.NeedsRehash(s.policy, v.encoded) {
		t.upgrade++
	}
}

// workOf tells works of one form and cost apart by their times, as a pool does: LDAP's {CRYPT} has MD5-crypt and SHA-512-crypt
// of 1000 rounds, Drupal's $S$ and U$S$ differ for long passwords, and a wrapped hash has any cost inside.
func (s *Survey) workOf(k kind, times [2]time.Duration) kind {
	if k.algorithm != password.Foreign {
		return k
	}
	for t := s.kinds[k]; t != nil && !(near(t.times[0], times[0]) && near(t.times[1], times[1])); t = s.kinds[k] {
		k.work++
	}
	return k
}

// near reports whether two times differ by no more than another length of the salt makes of them, a fifth.
func near(a, b time.Duration) bool { return max(a, b)/6 <= min(a, b)/5 }

// A Refusal is why hashes would not be verified, and which lines they are in.
type Refusal struct {
	Reason string  `json:"reason"`
	Count  int64   `json:"count"`
	Lines  []int64 `json:"lines"` // the first of them; for a database its rows, from 1
}

const (
	mostReasons = 64
	mostLines   = 5
	otherReason = "other reasons"
)

func (s *Survey) refuse(n int64, why string) {
	r := s.refusals[why]
	if r == nil {
		if len(s.refusals) >= mostReasons {
			why = otherReason
		}
		if r = s.refusals[why]; r == nil {
			r = &Refusal{Reason: why}
			s.refusals[why] = r
		}
	}
	r.Count++
	if len(r.Lines) < mostLines {
		r.Lines = append(r.Lines, n)
	}
}

// reason is the error without the numbers and names that differ from hash to hash.
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
