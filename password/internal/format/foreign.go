// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// What is said of strings that are hashes, or contain one, in a form that this package does not
// read.

import (
	"errors"
	"slices"
	"strings"
)

// Foreign is Parse's error for a string whose form it does not know.
type Foreign string

func (f Foreign) Error() string { return string(f) }

// ErrForeign is the error for a string that looks like no known form.
const ErrForeign = Foreign("not bcrypt, argon2, scrypt or PBKDF2, and of no other form that is read here")

// ErrSpace is Parse's error for a string with white space around it.
var ErrSpace = errors.New("white space before or after the hash: want the hash alone")

// unread has beginnings of strings that neither package reads.
var unread = []string{"$2$", "$md5,", "$3$", "$gy$", "$sm3y$", "$sm3$", "$argon2$"}

const (
	errEmpty = Foreign("it is empty")
	errNone  = Foreign("it begins with ! or *, which says that there is no password")
	errLine  = Foreign("several parts: of a line of htpasswd, shadow or CSV give the column of the hash; of a digest " +
		"beside its salt, or of another program's form, give all, and see package fount/password/legacy")
	errSalted = Foreign("a digest and its salt, which several programs write alike: keep both, and describe what was hashed " +
		"by legacy.Digest")
	errBraces = Foreign("a scheme in braces, as LDAP servers and Spring have, of which Policy.Formats reads some: " +
		"see package fount/password/legacy")
	errMarked = Foreign("parts between $, as other programs' hashes have, and none of Policy.Formats reads this: " +
		"see package fount/password/legacy")
	errQuoted = Foreign("quotation marks around it: want what is between them")
	errMySQL  = Foreign("MySQL's hash of an account of the database, which is not read here: let its users set a new password")
	errDES    = Foreign("13 or 20 characters, as crypt(3) writes with DES, which is not read here: let its users set a new password")
	errBare   = Foreign("hexadecimal digits alone, as a bare MD5, SHA-1 or SHA-2 has: if it is of the " +
		"password alone, store md5$$ or sha1$$ before it; else see legacy.Digest")
)

// foreignError returns the error for a string that is not read. It repeats nothing of the string
// but a beginning of unread.
func foreignError(s string) error {
	if s == "" {
		return errEmpty
	}
	if err := known(s); err != nil {
		return err
	}

	first := strings.IndexAny(s, separators)
	if first < 0 {
		return ErrForeign
	}
	if first > 0 && known(s[:first]) == errBare {
		return errSalted
	}

	isSeparator := func(c rune) bool { return strings.ContainsRune(separators, c) }
	for column := range strings.FieldsFuncSeq(s[first:], isSeparator) {
		column = strings.Trim(column, `" `)
		if column != "" && known(column) != nil {
			return errLine
		}
	}
	return ErrForeign
}

// separators end columns.
const separators = ":,;|\t"

// known returns the error for an s of a known form, or nil. s is not empty.
func known(s string) error {
	for _, prefix := range unread {
		if strings.HasPrefix(s, prefix) {
			return unreadError(prefix)
		}
	}

	head := s
	if i := strings.IndexAny(s, separators); i >= 0 {
		head = s[:i]
	}
	isSalted := len(s) == 20 && s[0] == '_'
	switch {
	case s[0] == '{' && strings.Contains(s, "}"):
		return errBraces
	case s[0] == '"' || s[0] == '\'':
		return errQuoted
	case s[0] == '*' && len(s) == 41 && isHex(s[1:]):
		return errMySQL
	case s[0] == '!' || s[0] == '*':
		return errNone
	case len(s) == 13 && InCrypt64(s), isSalted && InCrypt64(s[1:]):
		return errDES
	case s[0] == '$' || strings.Count(head, "$") >= 2:
		return errMarked
	case isHex(s) && slices.Contains(digestDigits, len(s)):
		return errBare
	}
	return nil
}

func unreadError(prefix string) error {
	return Foreign("it begins with " + prefix + ", which is not read here: let its users set a new password")
}

// digestDigits are the lengths of MD5, SHA-1 and SHA-2 in hexadecimal.
var digestDigits = []int{32, 40, 56, 64, 96, 128}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }
