// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fount/password"
)

// A DigestForm describes the hashes that a program made for itself: one digest of password and
// salt. Of
//
//	legacy.DigestForm{Name: "shop", Hash: crypto.SHA1,
//		Input: "{salt}--{password}", Stored: "sha1:{salt}:{sum:hex}"}
//
// a stored string is sha1:k3j4:1e0a..., and its sum the SHA-1 of k3j4--, and the password. What the
// program added to all passwords is a part of Input. Where the salt has a column of its own, make a
// string of both. A bare MD5 in hexadecimal has the Input {password} and is Stored as {sum:hex};
// the programs of this module, which take no description, read it as Django's, behind md5$$.
type DigestForm struct {
	Name string // see password.Format

	Hash crypto.Hash // MD5, SHA1, SHA224, SHA256, SHA384 or SHA512

	// Input is what was hashed: text with {password}, once, and {salt} as often as need be. With
	// the salt in it, it has at most 128 bytes beside the password.
	Input string

	// Stored is what is stored: text with the sum as {sum:hex}, of which either case is read, or
	// {sum:base64}, padded, and the salt, if there is one, as {salt}, which stands for itself,
	// {salt:hex} or {salt:base64}, which stand for the bytes that they encode. A salt has at most
	// 64 bytes.
	Stored string
}

// Digest returns the form that d describes. The error of a description that can't be says what
// would be right, and repeats nothing of Input, which may hold a secret. Name begins to matter in
// password.NewFormats.
func Digest(d DigestForm) (password.Format, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	text := regexp.MustCompile("(?s)^" + d.pattern() + "$")
	prefix := d.Stored[:strings.Index(d.Stored, "{s")]
	return form{d.Name, func(encoded string) (password.Parsed, error) {
		at := text.FindStringSubmatchIndex(encoded)
		switch {
		case at != nil:
			return d.parsed(encoded, text.SubexpNames(), at)
		case prefix != "" && strings.HasPrefix(encoded, prefix):
			return nil, errNotStored
		}
		return nil, nil
	}}, nil
}

var errNotStored = errors.New("it begins as DigestForm.Stored says, and does not go on as that says")

func (d DigestForm) check() error {
	count := strings.Count
	sums := count(d.Stored, "{sum:hex}") + count(d.Stored, "{sum:base64}")
	salts := count(d.Stored, "{salt}") + count(d.Stored, "{salt:hex}") + count(d.Stored, "{salt:base64}")
	salted := count(d.Input, "{salt}")
	fixed := len(d.Input) - salted*len("{salt}") - len("{password}")
	switch known := []crypto.Hash{crypto.MD5, crypto.SHA1, crypto.SHA224, crypto.SHA256, crypto.SHA384, crypto.SHA512}; {
	case !slices.Contains(known, d.Hash):
		return fmt.Errorf("legacy: Hash is %v; want crypto.MD5, SHA1, SHA224, SHA256, SHA384 or SHA512", d.Hash)
	case count(d.Input, "{password}") != 1:
		return fmt.Errorf("legacy: Input has {password} %d times; want it once", count(d.Input, "{password}"))
	case sums != 1:
		return fmt.Errorf("legacy: Stored %q; want {sum:hex} or {sum:base64} in it, once", d.Stored)
	case salts > 1 || (salts == 1) != (salted > 0):
		return fmt.Errorf("legacy: Stored %q has {salt} %d times, Input %d times; "+
			"want it in both or in neither, and once in Stored", d.Stored, salts, salted)
	case fixed > 128:
		return fmt.Errorf("legacy: Input has %d bytes of text; want at most 128", fixed)
	}
	return nil
}

// pattern returns Stored as a regular expression with groups that are named salt and sum, and how
// they are encoded. All but the salt has a fixed length, so that there is one way to match.
func (d DigestForm) pattern() string {
	size := d.Hash.Size()
	filled := base64.StdEncoding.EncodedLen(size)
	padding := strings.Repeat("=", (3-size%3)%3)
	return strings.NewReplacer(
		`\{salt\}`, `(?P<salt>.{0,64})`,
		`\{salt:hex\}`, `(?P<salthex>[0-9a-fA-F]{0,128})`,
		`\{salt:base64\}`, `(?P<saltbase64>[A-Za-z0-9+/]{0,86}={0,2})`,
		`\{sum:hex\}`, fmt.Sprintf(`(?P<hex>[0-9a-fA-F]{%d})`, 2*size),
		`\{sum:base64\}`, fmt.Sprintf(`(?P<base64>[A-Za-z0-9+/]{%d}%s)`, filled-len(padding), padding),
	).Replace(regexp.QuoteMeta(d.Stored))
}

// parsed decodes the groups, which lie where at says.
func (d DigestForm) parsed(encoded string, names []string, at []int) (password.Parsed, error) {
	var s scan
	var salt, sum []byte
	var end string
	for i, name := range names {
		text := encoded[at[2*i]:at[2*i+1]]
		switch name {
		case "salt":
			salt = []byte(text)
			s.want(len(salt) <= 64, errSalt) // the pattern counts characters
		case "salthex":
			salt = s.hex(strings.ToLower(text))
		case "saltbase64":
			salt = s.base64(std64, text)
		case "hex":
			sum, end = s.hex(strings.ToLower(text)), blank(text, "0")+encoded[at[2*i+1]:]
		case "base64":
			sum, end = s.base64(std64, text), blank(text, "A")+encoded[at[2*i+1]:]
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	before, after, _ := strings.Cut(d.Input, "{password}")
	return ending(end)(saltedAround(d.Hash.New, before, after, "{salt}", salt, sum))
}
