// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// A function for each maker of the table.

import (
	"errors"

	"fount/password"
)

// Django is what its hashers write: pbkdf2_sha256, pbkdf2_sha1, argon2, bcrypt, bcrypt_sha256,
// scrypt, crypt, md5 and sha1, the last two also without salt. Django itself cuts a bcrypt's
// password at 72 bytes.
func Django() password.Format { return named("django") }

// DjangoSalted is what subclasses of Django's salted hashers write: sha224$ to sha512$, a salt, and
// the digest of salt and password. Werkzeug and web2py write the same texts with other sums: where
// several are read, each is right, and password.Wrap wants one.
func DjangoSalted() password.Format { return named("django-salted") }

// Werkzeug is Flask's: scrypt:N:r:p$salt$sum and pbkdf2:digest:iterations$salt$sum, and of versions
// before 3 digest$salt$sum, which is an HMAC under the salt: see DjangoSalted.
func Werkzeug() password.Format { return named("werkzeug") }

// Web2py is its CRYPT's pbkdf2(1000,20,sha512)$salt$sum and digest$salt$sum, without a key of the
// application: see DjangoSalted.
func Web2py() password.Format { return named("web2py") }

// Spring is Spring Security's DelegatingPasswordEncoder with the encoders that its factory names:
// {bcrypt}, {scrypt}, {argon2} and {pbkdf2}, also with @SpringSecurity_v5_8, {ldap}, {MD5},
// {SHA-1}, {SHA-256} and {sha256}; with their defaults, so without a secret. {noop} is refused.
func Spring() password.Format { return named("spring") }

var errPlain = errors.New("{noop} holds the password itself: " +
	"hash it with password.Hash, and store that")

// ASPNET is ASP.NET Core Identity's, versions 2 and 3: base64 that begins with a byte 0 or 1.
func ASPNET() password.Format { return named("aspnet") }

// PBKDF2SHA1 is PBKDF2 with SHA-1 as passlib and Atlassian write it: $pbkdf2$ and {PKCS5S2}.
func PBKDF2SHA1() password.Format { return named("pbkdf2-sha1") }

// PBKDF2 is what Authelia, go-crypt, passwap, Mattermost 11, Jakarta Security, mosquitto-go-auth,
// GRUB and macOS write, passlib's cta_pbkdf2_sha1, and $pbkdf2-sha256$ and $pbkdf2-sha512$ in other
// base64 or with other sums than package password reads.
func PBKDF2() password.Format { return named("pbkdf2") }

// Scrypt is what simple-scrypt for Go, Ruby's and lambdaworks' scrypt and @phc/scrypt write.
func Scrypt() password.Format { return named("scrypt") }

// MD5Crypt is FreeBSD's and Apache's: $1$ and $apr1$. 1000 rounds, always.
func MD5Crypt() password.Format { return named("md5-crypt") }

// SHA1Crypt is NetBSD's $sha1$.
func SHA1Crypt() password.Format { return named("sha1-crypt") }

// SHA256Crypt is crypt(3)'s $5$, of 1000 to 999,999,999 rounds.
func SHA256Crypt() password.Format { return named("sha256-crypt") }

// SHA512Crypt is crypt(3)'s $6$, of 1000 to 999,999,999 rounds.
func SHA512Crypt() password.Format { return named("sha512-crypt") }

// Yescrypt is crypt(3)'s $y$, the default of most Linux distributions: with the settings that their
// crypt_gensalt writes (flavor j, one lane, no more passes, no ROM), of N up to 2^31 and r up to
// 255. Package password reads $7$ itself.
func Yescrypt() password.Format { return named("yescrypt") }

// PHPass is the portable hash of phpass, $P$, which phpBB calls $H$: 2^7 to 2^30 times MD5. A
// password is right as it is, and as the maker took it from a form: WordPress with backslashes
// before quotes and without white space around it, phpBB with the entities of HTML for &, <, > and
// ". (PhpBB 3.1 and later hash that by bcrypt, whose strings do not show it: verify those with
// html.EscapeString of what was given where that is another.)
func PHPass() password.Format { return named("phpass") }

