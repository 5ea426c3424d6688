// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount password: what is read, and what calibrate says. The scripts have the rest.

package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"fount/lab/logins"
)

func TestReadSecret(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "\n": "", "a": "a", "a\n": "a", "a\r\n": "a", "a\n\n": "a\n", "a\r": "a\r", " a ": " a ",
		"a\x00b\n":     "a\x00b",
		"two\nlines\n": "two\nlines",
	} {
		if got, err := readSecret(strings.NewReader(in)); err != nil || string(got) != want {
			t.Errorf("of %q: %q, %v; want %q", in, got, err, want)
		}
	}
	if got, err := readSecret(strings.NewReader(strings.Repeat("x", mostInput))); err != nil || len(got) != mostInput {
		t.Errorf("%d bytes, %v; want %d", len(got), err, mostInput)
	}
	if _, err := readSecret(strings.NewReader(strings.Repeat("x", mostInput+1))); err == nil {
		t.Error("a password without end is read")
	}
}

// A target below every hash leaves OWASP's minimum, which is measured, and missed.
func TestCalibrate(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"password", "calibrate", "--target", "1ms", "--rate", "1000000", "--memory", "64M", "--json"}
	if status := Main(args, nil, &stdout, &stderr); status != statusFailed ||
		!strings.Contains(stderr.String(), "argon2id,m=19456,t=2,p=1 missed its target") {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	dec := json.NewDecoder(&stdout)
	dec.DisallowUnknownFields()
	var c logins.Calibration
	if err := dec.Decode(&c); err != nil {
		t.Fatal(err)
	}
	if c.Policy != "argon2id,m=19456,t=2,p=1" || !c.Missed || c.HashMS <= 0 || c.Peak <= 0 || c.Each < 19<<20 ||
		len(c.Sentences) < 3 {
		t.Errorf("%+v", c)
	}
}

func TestUserHash(t *testing.T) {
	long := "x:" + strings.Repeat("y", mostLine)
	for _, c := range []struct{ text, user, want, err string }{
		{"a:1\nb:2\n", "b", "2", ""},
		{"a:1\r\nb:2", "a", "1", ""},
		{"# a:9\n\na:1:2\n", "a", "1:2", ""},
		{"a:1:::::::\n", "a", "1", ""},
		{"a:1:0:0:A:/home/a:/bin/sh\n", "a", "1", ""},      // passwd
		{"a:1:0:0::0:0:A:/home/a:/bin/sh\n", "a", "1", ""}, // FreeBSD's master.passwd
		{"a:1:2:3:4\n", "a", "1:2:3:4", ""},
		{"ab:1\na:\n", "a", "", `line 2, of the user "a", has no hash`},
		{"a", "a", "", `no line of the user "a"`},
		{"", "a", "", `no line of the user "a"`},
		{"a:1\nb:2\na:1\n", "a", "", "lines 1 and 3"},
		{"a:1\n" + long, "a", "", "line 2 has more than 65536 bytes"},
	} {
		got, err := userHash(strings.NewReader(c.text), c.user)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%.40q of %q: %q, %v; want %q, %q", c.user, c.text, got, err, c.want, c.err)
		}
	}
}

// What is there ends up whole in one user's hash, or in an error without it.
func FuzzUserHash(f *testing.F) {
	f.Add("ada:$2y$04$x\nbob:$apr1$y\n", "ada")
	f.Add("root:*:1:2:3:4:::\r\n", "root")
	f.Fuzz(func(t *testing.T, text, user string) {
		hash, err := userHash(strings.NewReader(text), user)
		if err != nil && hash != "" || err == nil && !strings.Contains(text, user+":"+hash) {
			t.Errorf("%q of %q: %q, %v", user, text, hash, err)
		}
	})
}
