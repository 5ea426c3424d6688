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
	for name, c := range map[string]struct {
		good, bad []func(*FirebaseConfig)
	}{
		"SignerKey": {
			good: []func(*FirebaseConfig){
				func(c *FirebaseConfig) { c.SignerKey = b64(16) },
				func(c *FirebaseConfig) { c.SignerKey = b64(64) },
			},
			bad: []func(*FirebaseConfig){
				func(c *FirebaseConfig) { c.SignerKey = "no base64" },
				func(c *FirebaseConfig) { c.SignerKey = b64(15) },
				func(c *FirebaseConfig) { c.SignerKey = b64(65) },
			},
		},
		"SaltSeparator": {
			good: []func(*FirebaseConfig){func(c *FirebaseConfig) { c.SaltSeparator = b64(64) }},
			bad: []func(*FirebaseConfig){
				func(c *FirebaseConfig) { c.SaltSeparator = "B" },
				func(c *FirebaseConfig) { c.SaltSeparator = b64(65) },
			},
		},
		"Rounds": {
			good: []func(*FirebaseConfig){
				func(c *FirebaseConfig) { c.Rounds = 1 },
				func(c *FirebaseConfig) { c.Rounds = 255 },
			},
			bad: []func(*FirebaseConfig){
				func(c *FirebaseConfig) { c.Rounds = 0 },
				func(c *FirebaseConfig) { c.Rounds = 256 },
			},
		},
		"MemCost": {
			good: []func(*FirebaseConfig){
				func(c *FirebaseConfig) { c.MemCost = 1 },
				func(c *FirebaseConfig) { c.MemCost = 31 },
			},
			bad: []func(*FirebaseConfig){
				func(c *FirebaseConfig) { c.MemCost = 0 },
				func(c *FirebaseConfig) { c.MemCost = 32 },
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, change := range c.good {
				config := readme
				change(&config)
				if _, err := FirebaseProject(config); err != nil {
					t.Errorf("%+v: %v", config, err)
				}
			}
			for _, change := range c.bad {
				config := readme
				change(&config)
				if _, err := FirebaseProject(config); err == nil || !strings.Contains(err.Error(), name) {
					t.Errorf("%+v: %v; want an error that names %s", config, err, name)
				}
			}
		})
	}
}

// Rows that Keycloak wrote, from public repositories that tell the password, and one in each other
// form.
func TestKeycloak(t *testing.T) {
	for _, c := range []struct{ name, password, how, secret, want string }{
		{
			name:     "argon2", // the realm of lakekeeper/lakekeeper's examples
			password: "iceberg",
			how:      `{"hashIterations":5,"algorithm":"argon2","additionalParameters":{"hashLength":["32"],"memory":["7168"],"type":["id"],"version":["1.3"],"parallelism":["1"]}}`,
			secret:   `{"value":"BuViHNDGmCq80fvpty/QoggTI8NSt0CuNDGgeoa5f5A=","salt":"RJ0aLMQ2qKbZuROs7qQhcA==","additionalParameters":{}}`,
			want:     "$argon2id$v=19$m=7168,t=5,p=1$RJ0aLMQ2qKbZuROs7qQhcA$BuViHNDGmCq80fvpty/QoggTI8NSt0CuNDGgeoa5f5A",
		},
		{
			name:     "pbkdf2-sha256", // user1 of Solo.io's workshops
			password: "password",
			how:      `{"hashIterations":27500,"algorithm":"pbkdf2-sha256","additionalParameters":{}}`,
			secret:   `{"value":"JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k=","salt":"P5rtFkGtPfoaryJ6PizUJw==","additionalParameters":{}}`,
			want:     "$pbkdf2-sha256$i=27500$P5rtFkGtPfoaryJ6PizUJw$JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k",
		},
		{
			name:     "pbkdf2-sha512",
			password: "",
			how:      `{"hashIterations":210000,"algorithm":"pbkdf2-sha512"}`,
			secret:   `{"value":"` + b64(64) + `","salt":"P5rtFkGtPfoaryJ6PizUJw=="}`,
			want:     "$pbkdf2-sha512$i=210000$P5rtFkGtPfoaryJ6PizUJw$" + raw64(64),
		},
		{
			name:     "pbkdf2", // passlib's test of $pbkdf2$, in Keycloak's form
			password: "password",
			how:      `{"hashIterations":1212,"algorithm":"pbkdf2"}`,
			secret:   `{"value":"y5LKPOplRmok7CZp/aqVDVg8zGI=","salt":"OB+dtnSEXZK8U5cgxU/GYQ=="}`,
			want:     "$pbkdf2$1212$OB.dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI",
		},
		{
			name:     "pbkdf2 of 64 bytes", // as Keycloak's own are; by Python's hashlib
			password: "password",
			how:      `{"hashIterations":1000,"algorithm":"pbkdf2"}`,
			secret:   `{"value":"qdp8HxUDI0BYO/Qo6ikhSnbwyVwUtNlLjJUSy43WIzq1l/rS6NzwmkKof+FQeYGCnGQ0j7sMo/oc+ZUCg/ZKMg==","salt":"++++/3NhbHRzYWx0c2FsdA=="}`,
			want:     "$pbkdf2$1000$..../3NhbHRzYWx0c2FsdA$qdp8HxUDI0BYO/Qo6ikhSnbwyVwUtNlLjJUSy43WIzq1l/rS6NzwmkKof.FQeYGCnGQ0j7sMo/oc.ZUCg/ZKMg",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Keycloak([]byte(c.how), []byte(c.secret))
			if got != c.want || err != nil {
				t.Fatalf("%s: %s, %v; want %s", c.how, got, err, c.want)
			}
			if err := anyPolicy().Check(got); err != nil {
				t.Error(err)
			}

			isKnown := c.password != ""
			if isKnown && (!matches(t, anyPolicy(), c.password, got) || matches(t, anyPolicy(), c.password+"x", got)) {
				t.Errorf("%s is not of its password alone", got)
			}
		})
	}
}

