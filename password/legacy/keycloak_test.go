// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"errors"
	"strings"
	"testing"

	"fount/password"
)

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
		{"", `{"hashIterations":210000,"algorithm":"pbkdf2-sha512"}`, `{"value":"` + sum64 + `","salt":"P5rtFkGtPfoaryJ6PizUJw=="}`,
			"$pbkdf2-sha512$i=210000$P5rtFkGtPfoaryJ6PizUJw$" + sum64[:86]},
		// passlib's test of $pbkdf2$, in Keycloak's form
		{"password", `{"hashIterations":1212,"algorithm":"pbkdf2"}`, `{"value":"y5LKPOplRmok7CZp/aqVDVg8zGI=","salt":"OB+dtnSEXZK8U5cgxU/GYQ=="}`,
			"$pbkdf2$1212$OB.dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI"},
	} {
		got, err := Keycloak([]byte(c.how), []byte(c.secret))
		if got != c.want || err != nil {
			t.Errorf("%s: %s, %v; want %s", c.how, got, err, c.want)
			continue
		}
		if c.password == "" {
			if err := anyPolicy().Check(got); err != nil {
				t.Error(err)
			}
			continue
		}
		if _, err := password.Verify(anyPolicy(), []byte(c.password), got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
		if _, err := password.Verify(anyPolicy(), []byte(c.password+"x"), got); !errors.Is(err, password.ErrMismatch) {
			t.Errorf("%s with another password: %v", got, err)
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
	for _, change := range [][2]string{
		{`"id"`, `"x"`}, {`"1.3"`, `"1.2"`}, {"7168", "m"}, {"7168", "7168,t=1"}, {`["1"]`, `["1","2"]`}, {`"argon2"`, `"md5"`},
		{":5", ":0"}, {":5", ":-5"}, {":5", ":4294967296"}, {"RJ0aLMQ2qKbZuROs7qQhcA==", "!"},
		{"BuViHNDGmCq80fvpty/QoggTI8NSt0CuNDGgeoa5f5A=", "BuVi"}, {"{", ""},
	} {
		_, err := Keycloak([]byte(strings.Replace(how, change[0], change[1], 1)), []byte(strings.Replace(secret, change[0], change[1], 1)))
		if err == nil || strings.Contains(err.Error(), "BuVi") || strings.Contains(err.Error(), "7168") {
			t.Errorf("%q for %q: %v", change[1], change[0], err)
		}
	}
}

// What package password reads without this one.
func TestExportsThatAreKnown(t *testing.T) {
	for _, c := range []struct{ maker, password, encoded string }{
		// Auth0 exports bcrypt of 10 rounds, $2b$ or $2a$ (auth0.com/docs, "Bulk User Import
		// Database Schema and Examples"); this by bcrypt 4.0.1
		{"Auth0", "correct horse battery staple", "$2b$10$bNFbzDpZAbAeJ8YOmJabuOhV8kKDCdYExR0dw.gXnsTtqr0lGLJ1a"},
		// internal/crypto/password_test.go of supabase/auth, commit bc32168e13fd
		{"Supabase", "test", "$argon2i$v=19$m=16,t=2,p=1$bGJRWThNOHJJTVBSdHl2dQ$NfEnUOuUpb7F2fQkgFUG4g"},
		{"Supabase", "test", "$argon2id$v=19$m=32,t=3,p=2$SFVpOWJ0eXhjRzVkdGN1RQ$RXnb8rh7LaDcn07xsssqqulZYXOM/EUCEFMVcAcyYVk"},
		{"Supabase", "test", "$2y$04$mIJxfrCaEI3GukZe11CiXublhEFanu5.ododkll1WphfSp6pn4zIu"},
		{"Supabase", "test", "$2y$10$srNl09aPtc2qr.0Vl.NtjekJRt/NxRxYQm3qd3OvfcKsJgVnr6.Ve"},
		// hash/hasher_test.go of ory/kratos, commit b86338da04a0
		{"Kratos", "test", "$2a$12$o6hx.Wog/wvFSkT/Bp/6DOxCtLRTDj7lm9on9suF/WaCGNVHbkfL6"},
		{"Kratos", "test", "$argon2id$v=19$m=32,t=2,p=4$cm94YnRVOW5jZzFzcVE4bQ$MNzk5BtR2vUhrp6qQEjRNw"},
		{"Kratos", "test", "$argon2i$v=19$m=65536,t=3,p=4$kk51rW/vxIVCYn+EG4kTSg$NyT88uraJ6im6dyha/M5jhXvpqlEdlS/9fEm7ScMb8c"},
		{"Kratos", "test", "$pbkdf2-sha256$i=100000,l=32$1jP+5Zxpxgtee/iPxGgOz0RfE9/KJuDElP1ley4VxXc$QJxzfvdbHYBpydCbHoFg3GJEqMFULwskiuqiJctoYpI"},
		{"Kratos", "test", "$pbkdf2-sha512$i=100000,l=32$bdHBpn7OWOivJMVJypy2UqR0UnaD5prQXRZevj/05YU$+wArTfv1a+bNGO1iZrmEdVjhA+lL11wF4/IxpgYfPwc"},
	} {
		p := password.Policy{Algorithm: password.Bcrypt, Cost: 10}
		if _, err := password.Verify(p, []byte(c.password), c.encoded); err != nil {
			t.Errorf("%s: %s: %v", c.maker, c.encoded, err)
		}
		if _, err := password.Verify(p, []byte(c.password+"x"), c.encoded); !errors.Is(err, password.ErrMismatch) {
			t.Errorf("%s: %s with another password: %v", c.maker, c.encoded, err)
		}
	}
}
