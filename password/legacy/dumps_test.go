// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// Exports that are configured or converted before they are read: Firebase's and Keycloak's.

import (
	"errors"
	"strings"
	"testing"

	"fount/password"
)

// readme is the project of firebase/scrypt's README.md.
var readme = FirebaseConfig{
	SignerKey:     "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
	SaltSeparator: "Bw==", Rounds: 8, MemCost: 14,
}

// A project's rows are read beside all other forms, in both of Firebase's base64s.
func TestFirebaseProject(t *testing.T) {
	const row = "$fbscrypt$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
	p := policyOf(t, append(whole(), project())...)
	for _, encoded := range []string{row, strings.NewReplacer("+", "-", "/", "_").Replace(row)} {
		if !matches(t, p, "user1password", encoded) || matches(t, p, "user2password", encoded) {
			t.Errorf("%s is not of its password alone", encoded)
		}
	}
	for _, v := range readVectors(t) {
		if strings.HasPrefix(v.encoded, "$fbscrypt$") {
			if err := p.Check(v.encoded); err != nil {
				t.Errorf("%s beside a project: %v", v.encoded, err)
			}
		}
	}
	for _, encoded := range []string{row + "$", row[:len(row)-4], "$fbscrypt$" + row, "$fbscrypt$$", "$fbscrypt$AAAA$AAAA"} {
		if err := p.Check(encoded); !errors.Is(err, password.ErrMalformed) {
			t.Errorf("%s: %v", encoded, err)
		}
	}
}

func TestFirebaseConfig(t *testing.T) {
	for _, c := range []struct {
		change func(*FirebaseConfig)
		good   bool
	}{
		{func(c *FirebaseConfig) { c.SignerKey = "no base64" }, false}, {func(c *FirebaseConfig) { c.SaltSeparator = "B" }, false},
		{func(c *FirebaseConfig) { c.SignerKey = b64(15) }, false}, {func(c *FirebaseConfig) { c.SignerKey = b64(16) }, true},
		{func(c *FirebaseConfig) { c.SignerKey = b64(64) }, true}, {func(c *FirebaseConfig) { c.SignerKey = b64(65) }, false},
		{func(c *FirebaseConfig) { c.SaltSeparator = b64(64) }, true}, {func(c *FirebaseConfig) { c.SaltSeparator = b64(65) }, false},
		{func(c *FirebaseConfig) { c.Rounds = 0 }, false}, {func(c *FirebaseConfig) { c.Rounds = 1 }, true},
		{func(c *FirebaseConfig) { c.Rounds = 255 }, true}, {func(c *FirebaseConfig) { c.Rounds = 256 }, false},
		{func(c *FirebaseConfig) { c.MemCost = 0 }, false}, {func(c *FirebaseConfig) { c.MemCost = 1 }, true},
		{func(c *FirebaseConfig) { c.MemCost = 31 }, true}, {func(c *FirebaseConfig) { c.MemCost = 32 }, false},
	} {
		config := readme
		c.change(&config)
		if _, err := FirebaseProject(config); (err == nil) != c.good {
			t.Errorf("%+v: %v; want none: %v", config, err, c.good)
		}
	}
}

