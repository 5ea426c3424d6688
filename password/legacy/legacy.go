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
// others. What several programs write, each with another sum, they don't read: nobody can tell whose
// it is, and a guess that is wrapped loses the hash. Name the form that made it, as
// password.NewFormats(append(legacy.List(), legacy.Joomla())...) does. These strings are
//
//	MD5 in hexadecimal, colon, salt       Joomla, Magento1, MyBB, VBulletin
//	md5$ and sha1$ with salt              Django, Werkzeug, Web2py
//	sha224$ to sha512$ with salt          DjangoSalted, Werkzeug, Web2py
//	PBKDF2$sha256$ and PBKDF2$sha512$     PBKDF2, MosquittoAuthPlug
//
// [FirebaseProject] and [Digest] make a form from a description of a store. A hash that
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
//	389 Directory Server   LDAP                  macOS                PBKDF2
//	AdonisJS               Scrypt                Magento 1            Magento1
//	AIX                    LDAP                  Mattermost           PBKDF2
//	Apache htpasswd        MD5Crypt, LDAP        MediaWiki            MediaWiki
//	ASP.NET Core Identity  ASPNET                mosquitto            Mosquitto
//	Atlassian              PBKDF2SHA1            mosquitto-auth-plug  MosquittoAuthPlug
//	Authelia, go-crypt     PBKDF2                mosquitto-go-auth    PBKDF2
//	crypt(3)               *Crypt                NetBSD               SHA1Crypt
//	Django                 Django, DjangoSalted  Nextcloud            Nextcloud
//	Dovecot                LDAP                  OpenDJ, ForgeRock    LDAP
//	Drupal                 Drupal                OpenLDAP             LDAP
//	Firebase, Supabase     Firebase              osCommerce           Magento1
//	Flask, Werkzeug        Werkzeug              passlib              PBKDF2SHA1, Bcrypt
//	FreeIPA                LDAP                  phpBB, phpass        PHPass
//	GLAuth                 GLAuth                Ruby's scrypt        Scrypt
//	GRUB                   PBKDF2                Shiro 1              Shiro
//	IPB, MyBB              MyBB                  simple-scrypt        Scrypt
//	Jakarta Security       PBKDF2                Spring Security      Spring
//	Jenkins                Jenkins               vBulletin            VBulletin
//	Joomla                 Joomla                web2py               Web2py
//	Keycloak               Keycloak              WordPress            WordPress, PHPass
//	Kratos                 Kratos, Firebase, LDAP yescrypt             Yescrypt
//	lambdaworks scrypt     Scrypt
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
	"errors"
	"fmt"
	"sync"

	"fount/password"
)

// A form is the password.Format of a maker's rows. What other programs write with other sums it
// reads only if it is named, as nobody can tell whose it is.
type form struct {
	name     string
	patterns []*pattern
	named    *form // the form that reads all
}

var errShared = errors.New("several programs write this, each with another sum: keep all of it, and name the form " +
	"that made it, or describe what was hashed by legacy.Digest")

func formOf(name string, rows ...row) *form {
	all := &form{name: name}
	for _, r := range rows {
		all.patterns = append(all.patterns, r.compile())
	}
	all.named = all
	return all
}

func (f *form) Name() string { return f.name }

// Named returns the form that reads all of the maker's strings: see password.Formats.
func (f *form) Named() password.Format { return f.named }

// Parse returns the result of the first row that reads encoded, or the error of the row that read
// most of it.
func (f *form) Parse(encoded string) (password.Parsed, error) {
	var best int
	var wrong error
	for _, p := range f.patterns {
		parsed, matched, err := p.parse(encoded)
		if parsed != nil && p.method.shared && f.named != f {
			parsed, err = nil, errShared
		}
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

// List returns all forms that need no configuration, for password.NewFormats with others. They
// don't read what several programs write with different sums, unless it is wrapped: append the form
// that made it, such as Joomla(), which takes the place of the one in the list.
func List() (list []password.Format) {
	for _, f := range compiled() {
		list = append(list, f)
	}
	return list
}

var table struct {
	once  sync.Once // not OnceValue, as the table's own functions read it
	forms []*form
}

// compiled returns the forms of makers, in that order.
func compiled() []*form {
	table.once.Do(func() {
		for _, m := range makers() {
			f := *formOf(m.name, m.rows...) // whose named is another
			table.forms = append(table.forms, &f)
		}
	})
	return table.forms
}

// Form returns the form with the name, such as "django" or "joomla", which reads all that its maker
// writes. Names has all names.
func Form(name string) (password.Format, error) {
	for _, f := range compiled() {
		if f.name == name {
			return f.named, nil
		}
	}
	return nil, fmt.Errorf("legacy: no form is named %q; want one of %v", name, Names())
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
		if parsed, _, err := p.parse(encoded); parsed != nil && err == nil {
			return p.stored
		}
	}
	return ""
}

// named is Form for a name that makers has.
func named(name string) password.Format {
	f, err := Form(name)
	if err != nil {
		panic(err)
	}
	return f
}
