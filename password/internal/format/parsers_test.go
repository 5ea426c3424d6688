// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// Each parser by itself, with what nobody writes.

import (
	"strings"
	"testing"

	"fount/internal/test/parsertest"
)

// parsers are what Parse chooses among: the beginnings of their strings, and what reads the rest.
var parsers = []struct {
	name, prefix string
	parse        func(s string) (Hash, error)
}{
	{"ParseBcrypt", "", parseBcrypt},
	{"ParseFountBcrypt", "$fount-bcrypt$", parseFountBcrypt},
	{"ParsePasslibBcrypt", "$bcrypt-sha256$", parsePasslibBcrypt},
	{"ParseArgon2", "$argon2id$", func(s string) (Hash, error) { return parseArgon2(Argon2id, s) }},
	{"ParseScrypt", "$scrypt$", parseScrypt},
	{"ParseScrypt7", "$7$", parseScrypt7},
	{"ParsePBKDF2", "$pbkdf2-sha256$", func(s string) (Hash, error) { return parsePBKDF2(PBKDF2SHA256, s) }},
	{"ParsePBKDF2SHA512", "$pbkdf2-sha512$", func(s string) (Hash, error) { return parsePBKDF2(PBKDF2SHA512, s) }},
	{"ForeignError", "", func(s string) (Hash, error) { return Hash{}, foreignError(s) }},
}

func parser(t testing.TB, name string) parsertest.Target {
	g := parsertest.Target{Name: name, Bytes: 512}
	for _, p := range parsers {
		if p.name != name {
			continue
		}
		for _, s := range stored(t) {
			if rest, ok := strings.CutPrefix(s, p.prefix); ok && (p.prefix != "" || strings.HasPrefix(s, "$2")) {
				g.Seeds = append(g.Seeds, rest)
			}
		}
		for _, f := range forms {
			if rest, ok := strings.CutPrefix(f.hash.String(), p.prefix); ok {
				g.Seeds = append(g.Seeds, rest)
			}
		}
		g.Parse = func(s string) (any, error) {
			h, err := p.parse(s)
			return h, err
		}
		g.Check = func(t testing.TB, s string, parsed any, err error) bool {
			h := parsed.(Hash)
			if err == nil && (h.Numbers() != nil || h.sizes() != nil) {
				t.Errorf("%s: %q: out of bounds: %+v", name, s, h)
			}
			return err == nil
		}
	}
	return g
}

func FuzzParseBcrypt(f *testing.F)        { parser(f, "ParseBcrypt").Fuzz(f) }
func FuzzParseFountBcrypt(f *testing.F)   { parser(f, "ParseFountBcrypt").Fuzz(f) }
func FuzzParsePasslibBcrypt(f *testing.F) { parser(f, "ParsePasslibBcrypt").Fuzz(f) }
func FuzzParseArgon2(f *testing.F)        { parser(f, "ParseArgon2").Fuzz(f) }
func FuzzParseScrypt(f *testing.F)        { parser(f, "ParseScrypt").Fuzz(f) }
func FuzzParseScrypt7(f *testing.F)       { parser(f, "ParseScrypt7").Fuzz(f) }
func FuzzParsePBKDF2(f *testing.F)        { parser(f, "ParsePBKDF2").Fuzz(f) }
func FuzzParsePBKDF2SHA512(f *testing.F)  { parser(f, "ParsePBKDF2SHA512").Fuzz(f) }
func FuzzForeignError(f *testing.F)       { parser(f, "ForeignError").Fuzz(f) }

// Each of them by the million.
func TestMutants(t *testing.T) {
	var targets []parsertest.Target
	for _, p := range parsers {
		targets = append(targets, parser(t, p.name))
	}
	parsertest.Mutate(t, targets)
}
