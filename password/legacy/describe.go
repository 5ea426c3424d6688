// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fount/password"
)

// A DigestForm describes hashes that a program made in a form of its own. For example,
//
//	legacy.DigestForm{Name: "shop", Hash: crypto.SHA1,
//		Input: "{salt}--{password}", Stored: "sha1:{salt}:{sum:hex}"}
//
// describes the string sha1:k3j4:1e0a..., whose sum is the SHA-1 of k3j4-- and the password. A text
// that the program adds to all passwords is a part of Input. If the salt has its own column, make
// one string of both. A bare MD5 has the Input {password} and is Stored as {sum:hex}. (For fount
// and fountd, which take no DigestForm, put md5$$ before it, as Django does.)
//
// If Stored has {i}, or Iterations is set, the hash is PBKDF2 (RFC 8018) with Hash. If Stored has
// {n} or {ln}, {r} and {p}, it is scrypt (RFC 7914):
//
//	legacy.DigestForm{Name: "portal", Hash: crypto.SHA256, Stored: "{i}:{salt:base64}:{sum:base64}"}
//	legacy.DigestForm{Name: "wiki", Stored: "s1${n}${r}${p}${salt:hex}${sum:hex}"}
type DigestForm struct {
	Name string // see password.Format

	// Hash is MD5, SHA1, SHA224, SHA256, SHA384 or SHA512, or 0 for scrypt.
	Hash crypto.Hash

	// Input is what a digest was made of: text with {password} and {salt}, each any number of
	// times. A digest's name and parentheses, as in md5({password}){salt}, mean that digest in
	// hexadecimal. Text and salt together have at most 128 bytes. Leave it empty for PBKDF2 and
	// scrypt.
	Input string

	// Iterations is for PBKDF2 if the stored strings don't say it.
	Iterations uint32

	// Stored is the stored string: text with fields in braces.
	//
	//	{sum:hex} {sum:base64}           the sum; hexadecimal may be in either case
	//	{salt} {salt:hex} {salt:base64}  the salt as text, or as the bytes that are encoded
	//	{i}                              PBKDF2's iterations
	//	{n} {ln} {r} {p}                 scrypt's N, its logarithm, r and p
	//
	// Other codings are raw64, base64 without padding; ab64, raw64 with '.' for '+'; and url64.
	// PBKDF2's and scrypt's salts have at most 64 bytes and, as text, not the text that follows.
	Stored string
}

// Digest returns the form that d describes. The error says what is wrong with d, and contains
// nothing of Input, which may have a secret. password.NewFormats checks the Name.
func Digest(d DigestForm) (password.Format, error) {
	m, err := d.method()
	if err != nil {
		return nil, err
	}
	stored := strings.NewReplacer("{salt:hex}", "{salt:hexes}", "{sum:hex}", "{sum:hexes}").Replace(d.Stored)
	p := row{stored, m}.compile()
	used := len(usedFields.FindAllString(d.Stored, -1))
	for i := range p.fields {
		f := &p.fields[i]
		if f.text == "" {
			used--
			f.coding.greedy = m.size > 0 && f.width == 0 // a digest's salt may contain anything
		}
		if f.text == "" && f.width == 0 && !f.coding.greedy && i+1 < len(p.fields) && p.fields[i+1].text == "" {
			return nil, fmt.Errorf("legacy: Stored %q; want text between %s and what follows", d.Stored, f.label)
		}
	}
	if used != 0 {
		return nil, fmt.Errorf("legacy: Stored %q; want no other fields than {salt}, {sum:hex}, {i}, {n}, {ln}, {r} and {p}, "+
			"and of codings hex, base64, raw64, ab64 and url64", d.Stored)
	}
	f := formOf(d.Name)
	f.patterns = []*pattern{p}
	return f, nil
}

var usedFields = regexp.MustCompile(strings.ReplaceAll(`\{(?:(sum):CODING|(salt)(?::CODING)?|(i|n|ln|r|p))\}`,
	"CODING", "(?:hex|base64|raw64|ab64|url64)"))

// method checks d and returns the method that computes its sums.
func (d DigestForm) method() (method, error) {
	count := map[string]int{}
	for _, field := range usedFields.FindAllStringSubmatch(d.Stored, -1) {
		count[field[1]+field[2]+field[3]]++
	}
	isScrypt := count["n"]+count["ln"] == 1 && count["r"] == 1 && count["p"] == 1 && count["i"] == 0 && d.Iterations == 0
	isPBKDF2 := count["n"]+count["ln"]+count["r"]+count["p"] == 0 && (count["i"] == 1) != (d.Iterations > 0)
	isDigest := count["n"]+count["ln"]+count["r"]+count["p"]+count["i"] == 0 && d.Iterations == 0
	known := []crypto.Hash{crypto.MD5, crypto.SHA1, crypto.SHA224, crypto.SHA256, crypto.SHA384, crypto.SHA512}
	switch {
	case count["sum"] != 1:
		return method{}, fmt.Errorf("legacy: Stored %q; want {sum:hex} or {sum:base64} in it, once", d.Stored)
	case !isScrypt && !isPBKDF2 && !isDigest:
		return method{}, fmt.Errorf("legacy: Stored %q and Iterations %d; want {i} or Iterations for PBKDF2, "+
			"{n} or {ln}, {r} and {p} for scrypt, and none of them for a digest", d.Stored, d.Iterations)
	case isScrypt && d.Hash != 0:
		return method{}, fmt.Errorf("legacy: Hash is %v; want 0 for scrypt", d.Hash)
	case !isScrypt && !slices.Contains(known, d.Hash):
		return method{}, fmt.Errorf("legacy: Hash is %v; want crypto.MD5, SHA1, SHA224, SHA256, SHA384 or SHA512", d.Hash)
	case !isDigest && d.Input != "" && d.Input != "{password}":
		return method{}, errors.New("legacy: an Input for PBKDF2 or scrypt, which take the password alone; want none")
	case !isDigest && count["salt"] != 1:
		return method{}, fmt.Errorf("legacy: Stored %q has {salt} %d times; want it once", d.Stored, count["salt"])
	case isScrypt:
		return scrypt, nil
	case isPBKDF2:
		return anyPBKDF2(d.Hash, d.Iterations), nil
	}
	in, err := parseInput(d.Input)
	if err != nil {
		return method{}, err
	}
	if salted := in.count("{salt}"); count["salt"] > 1 || (count["salt"] == 1) != (salted > 0) {
		return method{}, fmt.Errorf("legacy: Stored %q has {salt} %d times, Input %d times; "+
			"want it in both or in neither, and once in Stored", d.Stored, count["salt"], salted)
	}
	if n := in.length(0); n > maxInput {
		return method{}, fmt.Errorf("legacy: Input has %d bytes of text; want at most %d", n, maxInput)
	}
	return digest(d.Hash, d.Input), nil
}
