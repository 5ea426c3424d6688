// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The table of makers, with a row for each form of their strings.
//
// To add a form, add its row to makers, and at the end of testdata/hashes.txt a hash, of whose
// password its maker's documents or tests tell, or else one that its maker's code or a library
// computed: TestVectors verifies that, and TestRowsHaveVectors wants one of each row. What the row
// refuses is in TestBoundsOfOthers. A new maker gets a line in Form's comment too, and a row that
// several makers share one in sharing (makers_test.go), in the package comment and in
// docs/wrapping.md. Nothing else names forms: fount and fountd read what is in makers.
//
// Rows have the language of row.go, and codings those of coding.go; methods, of the sums that a row
// does not describe, are in method.go and in the files of the makers that have their own. Seconds of
// test:
//
//	go test -vet=off -run 'Rows|Vectors|Form$|Errors|Bounds' ./password/legacy

import (
	"crypto"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fount/password"
)

// Form returns the form with the name, which reads all that its makers write:
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
//     {SSHA384}, {SSHA512} and {SMD5}, also without salt, and {CRYPT}, of OpenLDAP, 389 Directory
//     Server, OpenDJ, ForgeRock, Dovecot and Apache htpasswd; OpenLDAP's {ARGON2}, {PBKDF2},
//     {PBKDF2-SHA1}, {PBKDF2-SHA256} and {PBKDF2-SHA512}; 389's and FreeIPA's {PBKDF2_SHA256};
//     OpenDJ's {PBKDF2-HMAC-SHA256}, {PBKDF2-HMAC-SHA512} and {BCRYPT}; AIX' {smd5}, {ssha1},
//     {ssha256} and {ssha512}; Dovecot's {SHA512-CRYPT}, {SHA256-CRYPT}, {MD5-CRYPT}, {BLF-CRYPT},
//     {ARGON2ID}, {ARGON2I}, {PLAIN-MD5}, {LDAP-MD5}, {PBKDF2}$1$, and digests with .HEX and .b64.
//     The case of the name in braces does not matter.
//   - magento1: Magento 1 and osCommerce: the MD5 of salt and password. See joomla.
//   - md5-crypt: crypt(3)'s $1$, of FreeBSD first, and Apache's $apr1$, of 1000 rounds.
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
//   - pbkdf2-sha1: passlib's, Keycloak's and Atlassian's PBKDF2 with SHA-1: $pbkdf2$, {PKCS5S2}.
//   - phpass: phpass's portable hash, $P$, of WordPress before 6.8, which phpBB writes as $H$: 2^7
//     to 2^30 times MD5. A password matches as it is, and as the program took it from a form:
//     WordPress with backslashes before quotes and without white space around it, phpBB with HTML's
//     entities for &, <, > and ". If white space was removed, the hash is not replaced. (phpBB 3.1
//     and later hash that by bcrypt, and their strings don't show it: verify those with
//     html.EscapeString of the password if it differs.)
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
			return f.whole, nil
		}
	}
	return nil, fmt.Errorf("legacy: no form is named %q; want one of %v", name, Names())
}

// A maker is a program, or several that write alike, and the form of its strings.
type maker struct {
	name string // of its form
	rows []row

	// shared are rows that other programs write too, with other sums, so that nobody can tell whose
	// a string is. Name those programs there. To find them, look in hashcat's modes and in the
	// makers' sources.
	shared []row

	crypt bool // crypt(3) writes it: {CRYPT} reads it too
}

