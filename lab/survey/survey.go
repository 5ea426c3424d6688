// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package survey counts what a store of password hashes is made of, and says what it costs to take
// over. It changes no store, and nothing that it returns, errors neither, holds a part of a hash, a
// password or a user's name.
package survey

import (
	"errors"
	"fmt"
	"strings"

	"fount/internal/policytext"
	"fount/password"
)

// A Survey counts stored strings in bounded memory, whatever they are. One goroutine uses it.
type Survey struct {
	policy   password.Policy
	report   Report
	kinds    map[key]*Kind
	costs    map[string]int // kinds of an algorithm
	refusals map[string]*Refusal
}

// New returns a Survey of a store whose service will have the policy, with its Formats and Limits.
func New(policy password.Policy) *Survey {
	policy.Markers = true
	return &Survey{policy: policy, kinds: map[key]*Kind{}, costs: map[string]int{}, refusals: map[string]*Refusal{}}
}

// A Kind is all hashes of one form and cost.
type Kind struct {
	Name      string  `json:"name"` // a policy, or an algorithm and its cost
	Algorithm string  `json:"algorithm"`
	Form      string  `json:"form,omitempty"`    // of another maker, in which it is stored
	PreHash   string  `json:"prehash,omitempty"` // what the password becomes before
	Unsalted  bool    `json:"unsalted"`
	Weak      bool    `json:"weak"` // password.Wrap takes it
	Count     int64   `json:"count"`
	Upgrade   int64   `json:"upgrade"` // of these, those that a login replaces
	MS        float64 `json:"ms"`      // of one core, for a password of 12 bytes; 0: not measured
	Memory    int64   `json:"memory_bytes"`
	Covered   bool    `json:"covered"` // by password.Sample: the time of a wrong password reveals no user

	sample string // the first
	others bool   // it is of several costs
}

// A key is what makes two hashes the same kind.
type key struct {
	form, prehash, algorithm string
	unsalted                 bool
	policy                   password.Policy // algorithm and costs; zero for a Format's
	digests                  int             // of a PBKDF2's sum: each takes all iterations
	cost                     int             // of what a Format computes
	others                   bool            // all of the algorithm above mostCosts
}

// mostCosts bounds the kinds of an algorithm that are counted apart. A store has a handful, and who
// can write to it may plant a new cost in each line.
const mostCosts = 64

func keyOf(i password.Info, encoded string) key {
	algorithm, unsalted := Describe(i, encoded)
	k := key{form: i.Form, prehash: i.PreHash, algorithm: algorithm, unsalted: unsalted, cost: i.Cost}
	switch {
	case i.Wraps != "":
		k.cost = i.Memory * i.Iterations
	case i.Algorithm != password.Foreign:
		k.digests = i.Digests
		k.policy = password.Policy{
			Algorithm: i.Algorithm, Cost: i.Cost, Memory: i.Memory, Iterations: i.Iterations, BlockSize: i.BlockSize, Parallelism: i.Parallelism,
		}
	}
	return k
}

