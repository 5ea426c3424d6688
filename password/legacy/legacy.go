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
// # Makers
//
// Package password itself reads bcrypt ($2a$, $2b$, $2y$), argon2, scrypt and PBKDF2 in PHC's and
// passlib's forms, which PHP, libsodium, Node's argon2, passwap and Symfony write too. This package
// reads the strings of the following makers, by the forms named:
//
//	389 Directory Server   ldap                   macOS                pbkdf2
//	AdonisJS               scrypt                 Magento 1            magento1
//	AIX                    ldap                   Mattermost           pbkdf2
//	Apache htpasswd        md5-crypt, ldap        MediaWiki            mediawiki
//	ASP.NET Core Identity  aspnet                 mosquitto            mosquitto
//	Atlassian              pbkdf2-sha1            mosquitto-auth-plug  mosquitto-auth-plug
//	Authelia, go-crypt     pbkdf2                 mosquitto-go-auth    pbkdf2
//	crypt(3)               *-crypt                NetBSD               sha1-crypt
//	Django                 django, django-salted  Nextcloud            nextcloud
//	Dovecot                ldap                   OpenDJ, ForgeRock    ldap
//	Drupal                 drupal                 OpenLDAP             ldap
//	Firebase, Supabase     firebase               osCommerce           magento1
//	Flask, Werkzeug        werkzeug               passlib              pbkdf2-sha1, bcrypt-old
//	FreeIPA                ldap                   phpBB, phpass        phpass
//	GLAuth                 glauth                 Ruby's scrypt        scrypt
//	GRUB                   pbkdf2                 Shiro 1              shiro
//	IPB, MyBB              mybb                   simple-scrypt        scrypt
//	Jakarta Security       pbkdf2                 Spring Security      spring
//	Jenkins                jenkins                vBulletin            vbulletin
//	Joomla                 joomla                 web2py               web2py
//	Keycloak               func Keycloak          WordPress            wordpress, phpass
//	Kratos                 kratos, firebase, ldap yescrypt             yescrypt
//	lambdaworks scrypt     scrypt
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