// makers returns the table. If two rows of one maker read a string, the first wins.
//
// Not shared are rows whose writers compute alike: crypt(3)'s $1$, $5$, $6$, $y$ and $sha1$,
// Apache's, Cisco's and Juniper's among them; phpass' $P$ and $H$; {SHA}, {SSHA} and their kin of
// all directories; passlib's PBKDF2, also Authelia's, NetIQ's.
func makers() []maker {
	return []maker{
		{
			name: "django",
			rows: []row{
				{"pbkdf2_sha256${i}${salt}${sum:base64}", pbkdf2(crypto.SHA256)},
				{"pbkdf2_sha1${i}${salt}${sum:base64}", pbkdf2(crypto.SHA1)},
				{stored: "scrypt${n}${salt}${r}${p}${scrypt:base64}"},
				{"argon2${hash}", nativeWith("$", nil)},
				{"bcrypt${hash}", native},
				{"bcrypt_sha256${hash}", nativeWith("", hexOf(crypto.SHA256))},
				{"crypt$${hash}", parseHash(crypt)},
				{stored: "md5$${md5({password}):hex}"},
				{stored: "sha1$${sha1({password}):hex}"},
			},
			shared: []row{ // by Werkzeug and web2py (hashcat 20, 30000)
				{stored: "md5${salt:some}${md5({salt}{password}):hex}"},
				{stored: "sha1${salt:some}${sha1({salt}{password}):hex}"},
			},
		},
		{
			name: "django-salted",
			shared: forDigests("%s${salt:some}${%s({salt}{password}):hex}", nil, // by Werkzeug and web2py (hashcat 30120)
				"sha224", "sha256", "sha384", "sha512"),
		},
		{
			name: "werkzeug",
			rows: append(
				forDigests("pbkdf2:%s:{i}${salt}${sum:hex}", pbkdf2, allDigests...),
				row{stored: "scrypt:{n}:{r}:{p}${salt}${scrypt:hex}"}),
			shared: forDigests("%s${salt:some}${sum:hex}", hmacUnderSalt, allDigests...), // by Django and web2py
		},
		{
			name:   "web2py",
			rows:   forDigests("pbkdf2({i},{len},%s)${salt}${pbkdf2-%s:hex}", nil, allDigests...),
			shared: forDigests("%s${salt:some}${%s({password}{salt}):hex}", nil, allDigests...), // by Django and Werkzeug
		},
		{name: "spring", rows: []row{
			{"{bcrypt}{hash}", native},
			{"{argon2}{hash}", native},
			{"{argon2@SpringSecurity_v5_8}{hash}", native},
			{stored: "{scrypt}${nrp:hex}${salt:base64}${scrypt:base64}"},
			{stored: "{scrypt@SpringSecurity_v5_8}${nrp:hex}${salt:base64}${scrypt:base64}"},
			{"{pbkdf2}{salt8+sum32:hex}", anyPBKDF2(crypto.SHA1, 185_000)},
			{"{pbkdf2@SpringSecurity_v5_8}{salt16+sum32:hex}", anyPBKDF2(crypto.SHA256, 310_000)},
			{"{ldap}{hash}", parseAs("ldap", "")},
			{stored: "{MD5}{md5({password}):hex}"},
			{stored: "{MD5}{{salt:any}}{md5({password}{{salt}}):hex}"},
			{stored: "{SHA-1}{sha1({password}):hex}"},
			{stored: "{SHA-1}{{salt:any}}{sha1({password}{{salt}}):hex}"},
			{stored: "{SHA-256}{sha256({password}):hex}"},
			{stored: "{SHA-256}{{salt:any}}{sha256({password}{{salt}}):hex}"},
			{"{sha256}{salt8+sum:hex}", iterated(crypto.SHA256, 1024)},
			{"{noop}{hash}", refused(errPlain)},
		}},
		{name: "aspnet", rows: []row{{"{hash}", parseHash(aspnet)}}},
		{name: "pbkdf2-sha1", rows: []row{
			{stored: "$pbkdf2${i}${salt:ab64}${pbkdf2-sha1:ab64}"}, // Keycloak's has 64 bytes
			{stored: "$pbkdf2${i}${salt:base64}${pbkdf2-sha1:base64}"},
			{stored: "$pbkdf2${i}${salt:raw64}${pbkdf2-sha1:raw64}"},
			{"{PKCS5S2}{salt16+sum32:base64}", anyPBKDF2(crypto.SHA1, 10_000)},
		}},
		{
			name: "pbkdf2",
			rows: slices.Concat(
				forDigests("$pbkdf2-%s${i}${salt:base64}${pbkdf2-%s:base64}", nil, allDigests[1:]...),
				forDigests("$pbkdf2-%s${i}${salt:raw64}${pbkdf2-%s:raw64}", nil, allDigests[1:]...),
				forDigests("$pbkdf2-%s${i}${salt:ab64}${pbkdf2-%s:ab64}", nil, "sha256", "sha512"), // other sizes
				[]row{
					{"$pbkdf2-sha224${i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA224)},          // passwap, go-crypt
					{"$pbkdf2-sha384${i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA384)},          // Authelia
					{stored: "$pbkdf2$f=SHA256,w={i},l={len}${salt:raw64}${pbkdf2-sha256:raw64}"}, // Mattermost 11
					{stored: "$pbkdf2$f=SHA512,w={i},l={len}${salt:raw64}${pbkdf2-sha512:raw64}"},
					{stored: "PBKDF2WithHmacSHA224:{i}:{salt:base64}:{pbkdf2-sha224:base64}"}, // Jakarta Security
					{stored: "PBKDF2WithHmacSHA256:{i}:{salt:base64}:{pbkdf2-sha256:base64}"},
					{stored: "PBKDF2WithHmacSHA384:{i}:{salt:base64}:{pbkdf2-sha384:base64}"},
					{stored: "PBKDF2WithHmacSHA512:{i}:{salt:base64}:{pbkdf2-sha512:base64}"},
					{"grub.pbkdf2.sha512.{i}.{salt:HEX}.{sum:HEX}", pbkdf2(crypto.SHA512)},
					{stored: "$ml${i}${salt:hex}${pbkdf2-sha512:hex}"}, // macOS
					{"$p5k2${i:hex}${salt:url64}${sum:url64}", pbkdf2(crypto.SHA1)},
				},
			),
			// mosquitto-go-auth's; by mosquitto-auth-plug and emoncms with another salt
			shared: forDigests("PBKDF2$%s${i}${salt:base64}${pbkdf2-%s:base64}", nil, "sha256", "sha512"),
		},
		{name: "scrypt", rows: []row{
			{stored: "{n}${r}${p}${salt:hex}${scrypt:hex}"},                    // simple-scrypt
			{"{n:hex}${r:hex}${p:hex}${salt:hex}${sum32:hex}", rubyScrypt},     // Ruby's
			{stored: "$s0${nrp:hex}${salt:base64}${scrypt:base64}"},            // lambdaworks
			{"$scrypt$n={n},r={r},p={p}${salt:raw64}${sum:raw64}", scryptOfN},  // AdonisJS
			{stored: "$scrypt$n={ln},r={r},p={p}${salt:raw64}${scrypt:raw64}"}, // @phc/scrypt
		}},
		{name: "md5-crypt", crypt: true, rows: []row{
			{"$1${salt}${sum22:crypt64}", md5Crypt("$1$")},
			{"$md5${salt}${sum22:crypt64}", refused(errSun)},
			{"$md5${salt}$${sum22:crypt64}", refused(errSun)},
			{"$apr1${salt}${sum22:crypt64}", md5Crypt("$apr1$")},
		}},
		{name: "sha256-crypt", crypt: true, rows: []row{
			{"$5$rounds={i}${salt}${sum43:crypt64}", sha256Crypt.method()},
			{"$5${salt}${sum43:crypt64}", sha256Crypt.method()},
		}},
		{name: "sha512-crypt", crypt: true, rows: []row{
			{"$6$rounds={i}${salt}${sum86:crypt64}", sha512Crypt.method()},
			{"$6${salt}${sum86:crypt64}", sha512Crypt.method()},
		}},
		{name: "sha1-crypt", crypt: true, rows: []row{{"$sha1${i}${salt}${sum28:crypt64}", sha1Crypt}}},
		{name: "phpass", rows: []row{
			{"$P${hash}", phpass{hash: crypto.MD5, text: 22, asPosted: wordPressPosted}.method()},
			{"$H${hash}", phpass{hash: crypto.MD5, text: 22, asPosted: phpBBPosted}.method()},
		}},
		{name: "wordpress", rows: []row{{"$wp$2y${hash}", nativeWith("$2y$", wordPressKey)}}},
		{name: "drupal", rows: []row{
			{"$S${hash}", phpass{hash: crypto.SHA512, text: 43}.method()},
			{"U$S${hash}", phpass{hash: crypto.SHA512, text: 43, overMD5: true}.method()},
		}},
		{
			name: "mediawiki",
			rows: append(
				forDigests(":pbkdf2:%s:{i}:{len}:{salt:base64}:{pbkdf2-%s:base64}", nil, "sha1", "sha256", "sha512"),
				row{stored: ":A:{md5({password}):hex}"},
				row{stored: ":B:{salt}:{md5({salt}-md5({password})):hex}"},
				row{":argon2:{hash}", native}),
		},
		{name: "nextcloud", rows: []row{
			{"1|{hash}", native},
			{"2|{hash}", native},
			{"3|{hash}", native},
		}},
		{name: "joomla", shared: []row{{stored: "{md5({password}{salt}):hex}:{salt:some}"}}},
		{name: "magento1", shared: []row{{stored: "{md5({salt}{password}):hex}:{salt:some}"}}},
		{name: "mybb", shared: []row{{stored: "{md5(md5({salt})md5({password})):hex}:{salt:some}"}}},
		{name: "vbulletin", shared: []row{{stored: "{md5(md5({password}){salt}):hex}:{salt:some}"}}},
		{name: "jenkins", rows: []row{{"#jbcrypt:{hash}", native}}},
		{name: "glauth", rows: []row{{"2432{hash58:hex}", glauth}}},
		{name: "shiro", rows: []row{
			{"$shiro1$MD5${i}${salt:base64}${sum:base64}", iterated(crypto.MD5, 0)},
			{"$shiro1$SHA-1${i}${salt:base64}${sum:base64}", iterated(crypto.SHA1, 0)},
			{"$shiro1$SHA-256${i}${salt:base64}${sum:base64}", iterated(crypto.SHA256, 0)},
			{"$shiro1$SHA-384${i}${salt:base64}${sum:base64}", iterated(crypto.SHA384, 0)},
			{"$shiro1$SHA-512${i}${salt:base64}${sum:base64}", iterated(crypto.SHA512, 0)},
		}},
		{
			name: "mosquitto-auth-plug", // and emoncms, whose salt is the text; by mosquitto-go-auth
			shared: forDigests("PBKDF2$%s${i}${salt:some}${pbkdf2-%s:base64}", nil,
				"sha1", "sha256", "sha512"),
		},
		{name: "mosquitto", rows: []row{
			{stored: "$6${salt:base64}${sha512({password}{salt}):base64}"},
			{"$7${i}${salt:base64}${sum:base64}", pbkdf2(crypto.SHA512)},
		}},
		{
			name: "ldap",
			rows: append(ldapDigests(), []row{
				{"{CRYPT}{hash}", parseHash(crypt)},
				{"{SHA512-CRYPT}{hash}", parseHash(crypt)},
				{"{SHA256-CRYPT}{hash}", parseHash(crypt)},
				{"{MD5-CRYPT}{hash}", parseHash(crypt)},
				{"{BLF-CRYPT}{hash}", parseHash(crypt)},
				{"{BCRYPT}{hash}", parseHash(crypt)},
				{"{MD5}$1${hash}", parseAs("md5-crypt", "$1$")},
				{"{ARGON2}{hash}", native},
				{"{ARGON2ID}{hash}", native},
				{"{ARGON2I}{hash}", native},
				{stored: "{PLAIN-MD5}{md5({password}):hex}"},
				{stored: "{LDAP-MD5}{md5({password}):base64}"},
				{"{PBKDF2}$1${salt}${i}${sum:hex}", pbkdf2(crypto.SHA1)},    // Dovecot
				{"{PBKDF2}{i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA1)}, // OpenLDAP, 389-ds
				{"{PBKDF2-SHA1}{i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA1)},
				{"{PBKDF2-SHA256}{i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA256)},
				{"{PBKDF2-SHA512}{i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA512)},
				{"{PBKDF2_SHA256}{i4+salt64+sum256:base64}", anyPBKDF2(crypto.SHA256, 0)}, // 389-ds before 2
				{"{PBKDF2}{i}:{sum20+salt:base64}", pbkdf2(crypto.SHA1)},                  // OpenDJ
				{"{PBKDF2-HMAC-SHA256}{i}:{sum+salt:base64}", pbkdf2(crypto.SHA256)},
				{"{PBKDF2-HMAC-SHA512}{i}:{sum+salt:base64}", pbkdf2(crypto.SHA512)},
				{"{smd5}{salt}${sum22:crypt64}", md5Crypt("")}, // AIX
				{"{ssha1}{log2i}${salt}${sum27:crypt64}", aix(crypto.SHA1)},
				{"{ssha256}{log2i}${salt}${sum43:crypt64}", aix(crypto.SHA256)},
				{"{ssha512}{log2i}${salt}${sum86:crypt64}", aix(crypto.SHA512)},
			}...),
		},
		{name: "bcrypt-old", crypt: true, rows: []row{
			{"$2x${hash}", parseHash(bcrypt2x)},
			{"$bcrypt-sha256$2a,{ln}${salt22:crypt64}${hash31:crypt64}", bcryptSHA256("2a", false)},
			{"$bcrypt-sha256$2b,{ln}${salt22:crypt64}${hash31:crypt64}", bcryptSHA256("2b", false)},
			{"$bcrypt-sha256$v=2,t=2a,r={ln}${salt22:crypt64}${hash31:crypt64}", bcryptSHA256("2a", true)},
			{"$bcrypt-sha256$v=2,t=2x,r={ln}${salt22:crypt64}${hash31:crypt64}", bcryptSHA256("2b", true)}, // the password's base64 has no byte above 127
			{"$bcrypt-sha256$v=2,t=2y,r={ln}${salt22:crypt64}${hash31:crypt64}", bcryptSHA256("2y", true)},
		}},
		{name: "firebase", rows: []row{
			{"$fbscrypt$v=1,n={ln},r={r},p={p},ss={sep:base64},sk={key:base64}${salt:base64}${sum:base64}", fbscrypt},
			{"$fbscrypt$v=1,n={ln},r={r},p={p},sk={key:base64}${salt:base64}${sum:base64}", fbscrypt},
			{"$firescrypt$ln={ln},r={r},p={p}${salt:base64}${sum:base64}${sep:base64}${key:base64}", fbscrypt},
		}},
		{
			name: "kratos",
			rows: slices.Concat(
				[]row{
					{"$md5-crypt${salt}${sum22:crypt64}", md5Crypt("$1$")},
					{"$sha256-crypt${hash}", parseAs("sha256-crypt", "$5$")},
					{"$sha512-crypt${hash}", parseAs("sha512-crypt", "$6$")},
					{stored: "$pbkdf2-sha1$i={i},l={l}${salt:raw64}${pbkdf2-sha1:raw64}"},
					{"$pbkdf2-sha224$i={i},l={l}${salt:raw64}${sum:raw64}", anyPBKDF2(crypto.SHA3_224, 0)},
					{stored: "$pbkdf2-sha256$i={i},l={l}${salt:raw64}${pbkdf2-sha256:raw64}"},
					{"$pbkdf2-sha384$i={i},l={l}${salt:raw64}${sum:raw64}", anyPBKDF2(crypto.SHA3_384, 0)},
					{stored: "$pbkdf2-sha512$i={i},l={l}${salt:raw64}${pbkdf2-sha512:raw64}"},
					{"$scrypt$ln={n},r={r},p={p}${salt:base64}${sum:base64}", scryptOfN},
					{stored: "$md5${md5({password}):base64}"},
					{"$hmac-md4${hash}", refused(errMD4)},
				},
				forDigests("$%s$pf={hash:base64}${salt:base64}${sum:base64}", kratosDigest, "md5", "sha1", "sha256", "sha512"),
				forDigests("$hmac-%s${sum:hex64}${salt:base64}", hmacUnderSalt, allDigests...),
			),
		},
		{name: "argon2-padded", rows: []row{{"$argon2{hash}", parseHash(paddedArgon2)}}},
		{name: "yescrypt", crypt: true, rows: []row{{"$y${hash}", parseHash(yescryptOf)}}},
	}
}

var errPlain = errors.New("{noop} holds the password itself: " +
	"hash it with password.Hash, and store that")

var allDigests = []string{"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}

// forDigests returns the rows of a form that names its digest, with the names for %s. If of is not
// nil, it returns their methods.
func forDigests(stored string, of func(crypto.Hash) method, names ...string) (rows []row) {
	for _, name := range names {
		r := row{stored: strings.ReplaceAll(stored, "%s", name)}
		if of != nil {
			r.method = of(digestNames[name])
		}
		rows = append(rows, r)
	}
	return rows
}

// ldapDigests returns RFC 2307's {SHA} and {MD5} and their successors, with and without salt.
// Dovecot writes them also with a coding in the name.
func ldapDigests() (rows []row) {
	for _, digest := range allDigests {
		names := []string{digest}
		if digest == "sha1" {
			names = append(names, "sha")
		}

		for _, name := range names {
			for _, written := range [][2]string{{"", "base64"}, {".b64", "base64"}, {".hex", "hex"}} {
				suffix, coding := written[0], written[1]
				plain := name + suffix + "}{" + digest
				rows = append(rows,
					row{stored: "{" + plain + "({password}):" + coding + "}"},
					row{stored: "{s" + plain + "({password}{salt})+salt:" + coding + "}"})
			}
		}
	}
	return rows
}
