// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"errors"
	"strings"
	"testing"

	"fount/password"
)

// readme is the project of firebase/scrypt's README.md.
var readme = FirebaseConfig{
	SignerKey:     "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
	SaltSeparator: "Bw==", Rounds: 8, MemCost: 14,
}

// A project's rows are read beside all other forms, in both of Firebase's base64s.
func TestFirebaseProject(t *testing.T) {
	const row = "$fbscrypt$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
	project, err := FirebaseProject(readme)
	if err != nil {
		t.Fatal(err)
	}
	formats, err := password.NewFormats(append(List(), project)...)
	if err != nil {
		t.Fatal(err)
	}
	p := password.Policy{Algorithm: password.Bcrypt, Cost: 15, Formats: formats}
	for _, encoded := range []string{row, strings.NewReplacer("+", "-", "/", "_").Replace(row)} {
		if r, err := password.Verify(p, []byte("user1password"), encoded); err != nil || !r.NeedsRehash {
			t.Errorf("%s: %+v, %v", encoded, r, err)
		}
		if _, err := password.Verify(p, []byte("user2password"), encoded); !errors.Is(err, password.ErrMismatch) {
			t.Errorf("%s with another password: %v", encoded, err)
		}
	}
	for _, v := range readVectors(t) {
		if strings.HasPrefix(v.encoded, "$fbscrypt$") {
			if err := p.Check(v.encoded); err != nil {
				t.Errorf("%s beside a project: %v", v.encoded, err)
			}
		}
	}
	for _, encoded := range []string{row + "$", row[:len(row)-4], "$fbscrypt$" + row, "$fbscrypt$$", "$fbscrypt$AAAA$AAAA"} {
		if err := p.Check(encoded); !errors.Is(err, password.ErrMalformed) {
			t.Errorf("%s: %v", encoded, err)
		}
	}
}

func TestFirebaseConfig(t *testing.T) {
	for name, change := range map[string]func(*FirebaseConfig){
		"SignerKey":     func(c *FirebaseConfig) { c.SignerKey = "" },
		"base64":        func(c *FirebaseConfig) { c.SignerKey = "no base64" },
		"SaltSeparator": func(c *FirebaseConfig) { c.SaltSeparator = "B" },
		"Rounds 0":      func(c *FirebaseConfig) { c.Rounds = 0 },
		"Rounds 256":    func(c *FirebaseConfig) { c.Rounds = 256 },
		"MemCost 0":     func(c *FirebaseConfig) { c.MemCost = 0 },
		"MemCost 32":    func(c *FirebaseConfig) { c.MemCost = 32 },
	} {
		c := readme
		change(&c)
		if _, err := FirebaseProject(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
