// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The exported functions, one for each maker in makers.go.

import (
	"errors"

	"fount/password"
)

// Django returns the form of Django's hashers: pbkdf2_sha256, pbkdf2_sha1, argon2, bcrypt,
// bcrypt_sha256, scrypt, crypt, md5 and sha1, the last two also without salt. As in Django, only
// the first 72 bytes of a password count for bcrypt. List's does not read salted md5 and sha1, which
// Werkzeug and web2py write with other sums.
func Django() password.Format { return named("django") }

// DjangoSalted returns the form that subclasses of Django's salted hashers write: sha224$ to
// sha512$, a salt, and the digest of both. Werkzeug and web2py write the same strings with other
// sums: NewFormats with several accepts the sum of each, but password.Wrap needs one.
func DjangoSalted() password.Format { return named("django-salted") }

// Werkzeug returns the form of Werkzeug and Flask: scrypt:N:r:p$salt$sum, pbkdf2:digest:i$salt$sum,
// and from before version 3 digest$salt$sum, an HMAC under the salt: see DjangoSalted.
func Werkzeug() password.Format { return named("werkzeug") }

// Web2py returns the form of web2py's CRYPT without a key of the application:
// pbkdf2(1000,20,sha512)$salt$sum and digest$salt$sum: see DjangoSalted.
func Web2py() password.Format { return named("web2py") }

// Spring returns the form of Spring Security's DelegatingPasswordEncoder with the default encoders,
// so without a secret: {bcrypt}, {scrypt}, {argon2} and {pbkdf2}, also with @SpringSecurity_v5_8,
// {ldap}, {MD5}, {SHA-1}, {SHA-256} and {sha256}. {noop} is refused.
func Spring() password.Format { return named("spring") }

var errPlain = errors.New("{noop} holds the password itself: " +
	"hash it with password.Hash, and store that")

// ASPNET returns the form of ASP.NET Core Identity, versions 2 and 3, which is base64.
func ASPNET() password.Format { return named("aspnet") }

// PBKDF2SHA1 returns the form of passlib's and Atlassian's PBKDF2 with SHA-1: $pbkdf2$, {PKCS5S2}.
func PBKDF2SHA1() password.Format { return named("pbkdf2-sha1") }

// PBKDF2 returns the form of what Authelia, go-crypt, passwap, Mattermost 11, Jakarta Security,
// mosquitto-go-auth, GRUB and macOS write (List's does not read mosquitto-go-auth's PBKDF2$), passlib's cta_pbkdf2_sha1, and $pbkdf2-sha256$ and
// $pbkdf2-sha512$ in other base64, or with longer or shorter sums, than package password reads.
func PBKDF2() password.Format { return named("pbkdf2") }

// Scrypt returns the form of simple-scrypt for Go, Ruby's and lambdaworks' scrypt, @phc/scrypt and
// AdonisJS.
func Scrypt() password.Format { return named("scrypt") }

// MD5Crypt returns the form of FreeBSD's $1$ and Apache's $apr1$, of 1000 rounds.
func MD5Crypt() password.Format { return named("md5-crypt") }

// SHA1Crypt returns the form of NetBSD's $sha1$.
func SHA1Crypt() password.Format { return named("sha1-crypt") }

// SHA256Crypt returns the form of crypt(3)'s $5$, of 1000 to 999,999,999 rounds.
func SHA256Crypt() password.Format { return named("sha256-crypt") }

// SHA512Crypt returns the form of crypt(3)'s $6$, of 1000 to 999,999,999 rounds.
func SHA512Crypt() password.Format { return named("sha512-crypt") }

// Yescrypt returns the form of crypt(3)'s $y$, the default of most Linux distributions, with the
// settings that their crypt_gensalt writes (flavor j, one lane, no more passes, no ROM), N up to
// 2^31 and r up to 255. Package password itself reads $7$.
func Yescrypt() password.Format { return named("yescrypt") }

// PHPass returns the form of phpass's portable hash, $P$, which phpBB writes as $H$: 2^7 to 2^30
// times MD5. A password matches as it is, and as the program took it from a form: WordPress with
// backslashes before quotes and without white space around it, phpBB with HTML's entities for &, <,
// > and ". If white space was removed, the hash is not replaced. (phpBB 3.1 and later hash that by
// bcrypt, and their strings don't show it: verify those with html.EscapeString of the password if
// it differs.)
func PHPass() password.Format { return named("phpass") }

// WordPress returns the form of WordPress since 6.8, $wp$2y$: bcrypt of
// base64(HMAC-SHA-384(password)). Older versions used PHPass. The password is taken as WordPress
// takes it from a form, with backslashes before quotes and without white space around it; if there
// was any, the hash is not replaced.
func WordPress() password.Format { return named("wordpress") }

