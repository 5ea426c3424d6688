// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"errors"
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
	r, err := row{stored: stored}.describe()
	if err != nil {
		return nil, err
	}
	if r.method.hashOf == nil {
		return nil, errNoSum
	}

	p := r.compile()
	count := map[string]int{}
	var numbers []string // of the fields, with n for ln
	for i := range p.fields {
		f := &p.fields[i]
		if f.text != "" {
			continue
		}
		if !userField.MatchString(f.source) {
			return nil, fmt.Errorf("legacy: %q has the field %s; want no others than those of one sum, {salt}, {i}, {n}, {ln}, "+
				"{r} and {p}, and of codings hex, base64, raw64, ab64 and url64", p.stored, f.source)
		}

		field := f.parts[0].name
		count[field]++
		if field != "sum" && field != "salt" {
			numbers = append(numbers, strings.TrimPrefix(field, "l"))
		}
		if f.coding.name == "hex" {
			f.coding = codings["hexes"]
		}
		f.coding.greedy = r.method.size > 0 && f.width == 0 // a digest's salt may contain anything
		isOpen := f.width == 0 && !f.coding.greedy && i+1 < len(p.fields)
		if isOpen && p.fields[i+1].text == "" {
			return nil, fmt.Errorf("legacy: %q; want text between %s and what follows", p.stored, f.label)
		}
	}

	slices.Sort(numbers)
	switch {
	case count["sum"] != 1:
		return nil, errNoSum
	case strings.Join(numbers, "") != r.method.numbers:
		return nil, fmt.Errorf("legacy: %q; want {i} for PBKDF2, unless its iterations are in parentheses, "+
			"{n} or {ln}, {r} and {p} for scrypt, and none of them for a digest", p.stored)
	case count["salt"] != r.method.salts:
		return nil, fmt.Errorf("legacy: %q has {salt} %d times; want it once, or not at all if the digest is not of it",
			p.stored, count["salt"])
	}
	f := formOf(name)
	f.patterns = []*pattern{p}
	return f, nil
}

var errNoSum = errors.New("legacy: a description without a sum, or with several; " +
	"want one such as {sha1({salt}{password}):hex}, {pbkdf2-sha256:base64} or {scrypt:hex}")

var userField = regexp.MustCompile(strings.ReplaceAll(`^\{(?:sum:CODING|salt(?::CODING)?|i|n|ln|r|p)\}$`,
	"CODING", "(?:hex|base64|raw64|ab64|url64)"))
