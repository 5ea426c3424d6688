// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package legacy reads password hashes that other programs have stored, so that their users can
// sign in and get a new hash. It makes no hash in these forms, because a graphics card breaks
// several of them in an afternoon.
//
// Name the forms that your store has:
//
//	formats, err := password.NewFormats(legacy.Django(), legacy.PHPass())
//	policy := password.Default()
//	policy.Formats = formats
//
// [All] returns all forms that need no configuration, and [List] returns them as a list, to add
// others. [FirebaseProject] and [Digest] make a form from a description of a store. A hash that
// matches needs a rehash, unless package password could compute it itself and it costs more than
// the policy's, or other passwords match as well. password.Limits apply before a hash is computed.
// So that the time of a wrong password does not reveal these users, give the pool a sample of each
// frequent form: see password.Options.Stored.
//
// Most forms take a password's bytes as they are; the functions describe the others. Programs in C
// (crypt, htpasswd, PHP's crypt and bcrypt) end a password at its first NUL; here all bytes count.
//
// # Makers
//
// Package password itself reads bcrypt ($2a$, $2b$, $2y$), argon2, scrypt and PBKDF2 in PHC's and
// passlib's forms, which PHP, libsodium, Node's argon2, passwap and Symfony write too. This package
// reads the strings of the following makers, with the functions named:
//
//	389 Directory Server   LDAP           Kratos              Kratos, Firebase, LDAP
//	AIX                    LDAP           lambdaworks scrypt  Scrypt
//	Apache htpasswd        MD5Crypt, LDAP macOS               PBKDF2
//	ASP.NET Core Identity  ASPNET         Mattermost          PBKDF2
//	Atlassian              PBKDF2SHA1     MediaWiki           MediaWiki
//	Authelia, go-crypt     PBKDF2         mosquitto           Mosquitto, PBKDF2
//	crypt(3)               *Crypt         NetBSD              SHA1Crypt
//	Django                 Django         Nextcloud           Nextcloud
//	Dovecot                LDAP           OpenDJ, ForgeRock   LDAP
//	Drupal                 Drupal         OpenLDAP            LDAP
//	Firebase, Supabase     Firebase       passlib             PBKDF2SHA1, Bcrypt
//	Flask, Werkzeug        Werkzeug       phpBB, phpass       PHPass
//	FreeIPA                LDAP           Ruby's scrypt       Scrypt
//	GLAuth                 GLAuth         Shiro 1             Shiro
//	GRUB                   PBKDF2         simple-scrypt       Scrypt
//	Jakarta Security       PBKDF2         Spring Security     Spring
//	Jenkins                Jenkins        web2py              Web2py
//	Joomla                 Joomla         WordPress           WordPress, PHPass
//	Keycloak               Keycloak       yescrypt            Yescrypt
//
// [Digest] reads digests of password and salt, PBKDF2 and scrypt of other programs. Not read are
// sums of at most 64 bits, which other passwords may match (DES' and BSDi's crypt(3), MySQL's old
// hash); NTLM, LM and the hashes of SQL Server, Oracle and MySQL, which need the password in
// another encoding or are accounts of databases; hashes with a secret that is not in the string
// (Rails before bcrypt, Django's and web2py's keys, Symfony's and Drupal's peppers); and what
// nobody has asked for ($gy$, $sm3$, Sun's $md5, Lotus', SAP's, argon2 with data=, Shiro 2, dlitz'
// $p5k2$).
package legacy

import (
	"fmt"
	"sync"

	"fount/password"
)

// A form is the password.Format of a maker's rows.
type form struct {
	name     string
	patterns []*pattern
}

func (f form) Name() string { return f.name }

// Parse returns the result of the first row that reads encoded, or the error of the row that read
// most of it.
func (f form) Parse(encoded string) (password.Parsed, error) {
	var best int
	var wrong error
	for _, p := range f.patterns {
		parsed, matched, err := p.parse(encoded)
		if parsed != nil {
			return parsed, nil
		}
		if err != nil && matched > best {
			best, wrong = matched, err
		}
	}
	return nil, wrong
}

// All returns all forms of List. It always returns the same *password.Formats.
func All() *password.Formats { return all() }

var all = sync.OnceValue(func() *password.Formats {
	formats, err := password.NewFormats(List()...)
	if err != nil {
		panic("legacy: " + err.Error())
	}
	return formats
})

// List returns all forms that need no configuration, for password.NewFormats with others.
func List() (list []password.Format) {
	for _, f := range compiled() {
		list = append(list, f)
	}
	return list
}

var table struct {
	once  sync.Once // not OnceValue, as the table's own functions read it
	forms []form
}

// compiled returns the forms of makers, in that order.
func compiled() []form {
	table.once.Do(func() {
		for _, m := range makers() {
			table.forms = append(table.forms, formOf(m.name, m.rows...))
		}
	})
	return table.forms
}

func formOf(name string, rows ...row) form {
	f := form{name: name}
	for _, r := range rows {
		f.patterns = append(f.patterns, r.compile())
	}
	return f
}

// Form returns the form of List with the name, such as "django" or "ldap". Names has all names.
func Form(name string) (password.Format, error) {
	for _, f := range compiled() {
		if f.name == name {
			return f, nil
		}
	}
	return nil, fmt.Errorf("legacy: no form is named %q; want one of %v", name, Names())
}

// Names returns the names of the forms of List.
func Names() (names []string) {
	for _, f := range compiled() {
		names = append(names, f.name)
	}
	return names
}

// named is Form for a name that makers has.
func named(name string) password.Format {
	f, err := Form(name)
	if err != nil {
		panic(err)
	}
	return f
}