// Drupal returns the form of Drupal 7 to 10.0, $S$: phpass's algorithm with SHA-512. U$S$ is the
// same of the password's MD5 in hexadecimal, which came from Drupal 6.
func Drupal() password.Format { return named("drupal") }

// MediaWiki returns the form of MediaWiki's :A:, :B:, :pbkdf2: and :argon2:.
func MediaWiki() password.Format { return named("mediawiki") }

// Nextcloud returns the form of Nextcloud's 1|, 2| and 3| before a bcrypt or an argon2.
func Nextcloud() password.Format { return named("nextcloud") }

// Joomla returns the form of Joomla before 3.2: the MD5 of password and salt, a colon and the salt.
// Some thirty programs write the same text with other sums, so List's reads nothing. For those that
// are not here see Digest.
func Joomla() password.Format { return named("joomla") }

// Magento1 returns the form of Magento 1 and osCommerce: the MD5 of salt and password. See Joomla.
func Magento1() password.Format { return named("magento1") }

// MyBB returns the form of MyBB and IPB: the MD5 of the salt's MD5 and the password's. See Joomla.
func MyBB() password.Format { return named("mybb") }

// VBulletin returns the form of vBulletin: the MD5 of the password's MD5 and the salt. See Joomla.
func VBulletin() password.Format { return named("vbulletin") }

// MosquittoAuthPlug returns the form of mosquitto-auth-plug and emoncms: PBKDF2$sha256$, whose salt
// is the text that is stored. PBKDF2 reads mosquitto-go-auth's, whose salt is in base64.
func MosquittoAuthPlug() password.Format { return named("mosquitto-auth-plug") }

// Jenkins returns the form of Jenkins' #jbcrypt:.
func Jenkins() password.Format { return named("jenkins") }

// GLAuth returns the form of GLAuth: a bcrypt in hexadecimal.
func GLAuth() password.Format { return named("glauth") }

// Shiro returns the form of Apache Shiro 1's $shiro1$ with MD5, SHA-1 or SHA-2. Shiro 2's $shiro2$,
// before argon2 and bcrypt, is not read.
func Shiro() password.Format { return named("shiro") }

// Mosquitto returns the form of mosquitto_passwd's $6$ and $7$.
func Mosquitto() password.Format { return named("mosquitto") }

// LDAP returns the form of what directory and mail servers keep in userPassword. The name's case
// does not matter.
//
//	RFC 2307   {SSHA}, {SSHA256}, {SSHA384}, {SSHA512} and {SMD5}, also without salt, and {CRYPT}
//	OpenLDAP   {ARGON2}, {PBKDF2}, {PBKDF2-SHA1}, {PBKDF2-SHA256}, {PBKDF2-SHA512}
//	389, IPA   {PBKDF2_SHA256}
//	OpenDJ     {PBKDF2-HMAC-SHA256}, {PBKDF2-HMAC-SHA512}, {BCRYPT}
//	AIX        {smd5}, {ssha1}, {ssha256}, {ssha512}
//	Dovecot    {SHA512-CRYPT}, {SHA256-CRYPT}, {MD5-CRYPT}, {BLF-CRYPT}, {ARGON2ID}, {ARGON2I},
//	           {PLAIN-MD5}, {LDAP-MD5}, {PBKDF2}$1$, and digests with .HEX and .b64
func LDAP() password.Format { return named("ldap") }

// Bcrypt returns the form of bcrypts that package password does not read: $2x$, of crypt_blowfish
// before 1.1, which took bytes above 127 for negative numbers, so that several passwords may match
// and a password with such bytes keeps its hash; and passlib's bcrypt-sha256 of version 1 and, over
// 2a, 2x and 2y, of version 2.
func Bcrypt() password.Format { return named("bcrypt-old") }

// Firebase returns the form of Firebase's scrypt in strings with the project's parameters:
// $fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=...$salt$sum, which Supabase reads, with or without ss=,
// and Kratos' $firescrypt$ln=14,r=8,p=1$salt$sum$separator$key. For strings without a key see
// FirebaseProject.
func Firebase() password.Format { return named("firebase") }

// Argon2 returns the form of argon2 in PHC form with padded base64.
func Argon2() password.Format { return named("argon2-padded") }

// Kratos returns the form of strings that only Ory's Kratos writes: $md5$, $sha1$, $sha256$ and
// $sha512$ with a format of what was hashed (pf), $hmac-...$ but for MD4, $pbkdf2-sha1$,
// $pbkdf2-sha224$ and $pbkdf2-sha384$, the last two of which use SHA-3, $scrypt$ with N in ln, and
// crypt(3)'s as $md5-crypt$, $sha256-crypt$ and $sha512-crypt$. Firebase and LDAP read its others.
func Kratos() password.Format { return named("kratos") }
