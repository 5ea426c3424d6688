// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The table of makers, with a row for each form of their strings.
// To add a form, add its row here, and a hash with its source to testdata/make.py, which prints
// testdata/hashes.txt. row.go has the language of rows, method.go the methods. For a new maker, add a function to forms.go, a line
// to the package comment, and the beginnings of its strings to package format's inLegacy. If
// crypt(3) makes them, add them to crypt.go's list too, for {CRYPT}.

import (
	"crypto"
	"slices"
	"strings"

	"fount/password"
)

// A maker is a program, or several, and the forms that it writes.
type maker struct {
	name string
	rows []row
}

// makers returns the table. If two rows of one maker read a string, the first wins.
//
// A row that other programs write with other sums is shared, with their names beside it: find them in
// hashcat's modes, and in the makers' sources. Not shared are those whose writers compute alike:
// crypt(3)'s $1$, $5$, $6$, $y$ and $sha1$, Apache's, Cisco's and Juniper's among them; phpass' $P$ and
// $H$; {SHA}, {SSHA} and their kin of all directories; passlib's PBKDF2, also Authelia's, NetIQ's.
func makers() []maker {
	return []maker{
		{"django", []row{
			{"pbkdf2_sha256${i}${salt}${sum:base64}", pbkdf2(crypto.SHA256, 0)},
			{"pbkdf2_sha1${i}${salt}${sum:base64}", pbkdf2(crypto.SHA1, 0)},
			{"scrypt${n}${salt}${r}${p}${sum:base64}", scrypt},
			{"argon2${hash}", native("$", nil)},
			{"bcrypt${hash}", native("", nil)},
			{"bcrypt_sha256${hash}", native("", hexOf(crypto.SHA256))},
			{"crypt$${hash}", parseHash(crypt)},
			{"md5$${sum:hex}", digest(crypto.MD5, "{password}")},
			{"sha1$${sum:hex}", digest(crypto.SHA1, "{password}")},
			{"md5${salt:some}${sum:hex}", saltFirst(crypto.MD5)}, // Werkzeug, web2py (hashcat 20, 30000)
			{"sha1${salt:some}${sum:hex}", saltFirst(crypto.SHA1)},
		}},
		{"django-salted", forDigests( // Werkzeug, web2py (hashcat 30120)
			"{name}${salt:some}${sum:hex}", saltFirst, "sha224", "sha256", "sha384", "sha512")},
		{"werkzeug", append(append([]row{{"scrypt:{n}:{r}:{p}${salt}${sum:hex}", scrypt}},
			forDigests("pbkdf2:{name}:{i}${salt}${sum:hex}", pbkdf2Of, allDigests...)...),
			forDigests("{name}${salt:some}${sum:hex}", saltAsKey, allDigests...)...)}, // Django, web2py
		{"web2py", append(forDigests("pbkdf2({i},{len},{name})${salt}${sum:hex}", anyPBKDF2Of, allDigests...),
			forDigests("{name}${salt:some}${sum:hex}", saltLast, allDigests...)...)}, // Django, Werkzeug
		{"spring", []row{
			{"{bcrypt}{hash}", native("", nil)},
			{"{argon2}{hash}", native("", nil)},
			{"{argon2@SpringSecurity_v5_8}{hash}", native("", nil)},
			{"{scrypt}${nrp:hex}${salt:base64}${sum:base64}", scrypt},
			{"{scrypt@SpringSecurity_v5_8}${nrp:hex}${salt:base64}${sum:base64}", scrypt},
			{"{pbkdf2}{salt8+sum32:hex}", anyPBKDF2(crypto.SHA1, 185_000)},
			{"{pbkdf2@SpringSecurity_v5_8}{salt16+sum32:hex}", anyPBKDF2(crypto.SHA256, 310_000)},
			{"{ldap}{hash}", parseHash(func(hash string) (password.Parsed, error) { return LDAP().Parse(hash) })},
			{"{MD5}{sum:hex}", digest(crypto.MD5, "{password}")},
			{"{MD5}{{salt:any}}{sum:hex}", digest(crypto.MD5, "{password}{{salt}}")},
			{"{SHA-1}{sum:hex}", digest(crypto.SHA1, "{password}")},
			{"{SHA-1}{{salt:any}}{sum:hex}", digest(crypto.SHA1, "{password}{{salt}}")},
			{"{SHA-256}{sum:hex}", digest(crypto.SHA256, "{password}")},
			{"{SHA-256}{{salt:any}}{sum:hex}", digest(crypto.SHA256, "{password}{{salt}}")},
			{"{sha256}{salt8+sum:hex}", iterated(crypto.SHA256, 1024)},
			{"{noop}{hash}", refused(errPlain)},
		}},
		{"aspnet", []row{{"{hash}", parseHash(aspnet)}}},
		{"pbkdf2-sha1", []row{
			{"$pbkdf2${i}${salt:ab64}${sum:ab64}", anyPBKDF2(crypto.SHA1, 0)}, // Keycloak's has 64 bytes
			{"$pbkdf2${i}${salt:base64}${sum:base64}", anyPBKDF2(crypto.SHA1, 0)},
			{"$pbkdf2${i}${salt:raw64}${sum:raw64}", anyPBKDF2(crypto.SHA1, 0)},
			{"{PKCS5S2}{salt16+sum32:base64}", anyPBKDF2(crypto.SHA1, 10_000)},
		}},
		{"pbkdf2", slices.Concat(
			forDigests("$pbkdf2-{name}${i}${salt:base64}${sum:base64}", anyPBKDF2Of, allDigests[1:]...),
			forDigests("$pbkdf2-{name}${i}${salt:raw64}${sum:raw64}", anyPBKDF2Of, allDigests[1:]...),
			forDigests("$pbkdf2-{name}${i}${salt:ab64}${sum:ab64}", anyPBKDF2Of, "sha256", "sha512"), // other sizes
			// mosquitto-go-auth; mosquitto-auth-plug and emoncms have another salt
			forDigests("PBKDF2${name}${i}${salt:base64}${sum:base64}", sharedPBKDF2, "sha256", "sha512"),
			[]row{
				{"$pbkdf2-sha224${i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA224, 0)},                  // passwap, go-crypt
				{"$pbkdf2-sha384${i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA384, 0)},                  // Authelia
				{"$pbkdf2$f=SHA256,w={i},l={len}${salt:raw64}${sum:raw64}", anyPBKDF2(crypto.SHA256, 0)}, // Mattermost 11
				{"$pbkdf2$f=SHA512,w={i},l={len}${salt:raw64}${sum:raw64}", anyPBKDF2(crypto.SHA512, 0)},
				{"PBKDF2WithHmacSHA224:{i}:{salt:base64}:{sum:base64}", anyPBKDF2(crypto.SHA224, 0)}, // Jakarta Security
				{"PBKDF2WithHmacSHA256:{i}:{salt:base64}:{sum:base64}", anyPBKDF2(crypto.SHA256, 0)},
				{"PBKDF2WithHmacSHA384:{i}:{salt:base64}:{sum:base64}", anyPBKDF2(crypto.SHA384, 0)},
				{"PBKDF2WithHmacSHA512:{i}:{salt:base64}:{sum:base64}", anyPBKDF2(crypto.SHA512, 0)},
				{"grub.pbkdf2.sha512.{i}.{salt:HEX}.{sum:HEX}", pbkdf2(crypto.SHA512, 0)},
				{"$ml${i}${salt:hex}${sum:hex}", anyPBKDF2(crypto.SHA512, 0)}, // macOS
				{"$p5k2${i:hex}${salt:url64}${sum:url64}", pbkdf2(crypto.SHA1, 0)},
			})},
		{"scrypt", []row{
			{"{n}${r}${p}${salt:hex}${sum:hex}", scrypt},                      // simple-scrypt
			{"{n:hex}${r:hex}${p:hex}${salt:hex}${sum32:hex}", rubyScrypt},    // Ruby's
			{"$s0${nrp:hex}${salt:base64}${sum:base64}", scrypt},              // lambdaworks
			{"$scrypt$n={n},r={r},p={p}${salt:raw64}${sum:raw64}", scryptOfN}, // AdonisJS
			{"$scrypt$n={ln},r={r},p={p}${salt:raw64}${sum:raw64}", scrypt},   // @phc/scrypt
		}},
		{"md5-crypt", []row{
			{"$1${salt}${sum22:crypt64}", md5Crypt("$1$")},
			{"$md5${salt}${sum22:crypt64}", refused(errSun)},
			{"$md5${salt}$${sum22:crypt64}", refused(errSun)},
			{"$apr1${salt}${sum22:crypt64}", md5Crypt("$apr1$")},
		}},
		{"sha256-crypt", []row{
			{"$5$rounds={i}${salt}${sum43:crypt64}", sha256Crypt.method()},
			{"$5${salt}${sum43:crypt64}", sha256Crypt.method()},
		}},
		{"sha512-crypt", []row{
			{"$6$rounds={i}${salt}${sum86:crypt64}", sha512Crypt.method()},
			{"$6${salt}${sum86:crypt64}", sha512Crypt.method()},
		}},
		{"sha1-crypt", []row{{"$sha1${i}${salt}${sum28:crypt64}", sha1Crypt}}},
		{"phpass", []row{
			{"$P${hash}", stretched(crypto.MD5, 22, wordPressForm, asTyped)},
			{"$H${hash}", stretched(crypto.MD5, 22, phpBBForm, asTyped)},
		}},
		{"wordpress", []row{{"$wp$2y${hash}", native("$2y$", wordPressKey)}}},
		{"drupal", []row{
			{"$S${hash}", stretched(crypto.SHA512, 43, nil, nil)},
			{"U$S${hash}", stretched(crypto.SHA512, 43, hexOf(crypto.MD5), nil)},
		}},
		{"mediawiki", append(forDigests(":pbkdf2:{name}:{i}:{len}:{salt:base64}:{sum:base64}", anyPBKDF2Of, "sha1", "sha256", "sha512"),
			row{":A:{sum:hex}", digest(crypto.MD5, "{password}")},
			row{":B:{salt}:{sum:hex}", digest(crypto.MD5, "{salt}-md5({password})")},
			row{":argon2:{hash}", native("", nil)})},
		{"nextcloud", []row{
			{"1|{hash}", native("", nil)},
			{"2|{hash}", native("", nil)},
			{"3|{hash}", native("", nil)},
		}},
		{"joomla", saltBehind("{password}{salt}")},
		{"magento1", saltBehind("{salt}{password}")},
		{"mybb", saltBehind("md5({salt})md5({password})")},
		{"vbulletin", saltBehind("md5({password}){salt}")},
		{"jenkins", []row{{"#jbcrypt:{hash}", native("", nil)}}},
		{"glauth", []row{{"2432{hash58:hex}", glauth}}},
		{"shiro", []row{
			{"$shiro1$MD5${i}${salt:base64}${sum:base64}", iterated(crypto.MD5, 0)},
			{"$shiro1$SHA-1${i}${salt:base64}${sum:base64}", iterated(crypto.SHA1, 0)},
			{"$shiro1$SHA-256${i}${salt:base64}${sum:base64}", iterated(crypto.SHA256, 0)},
			{"$shiro1$SHA-384${i}${salt:base64}${sum:base64}", iterated(crypto.SHA384, 0)},
			{"$shiro1$SHA-512${i}${salt:base64}${sum:base64}", iterated(crypto.SHA512, 0)},
		}},
		{"mosquitto-auth-plug", forDigests( // and emoncms, whose salt is the text; mosquitto-go-auth
			"PBKDF2${name}${i}${salt:some}${sum:base64}", sharedPBKDF2, "sha1", "sha256", "sha512")},
		{"mosquitto", []row{
			{"$6${salt:base64}${sum:base64}", digest(crypto.SHA512, "{password}{salt}")},
			{"$7${i}${salt:base64}${sum:base64}", pbkdf2(crypto.SHA512, 0)},
		}},
		{"ldap", append(ldapDigests(),
			row{"{CRYPT}{hash}", parseHash(crypt)}, row{"{MD5}$1${hash}", parseHash(func(hash string) (password.Parsed, error) { return crypt("$1$" + hash) })},
			row{"{SHA512-CRYPT}{hash}", parseHash(crypt)}, row{"{SHA256-CRYPT}{hash}", parseHash(crypt)},
			row{"{MD5-CRYPT}{hash}", parseHash(crypt)}, row{"{BLF-CRYPT}{hash}", parseHash(crypt)}, row{"{BCRYPT}{hash}", parseHash(crypt)},
			row{"{ARGON2}{hash}", native("", nil)}, row{"{ARGON2ID}{hash}", native("", nil)}, row{"{ARGON2I}{hash}", native("", nil)},
			row{"{PLAIN-MD5}{sum:hex}", digest(crypto.MD5, "{password}")},
			row{"{LDAP-MD5}{sum:base64}", digest(crypto.MD5, "{password}")},
			row{"{PBKDF2}$1${salt}${i}${sum:hex}", pbkdf2(crypto.SHA1, 0)},    // Dovecot
			row{"{PBKDF2}{i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA1, 0)}, // OpenLDAP, 389-ds
			row{"{PBKDF2-SHA1}{i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA1, 0)},
			row{"{PBKDF2-SHA256}{i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA256, 0)},
			row{"{PBKDF2-SHA512}{i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA512, 0)},
			row{"{PBKDF2_SHA256}{i4+salt64+sum256:base64}", anyPBKDF2(crypto.SHA256, 0)}, // 389-ds before 2
			row{"{PBKDF2}{i}:{sum20+salt:base64}", pbkdf2(crypto.SHA1, 0)},               // OpenDJ
			row{"{PBKDF2-HMAC-SHA256}{i}:{sum+salt:base64}", pbkdf2(crypto.SHA256, 0)},
			row{"{PBKDF2-HMAC-SHA512}{i}:{sum+salt:base64}", pbkdf2(crypto.SHA512, 0)},
			row{"{smd5}{salt}${sum22:crypt64}", md5Crypt("")}, // AIX
			row{"{ssha1}{log2i}${salt}${sum27:crypt64}", aix(crypto.SHA1)},
			row{"{ssha256}{log2i}${salt}${sum43:crypt64}", aix(crypto.SHA256)},
			row{"{ssha512}{log2i}${salt}${sum86:crypt64}", aix(crypto.SHA512)},
		)},
		{"bcrypt-old", []row{
			{"$2x${hash}", parseHash(bcrypt2x)},
			{"$bcrypt-sha256$2a,{ln}${salt22:crypt64}${hash31:crypt64}", bcryptSHA256("2a", false)},
			{"$bcrypt-sha256$2b,{ln}${salt22:crypt64}${hash31:crypt64}", bcryptSHA256("2b", false)},
			{"$bcrypt-sha256$v=2,t=2a,r={ln}${salt22:crypt64}${hash31:crypt64}", bcryptSHA256("2a", true)},
			{"$bcrypt-sha256$v=2,t=2x,r={ln}${salt22:crypt64}${hash31:crypt64}", bcryptSHA256("2b", true)}, // the password's base64 has no byte above 127
			{"$bcrypt-sha256$v=2,t=2y,r={ln}${salt22:crypt64}${hash31:crypt64}", bcryptSHA256("2y", true)},
		}},
		{"firebase", []row{
			{"$fbscrypt$v=1,n={ln},r={r},p={p},ss={sep:base64},sk={key:base64}${salt:base64}${sum:base64}", fbscrypt},
			{"$fbscrypt$v=1,n={ln},r={r},p={p},sk={key:base64}${salt:base64}${sum:base64}", fbscrypt},
			{"$firescrypt$ln={ln},r={r},p={p}${salt:base64}${sum:base64}${sep:base64}${key:base64}", fbscrypt},
		}},
		{"kratos", append(append([]row{
			{"$md5-crypt${salt}${sum22:crypt64}", md5Crypt("$1$")},
			{"$sha256-crypt${hash}", parseHash(func(hash string) (password.Parsed, error) { return crypt("$5$" + hash) })},
			{"$sha512-crypt${hash}", parseHash(func(hash string) (password.Parsed, error) { return crypt("$6$" + hash) })},
			{"$pbkdf2-sha1$i={i},l={l}${salt:raw64}${sum:raw64}", anyPBKDF2(crypto.SHA1, 0)},
			{"$pbkdf2-sha224$i={i},l={l}${salt:raw64}${sum:raw64}", anyPBKDF2(crypto.SHA3_224, 0)},
			{"$pbkdf2-sha256$i={i},l={l}${salt:raw64}${sum:raw64}", anyPBKDF2(crypto.SHA256, 0)},
			{"$pbkdf2-sha384$i={i},l={l}${salt:raw64}${sum:raw64}", anyPBKDF2(crypto.SHA3_384, 0)},
			{"$pbkdf2-sha512$i={i},l={l}${salt:raw64}${sum:raw64}", anyPBKDF2(crypto.SHA512, 0)},
			{"$scrypt$ln={n},r={r},p={p}${salt:base64}${sum:base64}", scryptOfN},
			{"$md5${sum:base64}", digest(crypto.MD5, "{password}")},
			{"$hmac-md4${hash}", refused(errMD4)}},
			forDigests("${name}$pf={hash:base64}${salt:base64}${sum:base64}", kratosDigest, "md5", "sha1", "sha256", "sha512")...),
			forDigests("$hmac-{name}${sum:hex64}${salt:base64}", hmacUnderSalt, allDigests...)...)},
		{"argon2-padded", []row{{"$argon2{hash}", parseHash(paddedArgon2)}}},
		{"yescrypt", []row{{"$y${hash}", parseHash(yescryptOf)}}},
	}
}

var allDigests = []string{"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}

// forDigests returns the rows of a form that names its digest.
func forDigests(stored string, of func(crypto.Hash) method, names ...string) (rows []row) {
	for _, name := range names {
		rows = append(rows, row{strings.ReplaceAll(stored, "{name}", name), of(digestNames[name])})
	}
	return rows
}

func saltFirst(h crypto.Hash) method    { return shared(digest(h, "{salt}{password}")) }
func saltLast(h crypto.Hash) method     { return shared(digest(h, "{password}{salt}")) }
func saltAsKey(h crypto.Hash) method    { return shared(hmacUnderSalt(h)) }
func sharedPBKDF2(h crypto.Hash) method { return shared(anyPBKDF2(h, 0)) }
func pbkdf2Of(h crypto.Hash) method     { return pbkdf2(h, 0) }
func anyPBKDF2Of(h crypto.Hash) method  { return anyPBKDF2(h, 0) }

// saltBehind returns the row of an MD5 in hexadecimal with its salt behind it, which some thirty
// programs write, each with another input (hashcat 10 to 60, 2611, 2711, 2811, 3610 to 4430, 11000).
func saltBehind(input string) []row {
	return []row{{"{sum:hex}:{salt:some}", shared(digest(crypto.MD5, input))}}
}

// ldapDigests returns RFC 2307's {SHA} and {MD5} and their successors, with and without salt.
// Dovecot writes them also with a coding in the name.
func ldapDigests() (rows []row) {
	for _, name := range allDigests {
		h, names := digestNames[name], []string{name}
		if h == crypto.SHA1 {
			names = append(names, "sha")
		}
		for _, name := range names {
			for _, coding := range []string{"}{sum:base64", ".b64}{sum:base64", ".hex}{sum:hex"} {
				plain := "{" + name + coding
				rows = append(rows, row{plain + "}", digest(h, "{password}")},
					row{"{s" + strings.Replace(plain[1:], "sum", "sum+salt", 1) + "}", digest(h, "{password}{salt}")})
			}
		}
	}
	return rows
}