// Rows that Keycloak wrote, from public repositories that tell the password, and one in each other
// form.
func TestKeycloak(t *testing.T) {
	for _, c := range []struct{ password, how, secret, want string }{
		{"iceberg", // the realm of lakekeeper/lakekeeper's examples
			`{"hashIterations":5,"algorithm":"argon2","additionalParameters":{"hashLength":["32"],"memory":["7168"],"type":["id"],"version":["1.3"],"parallelism":["1"]}}`,
			`{"value":"BuViHNDGmCq80fvpty/QoggTI8NSt0CuNDGgeoa5f5A=","salt":"RJ0aLMQ2qKbZuROs7qQhcA==","additionalParameters":{}}`,
			"$argon2id$v=19$m=7168,t=5,p=1$RJ0aLMQ2qKbZuROs7qQhcA$BuViHNDGmCq80fvpty/QoggTI8NSt0CuNDGgeoa5f5A"},
		{"password", // user1 of Solo.io's workshops
			`{"hashIterations":27500,"algorithm":"pbkdf2-sha256","additionalParameters":{}}`,
			`{"value":"JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k=","salt":"P5rtFkGtPfoaryJ6PizUJw==","additionalParameters":{}}`,
			"$pbkdf2-sha256$i=27500$P5rtFkGtPfoaryJ6PizUJw$JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k"},
		{"", `{"hashIterations":210000,"algorithm":"pbkdf2-sha512"}`, `{"value":"` + b64(64) + `","salt":"P5rtFkGtPfoaryJ6PizUJw=="}`,
			"$pbkdf2-sha512$i=210000$P5rtFkGtPfoaryJ6PizUJw$" + raw64(64)},
		// passlib's test of $pbkdf2$, in Keycloak's form
		{"password", `{"hashIterations":1212,"algorithm":"pbkdf2"}`, `{"value":"y5LKPOplRmok7CZp/aqVDVg8zGI=","salt":"OB+dtnSEXZK8U5cgxU/GYQ=="}`,
			"$pbkdf2$1212$OB.dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI"},
		// its own are of 64 bytes; this one is of Python's hashlib
		{"password", `{"hashIterations":1000,"algorithm":"pbkdf2"}`, `{"value":"qdp8HxUDI0BYO/Qo6ikhSnbwyVwUtNlLjJUSy43WIzq1l/rS6NzwmkKof+FQeYGCnGQ0j7sMo/oc+ZUCg/ZKMg==","salt":"++++/3NhbHRzYWx0c2FsdA=="}`,
			"$pbkdf2$1000$..../3NhbHRzYWx0c2FsdA$qdp8HxUDI0BYO/Qo6ikhSnbwyVwUtNlLjJUSy43WIzq1l/rS6NzwmkKof.FQeYGCnGQ0j7sMo/oc.ZUCg/ZKMg"},
	} {
		got, err := Keycloak([]byte(c.how), []byte(c.secret))
		if got != c.want || err != nil {
			t.Errorf("%s: %s, %v; want %s", c.how, got, err, c.want)
			continue
		}
		if err := anyPolicy().Check(got); err != nil {
			t.Error(err)
		}
		if c.password != "" && (!matches(t, anyPolicy(), c.password, got) || matches(t, anyPolicy(), c.password+"x", got)) {
			t.Errorf("%s is not of its password alone", got)
		}
	}
}

// Nothing else becomes a string, and no error holds a row.
func TestKeycloakRefuses(t *testing.T) {
	const how, secret = `{"hashIterations":5,"algorithm":"argon2","additionalParameters":{"memory":["7168"],"type":["id"],"version":["1.3"],"parallelism":["1"]}}`,
		`{"value":"BuViHNDGmCq80fvpty/QoggTI8NSt0CuNDGgeoa5f5A=","salt":"RJ0aLMQ2qKbZuROs7qQhcA=="}`
	if _, err := Keycloak([]byte(how), []byte(secret)); err != nil {
		t.Fatal(err)
	}
	const salt, sum = "RJ0aLMQ2qKbZuROs7qQhcA==", "BuViHNDGmCq80fvpty/QoggTI8NSt0CuNDGgeoa5f5A="
	for _, change := range [][2]string{
		{salt, b64(65)}, {sum, b64(15)}, {sum, b64(65)}, {sum, "!"}, {how, ""}, {secret, ""},
		{`"id"`, `"x"`}, {`"1.3"`, `"1.2"`}, {"7168", "m"}, {"7168", "7168,t=1"}, {`["1"]`, `["1","2"]`}, {`"argon2"`, `"md5"`},
		{":5", ":0"}, {":5", ":-5"}, {":5", ":4294967296"}, {salt, "!"},
		{"{", ""},
	} {
		_, err := Keycloak([]byte(strings.Replace(how, change[0], change[1], 1)), []byte(strings.Replace(secret, change[0], change[1], 1)))
		if err == nil || strings.Contains(err.Error(), "BuVi") || strings.Contains(err.Error(), "7168") {
			t.Errorf("%q for %q: %v", change[1], change[0], err)
		}
	}
}
