// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

import (
	"strings"
	"testing"
)

// Each rule has a string that breaks it alone, by as little as can be: the mutant of the
// parser that does without the rule, or is off by one, takes it.
func TestEachRule(t *testing.T) {
	const (
		salt = "abcdefghijklmnopqrstuu"          // 16 bytes in bcrypt's alphabet
		sum  = "WHxnxkyNt6AHCwFMQaY6auyqJA8E98a" // 23
		zero = "..........................................."
	)
	phc := func(head string, salt, sum int) string {
		return head + "$" + B64.EncodeToString(bytesOf(salt)) + "$" + B64.EncodeToString(bytesOf(sum))
	}
	passlib := func(head string, salt, sum int) string {
		return head + "$" + AB64.EncodeToString(bytesOf(salt)) + "$" + AB64.EncodeToString(bytesOf(sum))
	}
	argon2 := func(head string) string { return phc("$argon2id$v=19$"+head, 16, 32) }
	key := func(id string) string { return argon2("m=64,t=1,p=1,keyid=" + B64.EncodeToString([]byte(id))) }
	good := argon2("m=64,t=1,p=1")
	changed := func(old, text string) string { return strings.Replace(good, old, text, 1) }

	for form, c := range map[string]struct {
		good []string
		bad  map[string]string // by the rule
	}{
		"bcrypt": {
			good: []string{"$2b$04$" + salt + sum, "$2b$31$" + salt + sum},
			bad: map[string]string{
				"third $":       "$2b$05." + salt + sum,
				"second digit":  "$2b$0:$" + salt + sum,
				"least cost":    "$2b$03$" + salt + sum,
				"greatest cost": "$2b$32$" + salt + sum,
			},
		},
		"fount-bcrypt": {
			good: []string{phc("$fount-bcrypt$v=1$r=5,keyid=azE", 16, 23)},
			bad: map[string]string{
				"salt": phc("$fount-bcrypt$v=1$r=5,keyid=azE", 17, 23),
				"sum":  phc("$fount-bcrypt$v=1$r=5,keyid=azE", 16, 24),
				"key":  phc("$fount-bcrypt$v=1$r=5", 16, 23),
			},
		},
		"bcrypt-sha256": {
			good: []string{"$bcrypt-sha256$v=2,t=2b,r=5$" + salt + "$" + sum},
			bad: map[string]string{
				"version":                      "$bcrypt-sha256$v=3,t=2b,r=5$" + salt + "$" + sum,
				"2b":                           "$bcrypt-sha256$v=2,t=2a,r=5$" + salt + "$" + sum,
				"unused bits of salt, its key": "$bcrypt-sha256$v=2,t=2b,r=5$" + salt[:21] + "v$" + sum,
			},
		},
		"argon2": {
			good: []string{
				good, phc("$argon2id$v=19$m=64,t=1,p=1", 64, 16), phc("$argon2id$v=19$m=64,t=1,p=1", 16, 64),
				phc("$argon2id$v=19$m=1,t=1,p=4", 0, 32), argon2("m=4294967295,t=1,p=16777215"),
				argon2("m=64,t=4294967295,p=1"), argon2("m=64,p=1,t=1"), key("!"), key("~"), key("12345678"),
			},
			bad: map[string]string{
				"return in the sum":        good[:len(good)-9] + "\r" + good[len(good)-9:],
				"newline in the sum":       good[:len(good)-9] + "\n" + good[len(good)-9:],
				"unused bits":              changed("Ow$", "Ox$"),
				"$ in front":               good[1:],
				"version":                  changed("v=19", "v=17"),
				"greatest salt":            phc("$argon2id$v=19$m=64,t=1,p=1", 65, 32),
				"least sum":                phc("$argon2id$v=19$m=64,t=1,p=1", 16, 15),
				"greatest sum":             phc("$argon2id$v=19$m=64,t=1,p=1", 16, 65),
				"third $":                  good + "$",
				"memory":                   argon2("m=0,t=1,p=4"),
				"most lanes":               argon2("m=4294967295,t=1,p=16777216"),
				"no zero":                  argon2("m=64,t=0,p=1"),
				"no leading zero":          argon2("m=64,t=01,p=1"),
				"digits":                   argon2("m=64,t=:,p=1"),
				"32 bits":                  argon2("m=64,t=4294967297,p=1"),
				"nothing behind":           argon2("m=64,t=1,p=1,x=1"),
				"order":                    argon2("t=1,m=64,p=1"),
				"Node's order":             argon2("p=1,m=64,t=1"),
				"key's least character":    key(" "),
				"key's greatest character": key("\x7f"),
				"key's length":             key("123456789"),
			},
		},
		"scrypt": {
			good: []string{phc("$scrypt$ln=4,r=8,p=1", 64, 32), phc("$scrypt$ln=63,r=8,p=1", 16, 32), phc("$scrypt$ln=4,r=1073741823,p=1", 16, 32)},
			bad: map[string]string{
				"greatest salt":  phc("$scrypt$ln=4,r=8,p=1", 65, 32),
				"greatest N":     phc("$scrypt$ln=64,r=8,p=1", 16, 32),
				"greatest r·p":   phc("$scrypt$ln=4,r=1073741824,p=1", 16, 32),
				"r·p in 64 bits": phc("$scrypt$ln=4,r=65536,p=65536", 16, 32),
			},
		},
		"$7$": {
			good: []string{"$7$/6..../....12345678$" + zero, "$7$C6..../...." + strings.Repeat("x", 64) + "$" + zero},
			bad: map[string]string{
				"least N":       "$7$.6..../....12345678$" + zero,
				"least r":       "$7$C...../....12345678$" + zero,
				"least p":       "$7$C6.........12345678$" + zero,
				"N":             "$7$!6..../....12345678$" + zero,
				"r":             "$7$C6!.../....12345678$" + zero,
				"p":             "$7$C6..../!...12345678$" + zero,
				"least salt":    "$7$C6..../....1234567$" + zero,
				"greatest salt": "$7$C6..../...." + strings.Repeat("x", 65) + "$" + zero,
				"alphabet":      "$7$C6..../....1234567!$" + zero,
				"unused bits":   "$7$C6..../....12345678$" + zero[1:] + "z",
				"numbers":       "$7$C6..../",
			},
		},
		"PBKDF2": {
			good: []string{phc("$pbkdf2-sha256$i=1", 16, 32), passlib("$pbkdf2-sha512$1000", 16, 64), phc("$pbkdf2-sha256$i=1000,l=32", 16, 32)},
			bad: map[string]string{
				"iterations":  phc("$pbkdf2-sha256$i=0", 16, 32),
				"sum":         passlib("$pbkdf2-sha512$1000", 16, 32),
				"l":           phc("$pbkdf2-sha256$i=1000,l=31", 16, 32),
				"unused bits": strings.Replace(passlib("$pbkdf2-sha512$1000", 16, 64), "Ow$", "Ox$", 1),
			},
		},
	} {
		t.Run(form, func(t *testing.T) {
			for _, text := range c.good {
				if _, err := Parse(text); err != nil {
					t.Errorf("%s: %v", text, err)
				}
			}
			for rule, text := range c.bad {
				if h, err := Parse(text); err == nil {
					t.Errorf("%s: %s is taken for %+v", rule, text, h)
				}
			}
		})
	}
}