// formOf returns the form that reads all of the rows.
func formOf(name string, rows ...row) *form {
	all := &form{name: name}
	for _, r := range rows {
		described, err := r.describe()
		if err != nil {
			panic(err) // rows are constants
		}
		all.patterns = append(all.patterns, described.compile())
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
			best = matched
			wrong = err
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
// that made it, which takes the place of the one in the list.
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

// Form returns the form with the name, which reads all that its maker writes:
//
//   - argon2-padded: argon2 in PHC form with padded base64.
//   - aspnet: ASP.NET Core Identity, versions 2 and 3, which is base64.
//   - bcrypt-old: bcrypts that package password does not read: $2x$, of crypt_blowfish before 1.1,
//     which took bytes above 127 for negative numbers, so that several passwords may match and a
//     password with such bytes keeps its hash; and passlib's bcrypt-sha256 of version 1 and, over
//     2a, 2x and 2y, of version 2.
//   - django: Django's hashers: pbkdf2_sha256, pbkdf2_sha1, argon2, bcrypt, bcrypt_sha256, scrypt,
//     crypt, md5 and sha1, the last two also without salt. As in Django, only the first 72 bytes of
//     a password count for bcrypt. List's does not read salted md5 and sha1, which Werkzeug and
//     web2py write with other sums.
//   - django-salted: what subclasses of Django's salted hashers write: sha224$ to sha512$, a salt,
//     and the digest of both. Werkzeug and web2py write the same strings with other sums:
//     password.NewFormats with several accepts the sum of each, but password.Wrap needs one.
//   - drupal: Drupal 7 to 10.0, $S$: phpass's algorithm with SHA-512. U$S$ is the same of the
//     password's MD5 in hexadecimal, which came from Drupal 6.
//   - firebase: Firebase's scrypt in strings with the project's parameters:
//     $fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=...$salt$sum, which Supabase reads, with or without
//     ss=, and Kratos' $firescrypt$ln=14,r=8,p=1$salt$sum$separator$key. For strings without a key
//     see FirebaseProject.
//   - glauth: GLAuth: a bcrypt in hexadecimal.
//   - jenkins: Jenkins' #jbcrypt:.
//   - joomla: Joomla before 3.2: the MD5 of password and salt, a colon and the salt. Some thirty
//     programs write the same text with other sums, so List's reads nothing. Those that are not
//     here are described by Digest.
//   - kratos: strings that only Ory's Kratos writes: $md5$, $sha1$, $sha256$ and $sha512$ with a
//     format of what was hashed (pf), $hmac-...$ but for MD4, $pbkdf2-sha1$, $pbkdf2-sha224$ and
//     $pbkdf2-sha384$, the last two of which use SHA-3, $scrypt$ with N in ln, and crypt(3)'s as
//     $md5-crypt$, $sha256-crypt$ and $sha512-crypt$. firebase and ldap read its others.
//   - ldap: what directory and mail servers keep in userPassword: RFC 2307's {SSHA}, {SSHA256},
//     {SSHA384}, {SSHA512} and {SMD5}, also without salt, and {CRYPT}; OpenLDAP's {ARGON2},
//     {PBKDF2}, {PBKDF2-SHA1}, {PBKDF2-SHA256} and {PBKDF2-SHA512}; 389's and IPA's
//     {PBKDF2_SHA256}; OpenDJ's {PBKDF2-HMAC-SHA256}, {PBKDF2-HMAC-SHA512} and {BCRYPT}; AIX'
//     {smd5}, {ssha1}, {ssha256} and {ssha512}; Dovecot's {SHA512-CRYPT}, {SHA256-CRYPT},
//     {MD5-CRYPT}, {BLF-CRYPT}, {ARGON2ID}, {ARGON2I}, {PLAIN-MD5}, {LDAP-MD5}, {PBKDF2}$1$, and
//     digests with .HEX and .b64. The case of the name in braces does not matter.
//   - magento1: Magento 1 and osCommerce: the MD5 of salt and password. See joomla.
//   - md5-crypt: FreeBSD's $1$ and Apache's $apr1$, of 1000 rounds.
//   - mediawiki: MediaWiki's :A:, :B:, :pbkdf2: and :argon2:.
//   - mosquitto: mosquitto_passwd's $6$ and $7$.
//   - mosquitto-auth-plug: mosquitto-auth-plug and emoncms: PBKDF2$sha256$, whose salt is the text
//     that is stored. pbkdf2 reads mosquitto-go-auth's, whose salt is in base64.
//   - mybb: MyBB and IPB: the MD5 of the salt's MD5 and the password's. See joomla.
//   - nextcloud: Nextcloud's 1|, 2| and 3| before a bcrypt or an argon2.
//   - pbkdf2: what Authelia, go-crypt, passwap, Mattermost 11, Jakarta Security, mosquitto-go-auth,
//     GRUB and macOS write (List's does not read mosquitto-go-auth's PBKDF2$), passlib's
//     cta_pbkdf2_sha1, and $pbkdf2-sha256$ and $pbkdf2-sha512$ in other base64, or with longer or
//     shorter sums, than package password reads.
//   - pbkdf2-sha1: passlib's and Atlassian's PBKDF2 with SHA-1: $pbkdf2$, {PKCS5S2}.
//   - phpass: phpass's portable hash, $P$, which phpBB writes as $H$: 2^7 to 2^30 times MD5. A
//     password matches as it is, and as the program took it from a form: WordPress with backslashes
//     before quotes and without white space around it, phpBB with HTML's entities for &, <, >
//     and ". If white space was removed, the hash is not replaced. (phpBB 3.1 and later hash that by
//     bcrypt, and their strings don't show it: verify those with html.EscapeString of the password
//     if it differs.)
//   - scrypt: simple-scrypt for Go, Ruby's and lambdaworks' scrypt, @phc/scrypt and AdonisJS.
//   - sha1-crypt: NetBSD's $sha1$.
//   - sha256-crypt, sha512-crypt: crypt(3)'s $5$ and $6$, of 1000 to 999,999,999 rounds.
//   - shiro: Apache Shiro 1's $shiro1$ with MD5, SHA-1 or SHA-2. Shiro 2's $shiro2$, before argon2
//     and bcrypt, is not read.
//   - spring: Spring Security's DelegatingPasswordEncoder with the default encoders, so without a
//     secret: {bcrypt}, {scrypt}, {argon2} and {pbkdf2}, also with @SpringSecurity_v5_8, {ldap},
//     {MD5}, {SHA-1}, {SHA-256} and {sha256}. {noop} is refused.
//   - vbulletin: vBulletin: the MD5 of the password's MD5 and the salt. See joomla.
//   - web2py: web2py's CRYPT without a key of the application: pbkdf2(1000,20,sha512)$salt$sum and
//     digest$salt$sum: see django-salted.
//   - werkzeug: Werkzeug and Flask: scrypt:N:r:p$salt$sum, pbkdf2:digest:i$salt$sum, and from
//     before version 3 digest$salt$sum, an HMAC under the salt: see django-salted.
//   - wordpress: WordPress since 6.8, $wp$2y$: bcrypt of base64(HMAC-SHA-384(password)). Older
//     versions used phpass. The password is taken as WordPress takes it from a form, with
//     backslashes before quotes and without white space around it; if there was any, the hash is
//     not replaced.
//   - yescrypt: crypt(3)'s $y$, the default of most Linux distributions, with the settings that
//     their crypt_gensalt writes (flavor j, one lane, no more passes, no ROM), N up to 2^31 and r
//     up to 255. Package password itself reads $7$.
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