func (k key) name() string {
	switch {
	case k.others:
		return k.algorithm + ", others"
	case k.policy != password.Policy{} && k.digests > 1:
		return fmt.Sprintf("%s (%d digests)", policytext.Of(k.policy), k.digests)
	case k.policy != password.Policy{}:
		return policytext.Of(k.policy)
	case k.cost > 0:
		return fmt.Sprintf("%s,%d", k.algorithm, k.cost)
	}
	return k.algorithm
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

// add counts what is stored in line n.
func (s *Survey) add(n int64, v verdict) {
	switch {
	case v.none:
		s.report.Blank++
	case v.locked:
		s.report.Locked++
	case v.err != nil:
		s.refuse(n, reason(v.err))
	default:
		k := s.kindOf(keyOf(v.info, v.encoded))
		if k.Count == 0 {
			k.sample, k.Weak = strings.Clone(v.encoded), s.isWeak(v.encoded)
		}
		k.Count++
		k.Memory = max(k.Memory, v.info.Bytes)
		if password.NeedsRehash(s.policy, v.encoded) {
			k.Upgrade++
		}
	}
}

func (s *Survey) kindOf(k key) *Kind {
	if s.kinds[k] == nil && s.costs[k.algorithm] >= mostCosts {
		k = key{algorithm: k.algorithm, others: true}
	}
	if s.kinds[k] == nil {
		s.costs[k.algorithm]++
		s.kinds[k] = &Kind{Name: k.name(), Algorithm: k.algorithm, Form: k.form, PreHash: k.prehash, Unsalted: k.unsalted, others: k.others}
	}
	return s.kinds[k]
}

// isWeak reports whether password.Wrap takes the string, by an argon2id that takes no time.
func (s *Survey) isWeak(encoded string) bool {
	p := password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1, Parallelism: 1, Formats: s.policy.Formats, Limits: s.policy.Limits}
	wrapped, err := password.Wrap(p, encoded)
	return err == nil && wrapped != encoded
}

// A Refusal is why hashes would not be read, and which lines they are in.
type Refusal struct {
	Reason string  `json:"reason"`
	Count  int64   `json:"count"`
	Lines  []int64 `json:"lines"` // the first of them
}

// mostLines is how many lines a Refusal names. Reasons are few: the errors of package password.
const mostLines = 5

func (s *Survey) refuse(n int64, why string) {
	r := s.refusals[why]
	if r == nil {
		r = &Refusal{Reason: why}
		s.refusals[why] = r
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

// digests are by the names that directories, Django and Spring Security have for them.
var digests = map[string]string{
	"MD5": "MD5", "SHA": "SHA-1", "SHA1": "SHA-1", "SHA-1": "SHA-1", "SHA256": "SHA-256", "SHA-256": "SHA-256", "SHA384": "SHA-384", "SHA512": "SHA-512",
}

// stretched are the forms of makers whose names do not say which digest they repeat.
var stretched = map[string]string{"phpass": "MD5", "drupal": "SHA-512"}

// Describe names the algorithm of a stored hash, of which Inspect gave the Info, and says whether
// it has no salt: then equal passwords have equal hashes, and tables find frequent ones.
func Describe(i password.Info, encoded string) (algorithm string, unsalted bool) {
	switch {
	case i.Wraps != "":
		return i.Name + " over " + i.Wraps, false
	case i.Algorithm != password.Foreign:
		return i.Name, i.SaltLen == 0
	case i.Form == "django": // md5$salt$sum, and md5$$sum
		name, rest, _ := strings.Cut(encoded, "$")
		if digest := digests[strings.ToUpper(name)]; digest != "" {
			return digest, strings.HasPrefix(rest, "$")
		}
	case i.Form == "ldap" || i.Form == "spring":
		return describeBraces(i.Form, encoded)
	case stretched[i.Form] != "":
		return stretched[i.Form], false
	}
	return i.Form, false
}

// describeBraces is Describe for {NAME}sum. A directory's name for a digest with salt begins with
// an S, and Spring Security has the salt in braces before the sum.
func describeBraces(form, encoded string) (algorithm string, unsalted bool) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(encoded, "{"), "}")
	upper := strings.ToUpper(name)
	switch {
	case upper == "LDAP":
		return describeBraces("ldap", rest)
	case upper == "CRYPT":
		for prefix, algorithm := range map[string]string{"$1$": "md5-crypt", "$apr1$": "md5-crypt", "$5$": "sha256-crypt", "$6$": "sha512-crypt"} {
			if strings.HasPrefix(rest, prefix) {
				return algorithm, false
			}
		}
	case form == "spring" && name == "sha256": // StandardPasswordEncoder's, which always has one
		return "SHA-256", false
	case digests[upper] != "":
		return digests[upper], form == "ldap" || !strings.HasPrefix(rest, "{")
	case digests[strings.TrimPrefix(upper, "S")] != "":
		return digests[strings.TrimPrefix(upper, "S")], false
	}
	return form, false
}
