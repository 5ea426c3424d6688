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
	kinds     map[key]*Kind
	costs     map[string]int // kinds of an algorithm
	refusals  refusals
	unwrapped refusals
	verdicts  map[alike]verdict
}

// New returns a Survey for a service that will have the policy, with its Formats and Limits.
func New(policy password.Policy) *Survey {
	policy.Markers = true
	return &Survey{
		policy: policy, kinds: map[key]*Kind{}, costs: map[string]int{}, verdicts: map[alike]verdict{},
		refusals: refusals{}, unwrapped: refusals{},
	}
}

// A Kind counts the hashes of one form and cost.
type Kind struct {
	Name      string  `json:"name"` // a policy, or an algorithm and its cost
	Algorithm string  `json:"algorithm"`
	Form      string  `json:"form,omitempty"`    // of another maker, in which it is stored
	PreHash   string  `json:"prehash,omitempty"` // what the password becomes before
	Unsalted  bool    `json:"unsalted"`
	Count     int64   `json:"count"`
	Weak      int64   `json:"weak"`                // of these, those that fount password wrap takes
	WrapForm  string  `json:"wrap_form,omitempty"` // by which fount password wrap takes these
	Upgrade   int64   `json:"upgrade"`             // of these, those that a login replaces
	MS        float64 `json:"ms"`                  // of one core, for a password of 12 bytes; 0: not measured
	Memory    int64   `json:"memory_bytes"`
	Covered   bool    `json:"covered"` // by password.Sample: the time of a wrong password reveals no user

	sample string // the first
	others bool   // it is of several costs
}

// A key identifies a kind: hashes of the same key are of the same kind.
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

// Add counts a line of a file, or a row of a CSV file.
func (s *Survey) Add(l hashfile.Line) {
	s.report.Lines++
	switch {
	case l.Locked:
		s.report.Locked++
		if _, err := IsWeak(s.policy, l.Hash); err != nil { // none is not refused
			s.unwrapped.add(l.Number, reason(err))
		}
		return
	case l.Hash == "":
		s.report.Blank++
		return
	}

	info, err := s.policy.Inspect(l.Hash)
	if err = cmp.Or(l.Err, err); err == nil {
		err = s.policy.Check(l.Hash) // limits, and a key
	}
	if err != nil {
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

// An alike is what hashes have in common of which Wrap says the same.
type alike struct {
	kind *Kind
	size int
	row  Row
}

// A verdict is what Wrap says of a hash.
type verdict struct {
	weak bool
	err  error
}

// verdictOf asks once for all hashes that are alike: it takes ten times as long as all else.
func (s *Survey) verdictOf(k *Kind, encoded string) verdict {
	a := alike{k, len(encoded), RowOf(s.policy, encoded)}
	v, known := s.verdicts[a]
	if !known || k.others {
		v.weak, v.err = IsWeak(s.policy, encoded)
		s.verdicts[a] = v
	}
	return v
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

// IsWeak reports whether fount password wrap takes a hash that p reads, once it is proven. It
// computes by the least of argon2id, and checks what would be stored by the policy, or by Default
// if that is no argon2id.
func IsWeak(p password.Policy, encoded string) (bool, error) {
	if d := password.Default(); p.Algorithm != password.Argon2id {
		p.Algorithm = d.Algorithm
		p.Memory = d.Memory
		p.Iterations = d.Iterations
		p.Parallelism = d.Parallelism
	}
	p.Parallelism = max(1, p.Parallelism)

	least := p
	least.Memory = 8
	least.Iterations = 1
	least.Parallelism = 1

	text, err := password.Wrap(least, encoded)
	if err != nil || text == encoded {
		return false, err
	}

	costs := func(p password.Policy) string {
		return fmt.Sprintf("$m=%d,t=%d,p=%d$", p.Memory, p.Iterations, p.Parallelism)
	}
	err = p.Check(strings.Replace(text, costs(least), costs(p), 1))
	return err == nil, err
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