// Nothing else becomes a string, and no error holds a row.
func TestKeycloakRefuses(t *testing.T) {
	const (
		how    = `{"hashIterations":5,"algorithm":"argon2","additionalParameters":{"memory":["7168"],"type":["id"],"version":["1.3"],"parallelism":["1"]}}`
		secret = `{"value":"BuViHNDGmCq80fvpty/QoggTI8NSt0CuNDGgeoa5f5A=","salt":"RJ0aLMQ2qKbZuROs7qQhcA=="}`
	)
	if _, err := Keycloak([]byte(how), []byte(secret)); err != nil {
		t.Fatal(err)
	}

	const salt, sum = "RJ0aLMQ2qKbZuROs7qQhcA==", "BuViHNDGmCq80fvpty/QoggTI8NSt0CuNDGgeoa5f5A="
	for _, c := range []struct{ name, old, changed string }{
		{name: "a salt of 65 bytes", old: salt, changed: b64(65)},
		{name: "a salt that is no base64", old: salt, changed: "!"},
		{name: "a sum of 15 bytes", old: sum, changed: b64(15)},
		{name: "a sum of 65 bytes", old: sum, changed: b64(65)},
		{name: "a sum that is no base64", old: sum, changed: "!"},
		{name: "no credential_data", old: how},
		{name: "no secret_data", old: secret},
		{name: "no JSON", old: "{"},
		{name: "another type", old: `"id"`, changed: `"x"`},
		{name: "another version", old: `"1.3"`, changed: `"1.2"`},
		{name: "a memory that is no number", old: "7168", changed: "m"},
		{name: "a memory with another number", old: "7168", changed: "7168,t=1"},
		{name: "two numbers of lanes", old: `["1"]`, changed: `["1","2"]`},
		{name: "another algorithm", old: `"argon2"`, changed: `"md5"`},
		{name: "no iteration", old: ":5", changed: ":0"},
		{name: "fewer iterations", old: ":5", changed: ":-5"},
		{name: "iterations above 2^32", old: ":5", changed: ":4294967296"},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := func(s string) []byte { return []byte(strings.Replace(s, c.old, c.changed, 1)) }
			_, err := Keycloak(changed(how), changed(secret))
			if err == nil || strings.Contains(err.Error(), "BuVi") || strings.Contains(err.Error(), "7168") {
				t.Error(err)
			}
		})
	}
}
