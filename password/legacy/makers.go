// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The table of makers, with a row for each form of their strings.
// To add a form, add its row here, and a hash with its source to testdata/make.py and, where that
// prints it, to testdata/hashes.txt: a run of all of make.py needs the other programs, and draws new
// salts. row.go has the language of rows, coding.go the codings, method.go the methods of those whose
// sum it does not describe. For a new maker, add a form to Form's comment, a line to the package
// comment, and the beginnings of its strings to package format's inLegacy. If crypt(3) makes them,
// add them to crypt.go's list too, for {CRYPT}. Seconds of test:
//
//	go test -vet=off -run 'Rows|Vectors|Form$|Errors|Bounds' ./password/legacy

import (
	"crypto"
	"errors"
	"slices"
	"strings"
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
			{stored: "scrypt${n}${salt}${r}${p}${scrypt:base64}"},
			{"argon2${hash}", native("$", nil)},
			{"bcrypt${hash}", native("", nil)},
			{"bcrypt_sha256${hash}", native("", hexOf(crypto.SHA256))},
			{"crypt$${hash}", parseHash(crypt)},
			{stored: "md5$${md5({password}):hex}"},
			{stored: "sha1$${sha1({password}):hex}"},
			{"md5${salt:some}${md5({salt}{password}):hex}", method{shared: true}}, // Werkzeug, web2py (hashcat 20, 30000)
			{"sha1${salt:some}${sha1({salt}{password}):hex}", method{shared: true}},
		}},
		{"django-salted", shared(forDigests( // Werkzeug, web2py (hashcat 30120)
			"{name}${salt:some}${{name}({salt}{password}):hex}", nil, "sha224", "sha256", "sha384", "sha512"))},
		{"werkzeug", slices.Concat(
			[]row{{stored: "scrypt:{n}:{r}:{p}${salt}${scrypt:hex}"}},
			forDigests("pbkdf2:{name}:{i}${salt}${sum:hex}", pbkdf2Of, allDigests...),
			shared(forDigests("{name}${salt:some}${sum:hex}", hmacUnderSalt, allDigests...)))}, // Django, web2py
		{"web2py", slices.Concat(
			forDigests("pbkdf2({i},{len},{name})${salt}${pbkdf2-{name}:hex}", nil, allDigests...),
			shared(forDigests("{name}${salt:some}${{name}({password}{salt}):hex}", nil, allDigests...)))}, // Django, Werkzeug
		{"spring", []row{
			{"{bcrypt}{hash}", native("", nil)},
			{"{argon2}{hash}", native("", nil)},
			{"{argon2@SpringSecurity_v5_8}{hash}", native("", nil)},
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
		{"aspnet", []row{{"{hash}", parseHash(aspnet)}}},
		{"pbkdf2-sha1", []row{
			{stored: "$pbkdf2${i}${salt:ab64}${pbkdf2-sha1:ab64}"}, // Keycloak's has 64 bytes
			{stored: "$pbkdf2${i}${salt:base64}${pbkdf2-sha1:base64}"},
			{stored: "$pbkdf2${i}${salt:raw64}${pbkdf2-sha1:raw64}"},
			{"{PKCS5S2}{salt16+sum32:base64}", anyPBKDF2(crypto.SHA1, 10_000)},
		}},
		{"pbkdf2", slices.Concat(
			forDigests("$pbkdf2-{name}${i}${salt:base64}${pbkdf2-{name}:base64}", nil, allDigests[1:]...),
			forDigests("$pbkdf2-{name}${i}${salt:raw64}${pbkdf2-{name}:raw64}", nil, allDigests[1:]...),
			forDigests("$pbkdf2-{name}${i}${salt:ab64}${pbkdf2-{name}:ab64}", nil, "sha256", "sha512"), // other sizes
			// mosquitto-go-auth; mosquitto-auth-plug and emoncms have another salt
			shared(forDigests("PBKDF2${name}${i}${salt:base64}${pbkdf2-{name}:base64}", nil, "sha256", "sha512")),
			[]row{
				{"$pbkdf2-sha224${i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA224, 0)},       // passwap, go-crypt
				{"$pbkdf2-sha384${i}${salt:ab64}${sum:ab64}", pbkdf2(crypto.SHA384, 0)},       // Authelia
				{stored: "$pbkdf2$f=SHA256,w={i},l={len}${salt:raw64}${pbkdf2-sha256:raw64}"}, // Mattermost 11
				{stored: "$pbkdf2$f=SHA512,w={i},l={len}${salt:raw64}${pbkdf2-sha512:raw64}"},
				{stored: "PBKDF2WithHmacSHA224:{i}:{salt:base64}:{pbkdf2-sha224:base64}"}, // Jakarta Security
				{stored: "PBKDF2WithHmacSHA256:{i}:{salt:base64}:{pbkdf2-sha256:base64}"},
				{stored: "PBKDF2WithHmacSHA384:{i}:{salt:base64}:{pbkdf2-sha384:base64}"},
				{stored: "PBKDF2WithHmacSHA512:{i}:{salt:base64}:{pbkdf2-sha512:base64}"},
				{"grub.pbkdf2.sha512.{i}.{salt:HEX}.{sum:HEX}", pbkdf2(crypto.SHA512, 0)},
				{stored: "$ml${i}${salt:hex}${pbkdf2-sha512:hex}"}, // macOS
				{"$p5k2${i:hex}${salt:url64}${sum:url64}", pbkdf2(crypto.SHA1, 0)},
			})},
		{"scrypt", []row{
			{stored: "{n}${r}${p}${salt:hex}${scrypt:hex}"},                    // simple-scrypt
			{"{n:hex}${r:hex}${p:hex}${salt:hex}${sum32:hex}", rubyScrypt},     // Ruby's
			{stored: "$s0${nrp:hex}${salt:base64}${scrypt:base64}"},            // lambdaworks
			{"$scrypt$n={n},r={r},p={p}${salt:raw64}${sum:raw64}", scryptOfN},  // AdonisJS
			{stored: "$scrypt$n={ln},r={r},p={p}${salt:raw64}${scrypt:raw64}"}, // @phc/scrypt
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
		{"mediawiki", append(
			forDigests(":pbkdf2:{name}:{i}:{len}:{salt:base64}:{pbkdf2-{name}:base64}", nil, "sha1", "sha256", "sha512"),
			row{stored: ":A:{md5({password}):hex}"},
			row{stored: ":B:{salt}:{md5({salt}-md5({password})):hex}"},
			row{":argon2:{hash}", native("", nil)})},
		{"nextcloud", []row{
			{"1|{hash}", native("", nil)},
			{"2|{hash}", native("", nil)},
			{"3|{hash}", native("", nil)},
		}},
		{"joomla", shared([]row{{stored: "{md5({password}{salt}):hex}:{salt:some}"}})},
		{"magento1", shared([]row{{stored: "{md5({salt}{password}):hex}:{salt:some}"}})},
		{"mybb", shared([]row{{stored: "{md5(md5({salt})md5({password})):hex}:{salt:some}"}})},
		{"vbulletin", shared([]row{{stored: "{md5(md5({password}){salt}):hex}:{salt:some}"}})},
		{"jenkins", []row{{"#jbcrypt:{hash}", native("", nil)}}},
		{"glauth", []row{{"2432{hash58:hex}", glauth}}},
		{"shiro", []row{
			{"$shiro1$MD5${i}${salt:base64}${sum:base64}", iterated(crypto.MD5, 0)},
			{"$shiro1$SHA-1${i}${salt:base64}${sum:base64}", iterated(crypto.SHA1, 0)},
			{"$shiro1$SHA-256${i}${salt:base64}${sum:base64}", iterated(crypto.SHA256, 0)},
			{"$shiro1$SHA-384${i}${salt:base64}${sum:base64}", iterated(crypto.SHA384, 0)},
			{"$shiro1$SHA-512${i}${salt:base64}${sum:base64}", iterated(crypto.SHA512, 0)},
		}},
		{"mosquitto-auth-plug", shared(forDigests( // and emoncms, whose salt is the text; mosquitto-go-auth
			"PBKDF2${name}${i}${salt:some}${pbkdf2-{name}:base64}", nil, "sha1", "sha256", "sha512"))},
		{"mosquitto", []row{
			{stored: "$6${salt:base64}${sha512({password}{salt}):base64}"},
			{"$7${i}${salt:base64}${sum:base64}", pbkdf2(crypto.SHA512, 0)},
		}},
		{"ldap", append(ldapDigests(),
			row{"{CRYPT}{hash}", parseHash(crypt)}, row{"{MD5}$1${hash}", parseAs("md5-crypt", "$1$")},
			row{"{SHA512-CRYPT}{hash}", parseHash(crypt)}, row{"{SHA256-CRYPT}{hash}", parseHash(crypt)},
			row{"{MD5-CRYPT}{hash}", parseHash(crypt)}, row{"{BLF-CRYPT}{hash}", parseHash(crypt)}, row{"{BCRYPT}{hash}", parseHash(crypt)},
			row{"{ARGON2}{hash}", native("", nil)}, row{"{ARGON2ID}{hash}", native("", nil)}, row{"{ARGON2I}{hash}", native("", nil)},
			row{stored: "{PLAIN-MD5}{md5({password}):hex}"},
			row{stored: "{LDAP-MD5}{md5({password}):base64}"},
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
			{"$sha256-crypt${hash}", parseAs("sha256-crypt", "$5$")},
			{"$sha512-crypt${hash}", parseAs("sha512-crypt", "$6$")},
			{stored: "$pbkdf2-sha1$i={i},l={l}${salt:raw64}${pbkdf2-sha1:raw64}"},
			{"$pbkdf2-sha224$i={i},l={l}${salt:raw64}${sum:raw64}", anyPBKDF2(crypto.SHA3_224, 0)},
			{stored: "$pbkdf2-sha256$i={i},l={l}${salt:raw64}${pbkdf2-sha256:raw64}"},
			{"$pbkdf2-sha384$i={i},l={l}${salt:raw64}${sum:raw64}", anyPBKDF2(crypto.SHA3_384, 0)},
			{stored: "$pbkdf2-sha512$i={i},l={l}${salt:raw64}${pbkdf2-sha512:raw64}"},
			{"$scrypt$ln={n},r={r},p={p}${salt:base64}${sum:base64}", scryptOfN},
			{stored: "$md5${md5({password}):base64}"},
			{"$hmac-md4${hash}", refused(errMD4)}},
			forDigests("${name}$pf={hash:base64}${salt:base64}${sum:base64}", kratosDigest, "md5", "sha1", "sha256", "sha512")...),
			forDigests("$hmac-{name}${sum:hex64}${salt:base64}", hmacUnderSalt, allDigests...)...)},
		{"argon2-padded", []row{{"$argon2{hash}", parseHash(paddedArgon2)}}},
		{"yescrypt", []row{{"$y${hash}", parseHash(yescryptOf)}}},
	}
}

var errPlain = errors.New("{noop} holds the password itself: " +
	"hash it with password.Hash, and store that")

var allDigests = []string{"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}

// forDigests returns the rows of a form that names its digest. If of is not nil, it returns their
// methods.
func forDigests(stored string, of func(crypto.Hash) method, names ...string) (rows []row) {
	for _, name := range names {
		r := row{stored: strings.ReplaceAll(stored, "{name}", name)}
		if of != nil {
			r.method = of(digestNames[name])
		}
		rows = append(rows, r)
	}
	return rows
}

func pbkdf2Of(h crypto.Hash) method { return pbkdf2(h, 0) }

// shared marks rows that other programs write with other sums.
func shared(rows []row) []row {
	for i := range rows {
		rows[i].method.shared = true
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
