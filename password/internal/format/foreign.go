// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// Strings that are hashes, or hold one, in a form that is not read: a store is easier to mend
// when its error says what it has.

import (
	"errors"
	"fmt"
	"strings"
)

// ErrForeign is Parse's answer to a string of no form that it knows.
var ErrForeign = errors.New("not bcrypt, argon2, scrypt or PBKDF2 in a form that is read here")

// ErrSpace is Parse's answer to a string with white space around it that is not read.
var ErrSpace = errors.New("white space before or after the hash: want the hash alone")

// inLegacy are beginnings of what package legacy reads.
var inLegacy = []string{
	"$1$", "$apr1$", "$5$", "$6$", "$y$", "$2x$", "$bcrypt-sha", // crypt(3) and passlib
	"$P$", "$H$", "$S$", "$wp$", "$pbkdf2$", "$hmac-", "$fbscrypt$", "$firescrypt$",
	"pbkdf2_sha", "bcrypt_sha", "bcrypt$", "argon2$", "scrypt$", "md5$", "sha1$", // Django
	"scrypt:", "pbkdf2:", // Werkzeug
}

// unread are beginnings of what nothing here reads, as libxcrypt and passlib name it.
var unread = []string{"$2$", "$md5", "$sha1$", "$3$", "$gy$", "$sm3y$", "$sm3$", "$argon2$"}

var (
	errEmpty  = errors.New("it is empty")
	errNone   = errors.New("it begins with ! or *, which says that there is no password")
	errLine   = errors.New("a line of several columns, as of htpasswd, shadow or CSV: want the hash alone")
	errBraces = errors.New("a scheme in braces, as LDAP servers and Spring have, of which Policy.Formats reads some: " +
		"see package fount/password/legacy")
	errDES  = errors.New("13 characters, as DES-crypt has, which is not read here")
	errBare = errors.New("hexadecimal digits alone, as a bare MD5, SHA-1 or SHA-2 has: if it is of the " +
		"password alone, store md5$$ or sha1$$ before it; else see legacy.Digest")
)

// foreignError says what a string is that is none of those that are read, and repeats nothing of
// it but the beginning of its form.
func foreignError(s string) error {
	if s == "" {
		return errEmpty
	}
	if err := known(s); err != nil {
		return err
	}
	const separators = ":,;|\t"
	first := strings.IndexAny(s, separators)
	if first < 0 {
		return ErrForeign
	}
	isSeparator := func(c rune) bool { return strings.ContainsRune(separators, c) }
	for column := range strings.FieldsFuncSeq(s[first:], isSeparator) {
		column = strings.Trim(column, `" `)
		if strings.HasPrefix(column, "$") || column != "" && known(column) != nil {
			return errLine
		}
	}
	return ErrForeign
}

// known says what the whole of s is, which is not empty; nil: nothing known.
func known(s string) error {
	for _, prefix := range inLegacy {
		if strings.HasPrefix(s, prefix) {
			return fmt.Errorf("it begins with %s, which is read only where Policy.Formats name its form: "+
				"see package fount/password/legacy", prefix)
		}
	}
	for _, prefix := range unread {
		if strings.HasPrefix(s, prefix) {
			return fmt.Errorf("it begins with %s, which is not read here: let its users set a new password", prefix)
		}
	}
	switch {
	case s[0] == '{' && strings.Contains(s, "}"):
		return errBraces
	case s[0] == '!' || s[0] == '*':
		return errNone
	case len(s) == 13 && InCrypt64(s):
		return errDES
	}
	switch len(s) {
	case 32, 40, 56, 64, 96, 128:
		if strings.Trim(s, "0123456789abcdefABCDEF") == "" {
			return errBare
		}
	}
	return nil
}
