// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// DigestForm.Input: text, salt, password, and digests of these.

import (
	"crypto"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"fount/password"
)

// A piece is a part of an input.
type piece struct {
	what   string // "" for text, "{salt}", "{password}", or the name of a digest
	inside input  // what the digest is of
	text   []byte
}

type input []piece

// maxInput bounds the bytes of text and salt in an input, and maxPasswords how often it has the
// password, and how many digests.
const maxInput, maxPasswords = 128, 8

var errInput = errors.New("legacy: Input has a digest without its closing parenthesis")

// parseInput parses an input. Errors contain nothing of it.
func parseInput(s string) (input, error) {
	in, rest, err := parsePieces(s, false)
	if err == nil && rest != "" {
		err = errInput
	}
	if n := in.passwords(); err == nil && (n < 1 || n > maxPasswords) {
		err = fmt.Errorf("legacy: Input has {password} %d times; want 1 to %d", n, maxPasswords)
	}
	if n := len(in.hashes()); err == nil && n > maxPasswords {
		err = fmt.Errorf("legacy: Input has %d digests; want at most %d", n, maxPasswords)
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
			in, s = append(in, piece{what: s[:n]}), s[n:]
		default:
			in, s = in.with(s[0]), s[1:]
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

func (in input) passwords() (n int) { return in.count("{password}") }

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
	return unstretched(in.passwords(), v, compute, hashes...)
}

var errInputSize = fmt.Errorf("want at most %d bytes of salt and text in what is digested", maxInput)
