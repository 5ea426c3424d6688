// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package legacy reads password hashes that other software has stored, so that its users can sign
// in and get a new hash. It makes none, because a graphics card breaks several of these forms in an
// afternoon.
//
// Name the forms that the store has; everything else stays as it is:
//
//	formats, err := password.NewFormats(legacy.Django(), legacy.PHPass())
//	policy := password.Default()
//	policy.Formats = formats
//
// [All] has all forms that need no configuration, and [List] has them as a list, to add to.
// [FirebaseProject] and [Digest] make a form from what is known of a store. A hash that matches
// needs a rehash, unless it is a known hash in another form and costs more than the policy's. All
// forms are limited before any work (see password.Limits.Time). So that the time of a wrong
// password does not reveal these users, give the pool a sample of each frequent form: see
// password.Options.Stored.
//
// Most forms take a password's bytes as they are; the others are described at their functions.
// Programs in C (crypt, htpasswd, PHP's crypt and bcrypt) end a password at its first NUL; here all
// bytes count.
package legacy

import (
	"strings"
	"sync"

	"fount/password"
)

// A form is a password.Format.
type form struct {
	name  string
	parse func(encoded string) (password.Parsed, error)
}

func (f form) Name() string                                  { return f.name }
func (f form) Parse(encoded string) (password.Parsed, error) { return f.parse(encoded) }

// All returns all forms of this package that need no configuration, each time the same
// *password.Formats.
func All() *password.Formats { return all() }

var all = sync.OnceValue(func() *password.Formats {
	formats, err := password.NewFormats(List()...)
	if err != nil {
		panic("legacy: " + err.Error())
	}
	return formats
})

// List returns the forms of All, for password.NewFormats with others beside them.
func List() []password.Format {
	return []password.Format{Django(), Werkzeug(), Spring(), ASPNET(), PBKDF2SHA1(), MD5Crypt(),
		SHA256Crypt(), SHA512Crypt(), PHPass(), WordPress(), Drupal(), LDAP(), Bcrypt(), Firebase(),
		Kratos(), Yescrypt()}
}

// prefixed is a form that begins with one of the prefixes; parse gets what follows it.
func prefixed(name string, parse func(prefix, rest string) (password.Parsed, error), prefixes ...string) password.Format {
	return form{name, func(encoded string) (password.Parsed, error) {
		for _, prefix := range prefixes {
			if rest, ok := strings.CutPrefix(encoded, prefix); ok {
				return parse(prefix, rest)
			}
		}
		return nil, nil
	}}
}
