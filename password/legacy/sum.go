// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The sums that a row can describe: a digest of text, salt, password and other digests, PBKDF2, or
// scrypt.

import (
	"crypto"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"fount/password"
	"fount/password/internal/format"
)

// isSumName reports whether a field with the name is a sum that its row describes.
func isSumName(name string) bool {
	digest := strings.TrimPrefix(name, "pbkdf2-")
	return digestNames[digest] != 0 || name == "scrypt"
}

// newMethod returns the method of a sum that a row describes. Errors contain nothing of the
// argument.
//
//	{md5({salt}{password}):hex}           a digest: see Digest
//	{pbkdf2-sha1:hex}                     PBKDF2 of {i} iterations, of any size
//	{pbkdf2-sha1(1000):hex}               PBKDF2 of 1000 iterations
//	{scrypt:hex}                          scrypt
func newMethod(name, argument string) (method, error) {
	digest, isPBKDF2 := strings.CutPrefix(name, "pbkdf2-")
	switch {
	case isPBKDF2 && argument == "":
		return anyPBKDF2(digestNames[digest], 0), nil
	case isPBKDF2:
		n, ok := format.Number(argument)
		if !ok {
			return method{}, errIterations
		}
		return anyPBKDF2(digestNames[digest], n), nil
	case name == "scrypt" && argument == "":
		return scrypt, nil
	case name == "scrypt":
		return method{}, errScrypt
	}

	in, err := parseInput(argument)
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
	errNoSum = errors.New("legacy: a description without a sum, or with several; " +
		"want one such as {sha1({salt}{password}):hex}, {pbkdf2-sha256:base64} or {scrypt:hex}")
	errCoding     = errors.New("legacy: a field with an unknown coding; want hex, base64, raw64, ab64 or url64")
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
		return nil, fmt.Errorf("legacy: a digest of {password} %d times; want 1 to %d", passwords, maxPasswords)
	case digests > maxPasswords:
		return nil, fmt.Errorf("legacy: a digest of %d others; want at most %d", digests, maxPasswords)
	case text > maxInput:
		return nil, fmt.Errorf("legacy: a digest of %d bytes of text; want at most %d", text, maxInput)
	}
	return in, nil
}

// parsePieces parses s to its end or, if it is what a digest is of, to the parenthesis. It returns
// what follows that.
func parsePieces(s string, inDigest bool) (in input, rest string, err error) {
	for s != "" {
		if inDigest && s[0] == ')' {
			return in, s[1:], nil
		}

		name, inside, _ := strings.Cut(s, "(")
		isDigest := digestNames[name] != 0 && name != s
		if !isDigest {
			in, s = in.next(s, "{salt}", "{password}")
			continue
		}

		p := piece{what: name}
		p.inside, s, err = parsePieces(inside, true)
		if err != nil {
			return nil, "", err
		}
		in = append(in, p)
	}

	if inDigest {
		return nil, "", errInput
	}
	return in, "", nil
}

// next appends the first piece of s: a salt or a password, which have the names, or a byte of text.
// It returns the rest of s.
func (in input) next(s, salt, password string) (input, string) {
	if rest, ok := strings.CutPrefix(s, salt); ok {
		return append(in, piece{what: "{salt}"}), rest
	}
	if rest, ok := strings.CutPrefix(s, password); ok {
		return append(in, piece{what: "{password}"}), rest
	}

	last := len(in) - 1
	if last < 0 || in[last].what != "" {
		in = append(in, piece{})
		last++
	}
	in[last].text = append(in[last].text, s[0])
	return in, s[1:]
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
