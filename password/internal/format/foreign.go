// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// Strings that are hashes, or hold one, in a form that is not read: what a store has
// is easier to mend when its error says what it is.

import (
	"errors"
	"strings"
)

// ErrForeign is Parse's answer to a string of no form that it knows.
var ErrForeign = errors.New("not bcrypt, argon2, scrypt or PBKDF2 in a form that is read here")

// ErrSpace is Parse's answer to a string that is not read as it is, with white space around it.
var ErrSpace = errors.New("white space before or after the hash: want the hash alone")

const way = " is read only where Policy.Formats name it: see package fount/password/legacy"

// foreign are the forms that are known by their beginning, and not read. The names
// of modular crypt forms are those of crypt(5) of libxcrypt and of passlib.
var foreign = []struct {
	prefix, what string
}{
	{"$1$", "MD5-crypt, $1$," + way},
	{"$apr1$", "Apache's MD5-crypt, $apr1$," + way},
	{"$md5", "Solaris' MD5-crypt, $md5, is not read here"},
	{"$sha1$", "SHA-1-crypt, $sha1$, is not read here"},
	{"$3$", "NT hash, $3$, is not read here"},
	{"$5$", "SHA-256-crypt, $5$," + way},
	{"$6$", "SHA-512-crypt, $6$," + way},
	{"$y$", "yescrypt, $y$," + way},
	{"$gy$", "gost-yescrypt, $gy$, of GOST's digest, is not read here: let its users set a new password"},
	{"$sm3y$", "yescrypt with SM3, $sm3y$, is not read here: let its users set a new password"},
	{"$sm3$", "SM3-crypt, $sm3$, is not read here"},
	{"$P$", "phpass, $P$," + way},
	{"$H$", "phpass, $H$," + way},
	{"$S$", "Drupal's SHA-512, $S$," + way},
	{"$wp$", "WordPress' bcrypt over SHA-384, $wp$," + way},
	{"$hmac-", "Kratos' HMAC, $hmac-," + way},
	{"$fbscrypt$", "Firebase's scrypt, $fbscrypt$," + way},
	{"$firescrypt$", "Firebase's scrypt, $firescrypt$," + way},
	{"$pbkdf2$", "PBKDF2 with SHA-1, $pbkdf2$," + way},
	{"$argon2$", "argon2 without a variant, $argon2$, is not read here: want argon2id, argon2i or argon2d"},
	{"pbkdf2_sha", "Django's PBKDF2" + way},
	{"bcrypt_sha256$", "Django's bcrypt over SHA-256" + way},
	{"bcrypt$", "Django's bcrypt" + way},
	{"argon2$", "Django's argon2" + way},
	{"scrypt$", "Django's scrypt" + way},
	{"md5$", "Django's MD5" + way},
	{"sha1$", "Django's SHA-1" + way},
	{"scrypt:", "Werkzeug's scrypt" + way},
	{"pbkdf2:", "Werkzeug's PBKDF2" + way},
	{"!", none},
	{"*", none},
}

const none = "it begins with ! or *, which says that there is no password"

var (
	errEmpty = errors.New("it is empty")
	errLine  = errors.New("a line of htpasswd's or shadow's: want the hash alone, which follows the name and the first colon")
	errLDAP  = errors.New("a scheme in braces, as LDAP servers and Spring have, of which Policy.Formats reads some: see package fount/password/legacy")
	errDES   = errors.New("13 characters, as DES-crypt has, which is not read here")
	errTable = errors.New("a line of CSV or of several columns: want the hash alone")

	errBareMD5  = errors.New("32 hexadecimal digits, as a bare MD5 has: if it is of the password alone, store md5$$ and the digits; else see legacy.Digest")
	errBareSHA1 = errors.New("40 hexadecimal digits, as a bare SHA-1 has: if it is of the password alone, store sha1$$ and the digits; else see legacy.Digest")
	errBareSHA2 = errors.New("hexadecimal digits alone, as a bare SHA-2 has: see legacy.Digest")
)

const (
	desLen       = 13
	shadowFields = 9 // of a line, shadow(5)
)

// foreignError says what a string is that is none of those that are read, and
// nothing of what it holds.
func foreignError(s string) error {
	if s == "" {
		return errEmpty
	}
	if what := beginning(s); what != "" {
		return errors.New(what)
	}
	if err := bareDigest(s); err != nil {
		return err
	}
	if _, after, ok := strings.Cut(s, ":"); ok && (strings.HasPrefix(after, "$") ||
		strings.HasPrefix(after, "{SHA}") || isDES(after) || strings.Count(after, ":") == shadowFields-2) {
		return errLine
	}
	if s[0] == '{' && strings.Contains(s, "}") {
		return errLDAP
	}
	if isDES(s) {
		return errDES
	}
	if isTable(s) {
		return errTable
	}
	return ErrForeign
}

// beginning says which of foreign s is, or nothing.
func beginning(s string) string {
	for _, f := range foreign {
		if strings.HasPrefix(s, f.prefix) {
			return f.what
		}
	}
	return ""
}

// bareDigest is the error of hexadecimal digits and nothing else, as many as a digest has.
func bareDigest(s string) error {
	if strings.Trim(s, "0123456789abcdefABCDEF") != "" {
		return nil
	}
	switch len(s) {
	case 32:
		return errBareMD5
	case 40:
		return errBareSHA1
	case 56, 64, 96, 128:
		return errBareSHA2
	}
	return nil
}

// isTable reports whether a column of s, after its first, begins as a hash does.
func isTable(s string) bool {
	const separators = ",;|\t"
	if !strings.ContainsAny(s, separators) { // which is ten times as fast
		return false
	}
	first := true
	for column := range strings.FieldsFuncSeq(s, func(c rune) bool { return strings.ContainsRune(separators, c) }) {
		column = strings.Trim(column, `" `)
		if !first && (strings.HasPrefix(column, "$") || beginning(column) != "" || bareDigest(column) != nil) {
			return true
		}
		first = false
	}
	return false
}

func isDES(s string) bool { return len(s) == desLen && inAlphabet(s) }
