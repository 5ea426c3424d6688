// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

import (
	"cmp"
	"strings"

	"fount/password"
)

// digests are by the names that directories, Django and Spring Security have for them.
var digests = map[string]string{
	"MD5":     "MD5",
	"SHA":     "SHA-1",
	"SHA1":    "SHA-1",
	"SHA-1":   "SHA-1",
	"SHA256":  "SHA-256",
	"SHA-256": "SHA-256",
	"SHA384":  "SHA-384",
	"SHA512":  "SHA-512",
}

// stretched are the forms of makers whose names do not say which digest they repeat.
var stretched = map[string]string{"phpass": "MD5", "drupal": "SHA-512"}

// Describe names the algorithm of a stored hash, of which Inspect gave the Info, and says whether
// it has no salt: then equal passwords have equal hashes, and tables find frequent ones.
func Describe(i password.Info, encoded string) (algorithm string, unsalted bool) {
	switch {
	case i.Wraps != "":
		return i.Name + " over " + i.Wraps, false
	case i.Algorithm != password.Foreign:
		return i.Name, i.SaltLen == 0
	case i.Form == "django": // md5$salt$sum, and md5$$sum
		name, rest, _ := strings.Cut(encoded, "$")
		if digest := digests[strings.ToUpper(name)]; digest != "" {
			return digest, strings.HasPrefix(rest, "$")
		}
	case i.Form == "ldap" || i.Form == "spring":
		return describeBraces(i.Form, encoded)
	case stretched[i.Form] != "":
		return stretched[i.Form], false
	}
	return i.Form, false
}

// describeBraces is Describe for {NAME}sum. A directory's name for a digest with salt begins with
// an S, and Spring Security has the salt in braces before the sum.
func describeBraces(form, encoded string) (algorithm string, unsalted bool) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(encoded, "{"), "}")

	upper := strings.ToUpper(name)
	digest := digests[upper]
	salted := digests[strings.TrimPrefix(upper, "S")]
	hasSpringSalt := form == "spring" && (name == "sha256" || strings.HasPrefix(rest, "{")) // StandardPasswordEncoder's sha256 always

	switch {
	case upper == "LDAP":
		return describeBraces("ldap", rest)
	case upper == "CRYPT":
		id, _, _ := strings.Cut(strings.TrimPrefix(rest, "$"), "$")
		return cmp.Or(cryptDigests[id], form), false
	case digest != "":
		return digest, !hasSpringSalt
	case salted != "":
		return salted, false
	}
	return form, false
}

// cryptDigests are by what crypt(3) has between the first two $.
var cryptDigests = map[string]string{"1": "md5-crypt", "apr1": "md5-crypt", "5": "sha256-crypt", "6": "sha512-crypt"}
