// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package policytext reads and writes password policies as commands and settings have them.
package policytext

import (
	"errors"
	"fmt"
	"strings"

	"fount/password"
)

// Names has the algorithms of new hashes, in the order in which tables and help list them.
var Names = []string{"bcrypt", "argon2id", "scrypt", "pbkdf2-sha256", "pbkdf2-sha512"}

// Parse returns the policy of a text. Its errors have no prefix "password: ".
func Parse(s string) (p password.Policy, err error) {
	if err := p.UnmarshalText([]byte(s)); err != nil {
		return p, errors.New(strings.TrimPrefix(err.Error(), "password: "))
	}
	return p, nil
}

// Of returns the text of a policy, as Parse reads it. It returns "" if p is no valid policy.
func Of(p password.Policy) string {
	text, _ := p.MarshalText()
	return string(text)
}

// Weakness returns a warning if encoded, a hash of p, is below OWASP's minimum, else "".
func Weakness(p password.Policy, encoded string) string {
	info, err := (password.Policy{}).Inspect(encoded)
	if err != nil || !info.BelowOWASP {
		return ""
	}
	return fmt.Sprintf("%s is below OWASP's minimum for %s; use it for tests only", Of(p), info.Name)
}
