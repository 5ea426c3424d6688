// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What a row's sum may be: a digest of text, salt, password and other digests, PBKDF2, or scrypt.

import (
	"crypto"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"fount/password"
	"fount/password/internal/format"
)

// describedSum matches what stands in the place of sum: its name and, in parentheses, what it is of,
// in which braces are in pairs, as in {{salt}}.
var describedSum = regexp.MustCompile(`(\{(?:[a-z0-9]+\+)?)(` + digestNamed + `|pbkdf2-` + digestNamed + `|scrypt)` +
	`(?:\(((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\))?([+:])`)

const digestNamed = `(?:md5|sha1|sha224|sha256|sha384|sha512)`

// unknownSum matches the beginning of what looks like a sum.
var unknownSum = regexp.MustCompile(`\{[^{}]*\(`)

// describe returns r with {sum} in the place of what describes it, and the method of that:
//
//	{md5({salt}{password}):hex}           a digest: see Digest
//	{pbkdf2-sha1:hex}                     PBKDF2 of {i} iterations
//	{pbkdf2-sha1(1000):hex}               PBKDF2 of 1000 iterations
//	{scrypt:hex}                          scrypt
//
// Errors contain nothing of what is digested.
func (r row) describe() (row, error) {
	found := describedSum.FindStringSubmatch(r.stored)
	if found == nil {
		return r, nil
	}
	r.stored = strings.Replace(r.stored, found[0], found[1]+"sum"+found[4], 1)
	if describedSum.MatchString(r.stored) || unknownSum.MatchString(r.stored) {
		return r, errNoSum
	}

	m, err := describedMethod(found[2], found[3])
	m.shared = r.method.shared
	r.method = m
	return r, err
}

// describedMethod returns the method of a digest, PBKDF2 or scrypt.
func describedMethod(name, of string) (method, error) {
	digested, isPBKDF2 := strings.CutPrefix(name, "pbkdf2-")
	switch {
	case isPBKDF2 && of == "":
		return anyPBKDF2(digestNames[digested], 0), nil
	case isPBKDF2:
		n, ok := format.Number(of)
		if !ok {
			return method{}, errIterations
		}
		return anyPBKDF2(digestNames[digested], n), nil
	case name == "scrypt" && of == "":
		return scrypt, nil
	case name == "scrypt":
		return method{}, errScrypt
	}

	in, err := parseInput(of)
	if err != nil {
		return method{}, err
	}
	h := digestNames[name]
	return method{
		size:   h.Size(),
		salts:  min(in.count("{salt}"), 1),
		hashOf: func(v *values) (password.Parsed, error) { return in.hashOf(h, v) },
	}, nil
}

var (
	errIterations = errors.New("legacy: a PBKDF2 with another argument than its iterations; " +
		"want a number of at least 1, as in pbkdf2-sha1(1000)")
	errScrypt = errors.New("legacy: scrypt with an argument; want none: {n} or {ln}, {r} and {p} are fields")
	errInput  = errors.New("legacy: a digest without its closing parenthesis in what is digested")
)

// An input is what a digest is of.
type input []piece

// A piece is a part of an input.
type piece struct {
	what   string // "" for text, "{salt}", "{password}", or the name of a digest
	inside input  // what the digest is of
	text   []byte
}

// maxInput bounds the bytes of text and salt in an input, and maxPasswords how often it has the
// password, and how many digests.
const maxInput, maxPasswords = 128, 8

// parseInput parses an input: text, {salt}, {password} and digests, such as md5({password}).
func parseInput(s string) (input, error) {
	in, _, err := parsePieces(s, false)
	if err != nil {
		return nil, err
	}

	passwords := in.count("{password}")
	digests := len(in.hashes())
	text := in.length(0)
	switch {
	case passwords < 1 || passwords > maxPasswords:
		err = fmt.Errorf("legacy: a digest of {password} %d times; want 1 to %d", passwords, maxPasswords)
	case digests > maxPasswords:
		err = fmt.Errorf("legacy: a digest of %d others; want at most %d", digests, maxPasswords)
	case text > maxInput:
		err = fmt.Errorf("legacy: a digest of %d bytes of text; want at most %d", text, maxInput)
	}
	return in, err
}

// parsePieces parses s to its end, or inside a digest to the parenthesis, and returns the rest.
func parsePieces(s string, inside bool) (in input, rest string, err error) {
	for s != "" {
		name, isDigest := nested(s)
		switch {
		case inside && s[0] == ')':
			return in, s[1:], nil
		case isDigest:
			p := piece{what: name}
			if p.inside, s, err = parsePieces(s[len(name)+1:], true); err != nil {
				return nil, "", err
			}
			in = append(in, p)
		case strings.HasPrefix(s, "{salt}"), strings.HasPrefix(s, "{password}"):
			n := strings.IndexByte(s, '}') + 1
			in = append(in, piece{what: s[:n]})
			s = s[n:]
		default:
			in = in.with(s[0])
			s = s[1:]
		}
	}

	if inside {
		return nil, "", errInput
	}
	return in, "", nil
}

// with appends a byte of text.
func (in input) with(c byte) input {
	if n := len(in) - 1; n >= 0 && in[n].what == "" {
		in[n].text = append(in[n].text, c)
		return in
	}
	return append(in, piece{text: []byte{c}})
}

// nested returns the name of a digest if s begins with one and a parenthesis.
func nested(s string) (name string, ok bool) {
	name, _, ok = strings.Cut(s, "(")
	_, known := digestNames[name]
	return name, ok && known
}

func (in input) count(what string) (n int) {
	for _, p := range in {
		if p.what == what {
			n++
		}
		n += p.inside.count(what)
	}
	return n
}

// length returns the bytes of text and salts, if a salt has so many.
func (in input) length(salt int) (n int) {
	for _, p := range in {
		n += len(p.text) + p.inside.length(salt)
		if p.what == "{salt}" {
			n += salt
		}
	}
	return n
}

// hashes returns all nested digests.
func (in input) hashes() (all []crypto.Hash) {
	for _, p := range in {
		if h := digestNames[p.what]; h != 0 {
			all = append(append(all, h), p.inside.hashes()...)
		}
	}
	return all
}

// digest returns h over the input.
func (in input) digest(h crypto.Hash, password, salt []byte) []byte {
	d := newDigest(h.New)
	defer d.wipe()

	for _, p := range in {
		switch p.what {
		case "":
			d.Write(p.text)
		case "{salt}":
			d.Write(salt)
		case "{password}":
			d.Write(password)
		default:
			sum := p.inside.digest(digestNames[p.what], password, salt)
			text := hex.AppendEncode(nil, sum)
			d.Write(text)
			clear(sum)
			clear(text)
		}
	}
	return d.Sum(nil)
}

// hashOf returns the hash that is h over the input, with v's salt and sum.
func (in input) hashOf(h crypto.Hash, v *values) (password.Parsed, error) {
	if in.length(len(v.salt)) > maxInput {
		return nil, errInputSize
	}

	hashes := append(in.hashes(), h)
	compute := func(password []byte) []byte { return in.digest(h, password, v.salt) }
	return unstretched(in.count("{password}"), v, compute, hashes...)
}

var errInputSize = fmt.Errorf("want at most %d bytes of salt and text in what is digested", maxInput)
