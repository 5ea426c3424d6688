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

// A DigestForm describes the hashes that a program made for itself, of password and salt. Of
//
//	legacy.DigestForm{Name: "shop", Hash: crypto.SHA1,
//		Input: "{salt}--{password}", Stored: "sha1:{salt}:{sum:hex}"}
//
// a stored string is sha1:k3j4:1e0a..., and its sum the SHA-1 of k3j4--, and the password. What the
// program added to all passwords is a part of Input. Where the salt has a column of its own, make a
// string of both. A bare MD5 in hexadecimal has the Input {password} and is Stored as {sum:hex};
// the programs of this module, which take no description, read it as Django's, behind md5$$.
//
// A Stored with {i} is PBKDF2's (RFC 8018) with that Hash, as is one with Iterations; one with {n}
// or {ln}, {r} and {p} is scrypt's (RFC 7914):
//
//	legacy.DigestForm{Name: "portal", Hash: crypto.SHA256, Stored: "{i}:{salt:base64}:{sum:base64}"}
//	legacy.DigestForm{Name: "wiki", Stored: "s1${n}${r}${p}${salt:hex}${sum:hex}"}
type DigestForm struct {
	Name string // see password.Format

	// Hash is MD5, SHA1, SHA224, SHA256, SHA384 or SHA512; of scrypt 0.
	Hash crypto.Hash

	// Input is what was hashed by a digest: text with {password} and {salt}, each as often as need
	// be. A digest's name and parentheses, as in md5({password}){salt}, stand for that digest in
	// hexadecimal. Input has at most 128 bytes with the salt, beside the password. PBKDF2 and
	// scrypt take the password alone; leave it empty for them.
	Input string

	// Iterations is that of a PBKDF2 whose strings do not say it.
	Iterations uint32

	// Stored is what is stored: text with the sum as {sum:hex}, of which either case is read, or
	// {sum:base64}, and the salt, if there is one, as {salt}, which stands for itself, {salt:hex}
	// or {salt:base64}, which stand for the bytes that they encode. Instead of base64, which is
	// padded, there are raw64, which is not, ab64, which has '.' for '+' and no padding, and
	// url64. A salt of PBKDF2 or scrypt has at most 64 bytes. One that stands for itself does not
	// end with a line's end, and beside numbers it does not hold the text that follows. {n} is
	// scrypt's N, {ln} its logarithm.
	Stored string
}

// Digest returns the form that d describes. The error of a description that can't be says what
// would be right, and repeats nothing of Input, which may hold a secret. Name begins to matter in
// password.NewFormats.
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
			f.coding.greedy = m.size > 0 && f.width == 0 // a digest's salt is what the rest leaves
		}
		if f.text == "" && f.width == 0 && !f.coding.greedy && i+1 < len(p.fields) && p.fields[i+1].text == "" {
			return nil, fmt.Errorf("legacy: Stored %q; want text between %s and what follows", d.Stored, f.label)
		}
	}
	if used != 0 {
		return nil, fmt.Errorf("legacy: Stored %q; want no other fields than {salt}, {sum:hex}, {i}, {n}, {ln}, {r} and {p}, "+
			"and of codings hex, base64, raw64, ab64 and url64", d.Stored)
	}
	return form{d.Name, []*pattern{p}}, nil
}

var usedFields = regexp.MustCompile(strings.ReplaceAll(`\{(?:(sum):CODING|(salt)(?::CODING)?|(i|n|ln|r|p))\}`,
	"CODING", "(?:hex|base64|raw64|ab64|url64)"))

// method returns what computes the sum, after a look at the whole description.
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
