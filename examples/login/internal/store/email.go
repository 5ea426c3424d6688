// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package store

import (
	"net/mail"
	"strings"
	"unicode/utf8"
)

// Email returns an address as it is stored.
func Email(given string) string { return strings.ToLower(strings.TrimSpace(given)) }

// ParseEmail returns an address as it is stored, or ErrEmail if it has not the form of one, or more than 254 bytes. That it is its
// user's, only a mail to it would show.
func ParseEmail(given string) (string, error) {
	email := Email(given)
	parsed, err := mail.ParseAddress(email)
	// Lower case would make one of all bytes that are not UTF-8.
	if err != nil || parsed.Address != email || len(email) > 254 || !utf8.ValidString(given) {
		return "", ErrEmail
	}
	return email, nil
}
