// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package policytext has password policies as users type them.
package policytext

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fount/password"
)

// Names are the names that Parse knows, in the order of tables.
var Names = []string{"bcrypt", "argon2id", "scrypt", "pbkdf2-sha256", "pbkdf2-sha512"}

// owasp is the policy that a name stands for without parameters.
func owasp(name string) (password.Policy, bool) {
	switch name {
	case "bcrypt":
		return password.OWASPBcrypt(), true
	case "argon2id":
		return password.OWASPArgon2id19MiB(), true
	case "scrypt":
		return password.OWASPScrypt128MiB(), true
	case "pbkdf2-sha256":
		return password.OWASPPBKDF2SHA256(), true
	case "pbkdf2-sha512":
		return password.OWASPPBKDF2SHA512(), true
	}
	return password.Policy{}, false
}

// parameters are the fields of a policy's parameters, by the letters of its stored form.
func parameters(p *password.Policy) map[string]*int {
	switch p.Algorithm {
	case password.Bcrypt:
		return map[string]*int{"cost": &p.Cost}
	case password.Argon2id:
		return map[string]*int{"m": &p.Memory, "t": &p.Iterations, "p": &p.Parallelism}
	case password.Scrypt:
		return map[string]*int{"ln": &p.Cost, "r": &p.BlockSize, "p": &p.Parallelism}
	}
	return map[string]*int{"i": &p.Iterations}
}

// Parse reads the name of an algorithm, which stands for OWASP's first choice, and parameters that differ from
// that: bcrypt,cost=12 or argon2id,m=65536,t=3,p=4 (m in KiB) or scrypt,ln=16 or pbkdf2-sha512,i=300000. Its error
// starts with the quoted value.
func Parse(s string) (password.Policy, error) {
	name, rest, some := strings.Cut(s, ",")
	p, ok := owasp(name)
	if !ok {
		return p, fmt.Errorf("%q is not a policy; use one of %s", s, strings.Join(Names, ", "))
	}
	if !some {
		return p, nil
	}
	known := parameters(&p)
	for part := range strings.SplitSeq(rest, ",") {
		key, value, _ := strings.Cut(part, "=")
		dst := known[key]
		n, err := strconv.ParseUint(value, 10, 31)
		if dst == nil || err != nil || n == 0 {
			return p, fmt.Errorf("%q has the parameter %q; %s has %s, each a number from 1 to %d",
				s, part, name, keys(known), math.MaxInt32)
		}
		*dst = int(n)
	}
	return p, nil
}

// keys are the parameters in the order of the alphabet.
func keys(of map[string]*int) string {
	var names []string
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// Of names a policy and its parameters, as Parse takes them.
func Of(p password.Policy) string {
	switch p.Algorithm {
	case password.Bcrypt:
		return fmt.Sprintf("%v,cost=%d", p.Algorithm, p.Cost)
	case password.Argon2id, password.Argon2i, password.Argon2d:
		return fmt.Sprintf("%v,m=%d,t=%d,p=%d", p.Algorithm, p.Memory, p.Iterations, max(p.Parallelism, 1))
	case password.Scrypt:
		return fmt.Sprintf("%v,ln=%d,r=%d,p=%d", p.Algorithm, p.Cost, cmp.Or(p.BlockSize, 8), max(p.Parallelism, 1))
	}
	return fmt.Sprintf("%v,i=%d", p.Algorithm, p.Iterations)
}
