// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"strings"
	"testing"
)

// A string that is not read gets an error that says what it is taken for and what is due there, by
// all makers that write so; none advises what would lose a part of a hash.
func TestErrors(t *testing.T) {
	sum := strings.Repeat("5f4dcc3b", 4)
	for encoded, want := range map[string]string{
		"pbkdf2_sha256$1000$salt":                    `django: want pbkdf2_sha256$ITERATIONS$SALT$SUM: no "$" where it is due`,
		"pbkdf2_sha256$0$salt$" + b64(32):            "its ITERATIONS is no number",
		"pbkdf2_sha256$1$salt$" + raw64(32):          "its SUM is not of 44 characters",
		"pbkdf2_sha256$1$salt$" + raw64(32) + "!":    "its SUM is not exact base64",
		"sha256$salt$" + sum:                         "django-salted, werkzeug, web2py: want sha256$SALT$SUM: its SUM is not of 64 characters",
		"$6$saltsalt$" + hash64(85):                  "sha512-crypt: want $6$SALT$SUM: its SUM is not of 86 characters; or mosquitto: ",
		"$6$rounds=10$saltsalt$" + hash64(86):        "want 1000 to 999,999,999 rounds",
		"$7$101$" + b64(12) + "$" + b64(63):          "; or mosquitto: want $7$ITERATIONS$SALT$SUM: its SUM is not of 88 characters",
		"{SSHA}" + b64(20):                           "ldap: want {ssha}SUM+SALT: its SUM+SALT is too short",
		"{noop}secret":                               "hash it with password.Hash, and store that",
		"{FOO}" + b64(20):                            "a scheme in braces",
		"bcrypt$$2b$10$short":                        "django: bcrypt: want 60 bytes",
		"1|secret":                                   "nextcloud: 1|HASH: want a hash there",
		"$argon2id$v=19$t=3,m=64,p=1$AAAA$AAAA":      "out of order",
		"$argon2id$v=18$m=64,t=3,p=1$AAAA$AAAA":      "want argon2id, v=19, m=N,t=N,p=N, salt and sum",
		"$shiro1$MD2$1$AAAA$AAAA":                    "none of Policy.Formats reads this",
		"$gy$j9T$abcdefgh$" + hash64(43):             "let its users set a new password",
		"*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19":  "MySQL's",
		"ab01FAX.bQRSU":                              "DES",
		`"$2b$10$` + hash64(53) + `"`:                "want what is between them",
		sum:                                          "store md5$$ or sha1$$ before it",
		sum + ":89384528665349271305465505333378":    "joomla, magento1, mybb, vbulletin: several programs write this, each with another sum: keep all of it",
		"PBKDF2$sha512$1$" + b64(16) + "$" + b64(64): "pbkdf2, mosquitto-auth-plug: several programs",
		"sha1$x$" + sum + "01234567":                 "django, werkzeug, web2py: several programs",
		"ada:$6$saltsalt$" + hash64(86) + ":1:0:::":  "give the column of the hash",
		"hunter2": "not bcrypt, argon2, scrypt or PBKDF2",
	} {
		t.Run(want, func(t *testing.T) {
			if err := anyPolicy().Check(encoded); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", encoded, err)
			}
		})
	}
}
