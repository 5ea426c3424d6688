// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package legacy reads password hashes that other programs have stored, so that their users can
// sign in and get a new hash. It makes no hash in these forms, because a graphics card breaks
// several of them in an afternoon.
//
// Name the forms that your store has:
//
//	django, err := legacy.Form("django")
//	...
//	policy := password.Default()
//	policy.Formats, err = password.NewFormats(django)
//
// [All] returns all forms that need no configuration, and [List] returns them as a list, to add
// others. What several programs write, each with another sum, they don't read: nobody can tell
// whose it is, and a guess that is wrapped loses the hash. Append the form that made it to the
// list. These strings are
//
//	MD5 in hexadecimal, colon, salt       joomla, magento1, mybb, vbulletin
//	md5$ and sha1$ with salt              django, werkzeug, web2py
//	sha224$ to sha512$ with salt          django-salted, werkzeug, web2py
//	PBKDF2$sha256$ and PBKDF2$sha512$     pbkdf2, mosquitto-auth-plug
//
// [FirebaseProject] and [Digest] make a form from a description of a store. A hash that
// matches needs a rehash, unless package password could compute it itself and it costs more than
// the policy's, or other passwords match as well. password.Limits apply before a hash is computed.
// So that the time of a wrong password does not reveal these users, give the pool a sample of each
// frequent form: see password.Options.Stored.
//
// Most forms take a password's bytes as they are; [Form] describes the others. Programs in C
// (crypt, htpasswd, PHP's crypt and bcrypt) end a password at its first NUL; here all bytes count.
//
// # Programs
//
// Package password itself reads bcrypt ($2a$, $2b$, $2y$), argon2, scrypt and PBKDF2 in PHC's and
// passlib's forms, which PHP, libsodium, Node's argon2, passwap and Symfony write too. [Form] lists
// the other programs by the names of their forms, and [Keycloak] converts that program's hashes.
//
// [Digest] reads digests of password and salt, PBKDF2 and scrypt of other programs. Not read are
// sums of at most 64 bits, which other passwords may match (DES' and BSDi's crypt(3), MySQL's old
// hash); NTLM, LM and the hashes of SQL Server, Oracle and MySQL, which need the password in
// another encoding or are accounts of databases; hashes with a secret that is not in the string
// (Rails before bcrypt, Django's and web2py's keys, Symfony's and Drupal's peppers); and what
// nobody has asked for ($gy$, $sm3$, Sun's $md5, Lotus', SAP's, argon2 with data=, Shiro 2, dlitz'
// $p5k2$).
//
// One more form is one more row of the table in makers.go, and a hash to try it.
package legacy

import (
	"errors"
	"sync"

	"fount/password"
)

// All returns all forms of List. It always returns the same *password.Formats.
func All() *password.Formats { return all() }

var all = sync.OnceValue(func() *password.Formats {
	formats, err := password.NewFormats(List()...)
	if err != nil {
		panic("legacy: " + err.Error())
	}
	return formats
})

// List returns all forms that need no configuration, for password.NewFormats with others. They
// don't read what several programs write with different sums, unless it is wrapped: append the form
// that made it, which takes the place of the one in the list.
func List() (list []password.Format) {
	for _, f := range compiled() {
		list = append(list, f)
	}
	return list
}

// Names returns the names of all forms that need no configuration.
func Names() (names []string) {
	for _, f := range compiled() {
		names = append(names, f.name)
	}
	return names
}

// Row returns how the form with the name writes encoded, such as "md5$${sum:hex}", or "" if it does
// not read it. Strings of one row were made alike.
func Row(name, encoded string) string {
	f, err := Form(name)
	if err != nil {
		return ""
	}

	for _, p := range f.(*form).patterns {
		parsed, _, err := p.parse(encoded)
		if parsed != nil && err == nil {
			return p.stored
		}
	}
	return ""
}

// A form is the password.Format of a maker's rows.
type form struct {
	name     string
	patterns []*pattern
	whole    *form // the form that reads the shared rows too; itself if this does
	crypt    bool  // {CRYPT} reads it
}

var errShared = errors.New("several programs write this, each with another sum: keep all of it, and name the form " +
	"that made it, or describe what was hashed by legacy.Digest")

// formOf returns the form that reads all of the maker's rows.
func formOf(m maker) *form {
	f := &form{name: m.name, crypt: m.crypt}
	f.whole = f

	for i, r := range append(m.rows, m.shared...) {
		p, err := r.compile()
		if err != nil {
			panic(err) // rows are constants
		}
		p.shared = i >= len(m.rows)
		f.patterns = append(f.patterns, p)
	}
	return f
}

func (f *form) Name() string { return f.name }

// Named returns the form that reads all of the maker's strings: see password.Formats.
func (f *form) Named() password.Format { return f.whole }

// Parse returns the result of the first row that reads encoded, or the error of the row that read
// most of it.
func (f *form) Parse(encoded string) (password.Parsed, error) {
	var farthest int
	var wrong error
	for _, p := range f.patterns {
		parsed, matched, err := p.parse(encoded)
		if parsed != nil && p.shared && f.whole != f {
			err = errShared
		}

		switch {
		case err == nil && parsed != nil:
			return parsed, nil
		case err != nil && matched > farthest:
			farthest = matched
			wrong = err
		}
	}
	return nil, wrong
}

var table struct {
	once  sync.Once // not OnceValue, as methods of the table's rows read it
	forms []*form
}

// compiled returns the forms of List, in the order of makers.
func compiled() []*form {
	table.once.Do(func() {
		for _, m := range makers() {
			// Only an address tells the copy from its original, which is its whole: Parse refuses
			// shared rows where f.whole is another form than f.
			f := *formOf(m)
			table.forms = append(table.forms, &f)
		}
	})
	return table.forms
}

// parseBy parses hash by the form with the name.
func parseBy(name, hash string) (password.Parsed, error) {
	f, err := Form(name)
	if err != nil {
		return nil, err
	}
	return f.Parse(hash)
}

// parseAs returns the method that has the form with the name parse {hash}, with prefix before it.
func parseAs(name, prefix string) method {
	return parseHash(func(hash string) (password.Parsed, error) { return parseBy(name, prefix+hash) })
}
