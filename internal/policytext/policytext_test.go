// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of policies as they are typed.

package policytext

import (
	"strings"
	"testing"

	"fount/password"
)

func TestParse(t *testing.T) {
	for s, want := range map[string]password.Policy{
		"bcrypt":                   {Algorithm: password.Bcrypt, Cost: 10},
		"bcrypt,cost=12":           {Algorithm: password.Bcrypt, Cost: 12},
		"argon2id":                 {Algorithm: password.Argon2id, Memory: 19456, Iterations: 2, Parallelism: 1},
		"argon2id,m=65536,t=3,p=4": {Algorithm: password.Argon2id, Memory: 65536, Iterations: 3, Parallelism: 4},
		"scrypt,ln=15,p=3":         {Algorithm: password.Scrypt, Cost: 15, BlockSize: 8, Parallelism: 3},
		"pbkdf2-sha256":            {Algorithm: password.PBKDF2SHA256, Iterations: 600000},
		"pbkdf2-sha512,i=300000":   {Algorithm: password.PBKDF2SHA512, Iterations: 300000},
	} {
		if p, err := Parse(s); err != nil || p != want {
			t.Errorf("%q is %+v, %v; want %+v", s, p, err, want)
		}
	}
	for _, s := range []string{"", "md5", "bcrypt,", "bcrypt,t=3", "bcrypt,cost", "bcrypt,cost=", "bcrypt,cost=-1",
		"bcrypt,cost=0",
		"argon2id,m=99999999999", "argon2id,m=1;t=2", "plain"} {
		if p, err := Parse(s); err == nil || !strings.HasPrefix(err.Error(), `"`+s+`"`) {
			t.Errorf("%q is %+v, %v; want an error that begins with it", s, p, err)
		}
	}
}

// Every name stands for a policy.
func TestNames(t *testing.T) {
	for _, name := range Names {
		if p, err := Parse(name); err != nil || p.Algorithm.String() != name {
			t.Errorf("%s is of %v, %v", name, p.Algorithm, err)
		}
	}
}

// What Of says, Parse takes.
func TestOf(t *testing.T) {
	for _, s := range []string{"bcrypt,cost=12", "argon2id,m=65536,t=3,p=4", "scrypt,ln=16,r=8,p=2",
		"pbkdf2-sha256,i=700000"} {
		p, err := Parse(s)
		if err != nil || Of(p) != s {
			t.Errorf("%q becomes %q, %v", s, Of(p), err)
		}
	}
}