// WordPress is what it stores since 6.8, $wp$2y$: bcrypt of base64(HMAC-SHA-384(password)). Before
// that it was PHPass. The password is that of WordPress' forms, with backslashes before quotes and
// without white space around it.
func WordPress() password.Format { return named("wordpress") }

// Drupal is what Drupal 7 to 10.0 store, $S$: SHA-512 in phpass's way. U$S$ is the same of the
// password's MD5, in hexadecimal, which came from Drupal 6.
func Drupal() password.Format { return named("drupal") }

// MediaWiki is its :A:, :B:, :pbkdf2: and :argon2:.
func MediaWiki() password.Format { return named("mediawiki") }

// Nextcloud is its 1|, 2| and 3|, which stand before a bcrypt or an argon2.
func Nextcloud() password.Format { return named("nextcloud") }

// Joomla is what it stored before 3.2: the MD5 of password and salt, a colon and the salt. A salt
// of hexadecimal digits alone is not read, as others write the same with other sums: see Digest.
func Joomla() password.Format { return named("joomla") }

// Jenkins is its #jbcrypt:.
func Jenkins() password.Format { return named("jenkins") }

// GLAuth is a bcrypt in hexadecimal.
func GLAuth() password.Format { return named("glauth") }

// Shiro is Apache Shiro 1's $shiro1$ with MD5, SHA-1 or SHA-2. Version 2 writes argon2 and bcrypt
// behind $shiro2$, which are not read.
func Shiro() password.Format { return named("shiro") }

// Mosquitto is mosquitto_passwd's $6$ and $7$.
func Mosquitto() password.Format { return named("mosquitto") }

// LDAP is what directory and mail servers keep in userPassword: of RFC 2307 and its successors
// {SSHA}, {SSHA256}, {SSHA384}, {SSHA512} and {SMD5}, the same without salt, and {CRYPT} with what
// crypt(3) makes; OpenLDAP's {ARGON2} and {PBKDF2}, also with -SHA1, -SHA256 or -SHA512 behind it;
// 389 Directory Server's and FreeIPA's {PBKDF2_SHA256}; OpenDJ's {PBKDF2-HMAC-SHA256} and {BCRYPT};
// AIX's {smd5}, {ssha1}, {ssha256} and {ssha512}; Dovecot's {SHA512-CRYPT}, {SHA256-CRYPT},
// {MD5-CRYPT}, {BLF-CRYPT}, {ARGON2ID}, {ARGON2I}, {PLAIN-MD5}, {LDAP-MD5} and {PBKDF2}$1$, and
// .HEX and .b64 behind a digest's name. The name's case does not matter.
func LDAP() password.Format { return named("ldap") }

// Bcrypt is bcrypts that package password does not read: $2x$, whose maker, crypt_blowfish before
// 1.1, took bytes above 127 for negative numbers, so that several passwords may match; and
// passlib's bcrypt-sha256 of version 1 and, over 2a, 2x and 2y, of version 2.
func Bcrypt() password.Format { return named("bcrypt-old") }

// Firebase is Firebase's scrypt in rows that hold the project's parameters:
// $fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=...$salt$sum, which Supabase reads, ss= or not, and Kratos'
// $firescrypt$ln=14,r=8,p=1$salt$sum$separator$key. For rows without a key there is
// FirebaseProject.
func Firebase() password.Format { return named("firebase") }

// Argon2 is argon2 in PHC form whose base64 is padded.
func Argon2() password.Format { return named("argon2-padded") }

// Kratos is what Ory's Kratos keeps in the forms that it alone writes: $md5$, $sha1$, $sha256$ and
// $sha512$ with the format of what was hashed (pf), $hmac-...$ but for MD4, $pbkdf2-sha1$,
// $pbkdf2-sha224$ and $pbkdf2-sha384$, the last two of which are SHA-3, $scrypt$ with N in ln, and
// crypt(3)'s as $md5-crypt$, $sha256-crypt$ and $sha512-crypt$. Firebase and LDAP read its others.
func Kratos() password.Format { return named("kratos") }
