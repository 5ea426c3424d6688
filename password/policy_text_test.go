// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"encoding/json"
	"flag"
	"io"
	"math"
	"strings"
	"testing"

	"fount/internal/test/parsertest"
)

func TestPolicyText(t *testing.T) {
	for text, want := range map[string]Policy{
		"bcrypt,cost=12":           {Algorithm: Bcrypt, Cost: 12},
		"argon2id,m=65536,t=3,p=4": {Algorithm: Argon2id, Memory: 65536, Iterations: 3, Parallelism: 4},
		"argon2i,t=4":              {Algorithm: Argon2i, Memory: 19456, Iterations: 4, Parallelism: 1},
		"argon2d":                  {Algorithm: Argon2d, Memory: 19456, Iterations: 2, Parallelism: 1},
		"scrypt,ln=15,p=3":         {Algorithm: Scrypt, Cost: 15, BlockSize: 8, Parallelism: 3},
		"pbkdf2-sha512,i=300000":   {Algorithm: PBKDF2SHA512, Iterations: 300000},
		"bcrypt,cost=" + strings.Repeat("0", 30) + "12": {Algorithm: Bcrypt, Cost: 12},
	} {
		p := Policy{Cost: 31, Memory: 1, Iterations: 7, BlockSize: 9, Parallelism: 5, Markers: true}
		if err := p.UnmarshalText([]byte(text)); err != nil || !p.Markers {
			t.Errorf("%q: %+v, %v", text, p, err)
		}
		p.Markers = false
		if p != want {
			t.Errorf("%q is %+v; want %+v", text, p, want)
		}
		if back, err := p.MarshalText(); err != nil || new(Policy).UnmarshalText(back) != nil || !strings.HasPrefix(string(back), text[:4]) {
			t.Errorf("%q is written as %q, %v", text, back, err)
		}
	}
	for _, text := range []string{"", "md5", "bcrypt,", "bcrypt,t=3", "bcrypt,cost", "bcrypt,cost=", "bcrypt,cost=-1",
		"bcrypt,cost=0", "argon2id,m=99999999999", "argon2id,m=1;t=2", "argon2id,m=9,t=3,m=9", "Bcrypt", " bcrypt"} {
		p := cheapest
		if err := p.UnmarshalText([]byte(text)); err == nil || p != cheapest {
			t.Errorf("%q is %+v, %v; want an error", text, p, err)
		}
	}
	for _, p := range []Policy{{Cost: 10}, {Algorithm: 99}, {Algorithm: Bcrypt}, {Algorithm: Bcrypt, Cost: -1}, {Algorithm: Bcrypt, Cost: math.MinInt},
		{Algorithm: Argon2id, Memory: 19456}, {Algorithm: Scrypt, Cost: 17, BlockSize: -8}, {Algorithm: PBKDF2SHA256, Cost: 10}} {
		if text, err := p.MarshalText(); err == nil {
			t.Errorf("%+v is written as %q", p, text)
		}
	}
}

// All OWASP's policies, and the zero one, can be written and read; JSON and package flag have the
// same text.
func TestPolicyTextRoundTrip(t *testing.T) {
	for _, p := range append(owasp, Policy{}) {
		text, err := json.Marshal(p)
		var back Policy
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		want, _ := p.filled()
		got, _ := back.filled()
		if err != nil || got != want {
			t.Errorf("%+v becomes %s, %v, and that %+v", p, text, err, back)
		}
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var p Policy
	flags.TextVar(&p, "policy", Default(), "how hashes are made")
	if p != Default() {
		t.Errorf("the default is %+v", p)
	}
	if err := flags.Parse([]string{"-policy", "bcrypt,cost=11"}); err != nil || p.Cost != 11 {
		t.Errorf("%+v, %v", p, err)
	}
}

// What is read can be written and read again, as the same.
func FuzzPolicyText(f *testing.F) {
	target := parsertest.Target{
		Name: "PolicyText", Bytes: 4 << 10,
		Seeds: []string{"bcrypt,cost=12", "argon2id,m=1,t=1,p=1", "scrypt,r=1", "pbkdf2-sha256,i=2147483647", "argon2d,m=1,m=2", ","},
		Parse: func(s string) (any, error) {
			p := new(Policy)
			return p, p.UnmarshalText([]byte(s))
		},
		Says: true,
		Check: func(t testing.TB, s string, parsed any, err error) bool {
			if err != nil {
				return false
			}
			p := *parsed.(*Policy)
			q := Policy{}
			text, err := p.MarshalText()
			if err != nil || q.UnmarshalText(text) != nil || p != q {
				t.Errorf("%q is %+v, written as %q, %v, and that is %+v", s, p, text, err, q)
			}
			return true
		},
	}
	target.Fuzz(f)
}

// What may be a stored hash in a policy's place is not repeated, nor is a long text; what can't
// be one is.
func TestPolicyTextRepeatsNoHash(t *testing.T) {
	for text, repeated := range map[string]bool{
		goodBcrypt: false, "bcrypt,$2b$10$x": false, "{SSHA}x": false, "X03MO1qnZdYdgyfeuILPmQ==": false,
		"bcrypt,5f4dcc3b5aa765d61d8327deb882cf99": false, "5f4dcc3b5aa765d61d8327deb882cf99": false,
		"bcrypt," + strings.Repeat(",", 10_000): false, "bcrypt,cost=": true, "pbkdf2-sha384": true, "cost=12": true,
	} {
		err := new(Policy).UnmarshalText([]byte(text))
		if err == nil || strings.Contains(err.Error(), text) != repeated {
			t.Errorf("%q: %v; want an error that repeats it: %v", text, err, repeated)
		}
	}
}
