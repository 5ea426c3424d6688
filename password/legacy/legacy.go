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
//
// # Makers
//
// Package password itself reads bcrypt ($2a$, $2b$, $2y$), argon2, scrypt and PBKDF2 in PHC's and
// passlib's forms, which are also those of PHP, libsodium, Node's argon2, passwap and Symfony. Here
// are read, by the function of that name or as it says:
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
// Left out are DES and BSDi's crypt(3) and MySQL's old hash, whose sums have 64 bits or fewer of
// which other passwords may be right, and MySQL's * with 40 digits, SQL Server's and Oracle's, NTLM
// and LM, which need the password in another encoding; scrypt's and gost's yescrypt ($gy$), $sm3$,
// MD5 of Sun ($md5,), Lotus, SAP and argon2 with data=, which nobody asked for; Shiro 2, and dlitz'
// $p5k2$; Firebase without a key, but by FirebaseProject; and what needs a secret beside the hash:
// Rails before bcrypt, Django's and web2py's keys, Symfony's and Drupal's peppers. A digest of
// password and salt in any order, PBKDF2 and scrypt are read by Digest.
package legacy

import (
	"fmt"
	"sync"

	"fount/password"
)

// A form is a maker's rows, as a password.Format.
type form struct {
	name     string
	patterns []*pattern
}

func (f form) Name() string { return f.name }

// Parse returns what the first row that reads encoded makes of it, or the error of the row that
// read most of it.
func (f form) Parse(encoded string) (password.Parsed, error) {
	var most int
	var wrong error
	for _, p := range f.patterns {
		parsed, right, err := p.parse(encoded)
		if parsed != nil {
			return parsed, nil
		}
		if err != nil && right > most {
			most, wrong = right, err
		}
	}
	return nil, wrong
}

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

// compiled returns the forms of the table, in its order.
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

// Form returns the form of List that has the name, such as "django" or "ldap": see the package's
// table.
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

// named is Form for a name of the table.
func named(name string) password.Format {
	f, err := Form(name)
	if err != nil {
		panic(err)
	}
	return f
}
