// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package policytext has the text of password policies in the form of commands: names to
// choose from, and errors that begin with what was typed.
package policytext

import (
	"errors"
	"fmt"
	"strings"

	"fount/password"
)

// Names are the names of algorithms for new hashes, in the order of tables.
var Names = []string{"bcrypt", "argon2id", "scrypt", "pbkdf2-sha256", "pbkdf2-sha512"}

// Parse reads a policy. Its error has not the prefix "password: ".
func Parse(s string) (p password.Policy, err error) {
	if err := p.UnmarshalText([]byte(s)); err != nil {
		return p, errors.New(strings.TrimPrefix(err.Error(), "password: "))
	}
	return p, nil
}

// Of names a policy and its parameters, as Parse takes them; "" for one that is none.
func Of(p password.Policy) string {
	text, _ := p.MarshalText()
	return string(text)
}

// Weakness returns a warning if a hash of p's says that p is below OWASP's minimum, else "".
func Weakness(p password.Policy, encoded string) string {
	info, err := (password.Policy{}).Inspect(encoded)
	if err != nil || !info.BelowOWASP {
		return ""
	}
	return fmt.Sprintf("%s is below OWASP's minimum for %s; use it for tests only", Of(p), info.Name)
}
