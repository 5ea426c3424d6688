// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fount/password"
)

// Digest returns the form of hashes that a program of one's own made. stored describes the string
// that is stored: text with fields in braces. One field is the sum, and says what it is of. For
// example,
//
//	legacy.Digest("shop", "sha1:{salt}:{sha1({salt}--{password}):hex}")
//
// describes the string sha1:k3j4:1e0a..., whose sum is the SHA-1 of k3j4-- and the password. The
// fields are
//
//	{sha1(...):hex}           a digest: md5, sha1, sha224, sha256, sha384 or sha512
//	{pbkdf2-sha256:hex}       PBKDF2 (RFC 8018) with such a digest; the string has {i}
//	{pbkdf2-sha256(1000):hex} PBKDF2, if the string doesn't say the iterations
//	{scrypt:hex}              scrypt (RFC 7914); the string has {n} or {ln}, {r} and {p}
//	{salt} {salt:hex}         the salt as text, or as the bytes that are encoded
//	{i}                       PBKDF2's iterations
//	{n} {ln} {r} {p}          scrypt's N, its logarithm, r and p
//
// A digest is of text with {password} and {salt}, each any number of times, and digests in
// hexadecimal: {md5(md5({password}){salt}):hex}. Text and salt together have at most 128 bytes. A
// text that the program adds to all passwords belongs there, with its braces in pairs.
//
// Codings of sum and salt are hex (in either case), base64, raw64, which is base64 without padding,
// ab64, which is raw64 with '.' for '+', and url64. PBKDF2's and scrypt's salts have at most 64
// bytes and, as text, not the text that follows. If the salt has its own column, make one string of
// both. (For fount and fountd, which take no description, put md5$$ before a bare MD5, as Django
// does.)
//
// The error says what is wrong with stored, and contains nothing of what is digested, which may
// have a secret. password.NewFormats checks the name.
func Digest(name, stored string) (password.Format, error) {
	p, err := row{stored: stored}.compile()
	if err != nil {
		return nil, err
	}
	if err := p.checkFields(); err != nil {
		return nil, err
	}

	p.loosen()
	if err := p.checkEnds(); err != nil {
		return nil, err
	}

	f := &form{name: name, patterns: []*pattern{p}}
	f.whole = f
	return f, nil
}

// userField matches the fields of a description.
var userField = regexp.MustCompile(strings.ReplaceAll(`^\{(?:sum:CODING|salt(?::CODING)?|i|n|ln|r|p)\}$`,
	"CODING", "(?:hex|base64|raw64|ab64|url64)"))

// checkFields returns an error unless p has one sum, and the fields that belong to that. Without a
// sum it tells no text, which may be meant to be digested.
func (p *pattern) checkFields() error {
	if p.method.hashOf == nil {
		return errNoSum
	}

	var numbers []string
	sums := 0
	salts := 0

	for _, f := range p.fields {
		if f.text != "" {
			continue
		}
		if !userField.MatchString(f.source) {
			return fmt.Errorf("legacy: %q has the field %s; want no others than those of one sum, {salt}, {i}, {n}, {ln}, "+
				"{r} and {p}, and of codings hex, base64, raw64, ab64 and url64", p.stored, f.source)
		}

		switch name := f.parts[0].name; name {
		case "sum":
			sums++
		case "salt":
			salts++
		default:
			numbers = append(numbers, strings.TrimPrefix(name, "l")) // n for ln
		}
	}

	slices.Sort(numbers)
	switch want := p.method; {
	case sums != 1:
		return errNoSum
	case !slices.Equal(numbers, want.numbers):
		return fmt.Errorf("legacy: %q; want {i} for PBKDF2, unless its iterations are in parentheses, "+
			"{n} or {ln}, {r} and {p} for scrypt, and none of them for a digest", p.stored)
	case salts != want.salts:
		return fmt.Errorf("legacy: %q has {salt} %d times; want it once, or not at all if the digest is not of it",
			p.stored, salts)
	}
	return nil
}

// loosen has p take what its maker may write: hexadecimal in either case, and anything for a
// digest's salt.
func (p *pattern) loosen() {
	isDigest := p.method.size > 0
	for i := range p.fields {
		f := &p.fields[i]
		if f.coding.name == "hex" {
			f.coding = codings["hexes"]
		}
		f.coding.greedy = isDigest && f.text == "" && f.width == 0
	}
}

// checkEnds returns an error unless the text behind each field tells where that ends.
func (p *pattern) checkEnds() error {
	for i, f := range p.fields[1:] {
		before := &p.fields[i]
		isOpen := before.text == "" && before.width == 0 && !before.coding.greedy
		if isOpen && f.text == "" {
			return fmt.Errorf("legacy: %q; want text between %s and what follows", p.stored, before.label)
		}
	}
	return nil
}
