// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"strings"

	"fount/password"
)

// LDAP is what directory and mail servers keep in userPassword: of RFC 2307 and its successors
// {SSHA}, {SSHA256}, {SSHA384}, {SSHA512} and {SMD5}, the same without salt, and {CRYPT} with what
// crypt(3) makes; OpenLDAP's {ARGON2} and {PBKDF2}, also with -SHA1, -SHA256 or -SHA512 behind it;
// Dovecot's {SHA512-CRYPT}, {SHA256-CRYPT}, {MD5-CRYPT}, {BLF-CRYPT}, {ARGON2ID} and {ARGON2I}. The
// name's case does not matter.
func LDAP() password.Format { return form{"ldap", ldap} }

func ldap(encoded string) (password.Parsed, error) {
	name, rest, ok := strings.Cut(strings.TrimPrefix(encoded, "{"), "}")
	if !ok || encoded[0] != '{' {
		return nil, nil
	}
	switch name = strings.ToLower(name); name {
	case "crypt", "sha512-crypt", "sha256-crypt", "md5-crypt", "blf-crypt":
		return crypt(rest)
	case "argon2", "argon2id", "argon2i":
		return known(rest, nil)
	case "pbkdf2":
		return passlibPBKDF2("sha1", rest)
	case "pbkdf2-sha1", "pbkdf2-sha256", "pbkdf2-sha512":
		return passlibPBKDF2(strings.TrimPrefix(name, "pbkdf2-"), rest)
	case "sha", "ssha":
		name += "1"
	}
	newHash, plain := digests[name]
	if !plain {
		newHash = digests[strings.TrimPrefix(name, "s")]
	}
	if newHash == nil {
		return nil, nil
	}
	var s scan
	b, size := s.base64(std64, rest), newHash().Size()
	s.want(len(b) >= size && plain == (len(b) == size), errSizes)
	if s.err != nil {
		return nil, s.err
	}
	return ending(blankFrom(b, 0, size))(salted(newHash, nil, b[size:], b[:size]))
}

// crypt is what crypt(3) makes, of which package password reads bcrypt and scrypt itself.
func crypt(encoded string) (password.Parsed, error) {
	for _, prefix := range []string{"$2a$", "$2b$", "$2y$", "$7$"} {
		if strings.HasPrefix(encoded, prefix) {
			return known(encoded, nil)
		}
	}
	for _, f := range []password.Format{
		MD5Crypt(), SHA256Crypt(), SHA512Crypt(), Yescrypt(), Bcrypt()} {
		if parsed, err := f.Parse(encoded); parsed != nil || err != nil {
			return parsed, err
		}
	}
	return nil, nil
}
