// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Policies as users type them, in flags, configurations and JSON.

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// named returns the policy that a name stands for without parameters. Argon2i and argon2d, of hashes that are
// stored already, have argon2id's.
func named(name string) (Policy, bool) {
	i := slices.Index(algorithmNames[:Foreign], name)
	a := Algorithm(max(i, 0))
	switch {
	case i <= 0:
		return Policy{}, false
	case a.argon2():
		p := Default()
		p.Algorithm = a
		return p, true
	}
	for _, p := range owasp() { // the first choice of each algorithm is the first
		if p.Algorithm == a {
			return p, true
		}
	}
	return Policy{}, false
}

// parameters are the costs of p, by the letters of its stored form.
func (p *Policy) parameters() map[string]*int {
	switch {
	case p.Algorithm == Bcrypt:
		return map[string]*int{"cost": &p.Cost}
	case p.Algorithm.argon2():
		return map[string]*int{"m": &p.Memory, "t": &p.Iterations, "p": &p.Parallelism}
	case p.Algorithm == Scrypt:
		return map[string]*int{"ln": &p.Cost, "r": &p.BlockSize, "p": &p.Parallelism}
	}
	return map[string]*int{"i": &p.Iterations}
}

// UnmarshalText reads an algorithm and its costs, in the form of fount's command line: the name of an
// algorithm, which stands for OWASP's first choice, and parameters that differ from that, by the
// letters of stored hashes, each at most once.
//
//	bcrypt,cost=12
//	argon2id,m=65536,t=3,p=4
//	scrypt,ln=16,r=8,p=2
//	pbkdf2-sha512,i=300000
//
// Memory, m, is in KiB; ln is log2 of N. The text says nothing of Keys, MaxPassword, Limits, Markers and Formats, which
// stay as they are. Whether the costs can be had, Check says. An error repeats up to 100 characters of the text and the wrong
// parameter, or nothing if the text may be a stored hash by its length or a sign such as $. Package flag's repeats all of it.
func (p *Policy) UnmarshalText(text []byte) error {
	q, err := readPolicy(string(text))
	switch {
	case err != nil && mayBeHash(string(text)):
		return errors.New("password: what may be a stored hash is not a policy; use one of bcrypt, argon2id, scrypt, pbkdf2-sha256, pbkdf2-sha512")
	case err != nil:
		return err
	}
	p.Algorithm = q.Algorithm
	p.Cost, p.Memory, p.Iterations, p.BlockSize, p.Parallelism = q.Cost, q.Memory, q.Iterations, q.BlockSize, q.Parallelism
	return nil
}

// readPolicy is UnmarshalText, whose errors repeat text.
func readPolicy(text string) (Policy, error) {
	name, rest, some := strings.Cut(text, ",")
	q, ok := named(name)
	if !ok {
		return q, fmt.Errorf("password: %.100q is not a policy; use one of bcrypt, argon2id, scrypt, pbkdf2-sha256, pbkdf2-sha512", text)
	}
	known, seen := q.parameters(), make(map[string]bool)
	for some {
		var part string
		part, rest, some = strings.Cut(rest, ",")
		key, value, _ := strings.Cut(part, "=")
		dst := known[key]
		n, err := strconv.ParseUint(value, 10, 31)
		if dst == nil || err != nil || n == 0 {
			return q, fmt.Errorf("password: %.100q has the parameter %.100q; %s has %s, each a number from 1 to %d",
				text, part, name, strings.Join(slices.Sorted(maps.Keys(known)), ", "), math.MaxInt32)
		}
		if seen[key] {
			return q, fmt.Errorf("password: %.100q has the parameter %s twice; want each at most once", text, key)
		}
		*dst, seen[key] = int(n), true
	}
	return q, nil
}

// mayBeHash reports whether a text that is no policy is or has a stored hash, maybe, which no error repeats: it has a $ or a {,
// or between commas what is as long as a hexadecimal MD5 or, where the name should be, ends as base64 does.
func mayBeHash(text string) bool {
	name, _, _ := strings.Cut(text, ",")
	if strings.ContainsAny(text, "${") || strings.HasSuffix(name, "=") {
		return true
	}
	for part := range strings.SplitSeq(text, ",") {
		if len(part) >= 32 {
			return true
		}
	}
	return false
}

// MarshalText returns the algorithm and all its costs, as UnmarshalText reads them; of the zero Policy,
// Default's. It fails for what that would not read: costs without an algorithm, and those below 1.
func (p Policy) MarshalText() ([]byte, error) {
	q, err := p.filled()
	if err != nil {
		return nil, err
	}
	if !q.Algorithm.makes() {
		return nil, fmt.Errorf("password: Policy.Algorithm is %d; want one of this package's that makes hashes", q.Algorithm)
	}
	costs := q.parameters()
	for _, key := range slices.Sorted(maps.Keys(costs)) {
		if n := *costs[key]; n < 1 || n > math.MaxInt32 {
			return nil, fmt.Errorf("password: a Policy of %v has %s=%d; want 1 to %d", q.Algorithm, key, n, math.MaxInt32)
		}
	}
	switch {
	case q.Algorithm == Bcrypt:
		return fmt.Appendf(nil, "%v,cost=%d", q.Algorithm, q.Cost), nil
	case q.Algorithm.argon2():
		return fmt.Appendf(nil, "%v,m=%d,t=%d,p=%d", q.Algorithm, q.Memory, q.Iterations, q.Parallelism), nil
	case q.Algorithm == Scrypt:
		return fmt.Appendf(nil, "%v,ln=%d,r=%d,p=%d", q.Algorithm, q.Cost, q.BlockSize, q.Parallelism), nil
	}
	return fmt.Appendf(nil, "%v,i=%d", q.Algorithm, q.Iterations), nil
}
