// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What the parsers do with strings that nobody writes. Bytes are measured; no guard's formula is
// believed.

import (
	"crypto"
	"errors"
	"strings"
	"testing"
	"time"

	"fount/internal/test/parsertest"
	"fount/password"
)

// refused are strings that look like a form's, at the bounds of what is read.
var refused = []string{
	"$6$rounds=999999999$saltsalt$" + strings.Repeat("a", 86), "$5$rounds=999999999$saltsalt$" + strings.Repeat("a", 43),
	"$P$S12345678" + strings.Repeat("a", 22), "$S$S12345678" + strings.Repeat("a", 43), "$6$saltsalt$" + strings.Repeat("a", 10_000),
	"pbkdf2_sha1$4294967295$salt$" + "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "scrypt:2147483648:8:1$salt$" + strings.Repeat("0", 128),
	"{SSHA}" + strings.Repeat("A", 400), "{noop}password", "AQAAAAEA/////wAAABAAAQIDBAUGBwgJCgsMDQ4Pslk=", "{scrypt}$ffffffffff$AAAA$AAAA",
	"{ldap}{CRYPT}$2x$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a", strings.Repeat("{MD5}", 60), strings.Repeat("$", 320),
	"$firescrypt$ln=4" + strings.Repeat(",", 10_000) + "$$$$", "$scrypt$ln=16384" + strings.Repeat(",", 10_000) + "$$", "$pbkdf2-sha1$i=1" + strings.Repeat(",", 10_000) + "$$",
	"$firescrypt$ln=1,r=255,p=255$c2FsdHNhbHQ=$AAAAAAAAAAAAAAAAAAAAAA==$Bw==$AAAAAAAAAAAAAAAAAAAAAA==", strings.Repeat("x", 63) + ":" + strings.Repeat("0", 64),
	"$y$jRT$abcdefgh$" + strings.Repeat("a", 42) + "/", "$y$j2U1s$$" + strings.Repeat("a", 42) + "/", "$y$zzzzzzzzzzzzz$$", "$y$j//.zz$$",
	"$md5$pf=" + text64(strings.Repeat("{SALT}", 500)+"{PASSWORD}") + "$" + b64(3000) + "$" + b64(16), // 1.5 MB, were it filled in
	"$fbscrypt$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
}

// target is the target of a form.
func target(name string, f password.Format) parsertest.Target {
	g := parsertest.Target{Name: name, Bytes: 2 << 10}
	g.Parse = func(s string) (any, error) { return f.Parse(s) }
	g.Check = func(t testing.TB, s string, value any, err error) bool {
		parsed := value.(*password.Parsed)
		switch {
		case err != nil && parsed != nil:
			t.Errorf("%s: %q: %+v and %v", f.Name(), s, parsed, err)
		case err == nil && parsed != nil && parsed.Hash == "":
			wellFormed(t, f.Name(), s, parsed)
		}
		return err == nil && parsed != nil && len(s) <= 320
	}
	g.Compute = func(t testing.TB, s string) {
		if parsed, _ := f.Parse(s); parsed.Hash == "" {
			affordable(t, f.Name(), s, parsed)
		} else {
			dressed(t, f.Name(), s, parsed)
		}
	}
	return g
}

func wellFormed(t testing.TB, name, s string, p *password.Parsed) {
	short, long := p.Time(1), p.Time(1024)
	if p.Compute == nil || len(p.Sum) < 16 || short <= 0 || long < short || p.Memory < 0 {
		t.Errorf("%s: %q: %+v, %v for a byte and %v for 1024", name, s, p, short, long)
	}
}

// some is what a Parsed's functions may allocate beside Memory, for a password of some bytes.
const some = 128 << 10

// affordable computes what takes little, and measures that it holds no more than it told.
func affordable(t testing.TB, name, s string, p *password.Parsed) {
	given := []byte("p4ssw0rd")
	if p.Time(len(given)) > time.Millisecond || p.Memory > 1<<20 {
		return
	}
	memory := make([]byte, p.Memory)
	var sum []byte
	bytes := parsertest.Allocated(some, func() { sum = p.Compute(given, memory, func() bool { return true }) })
	if sum == nil || len(sum) != len(p.Sum) || bytes > some {
		t.Errorf("%s: %q, computed: %d bytes for a sum of %d; allocated %d beside its memory of %d", name, s, len(sum), len(p.Sum), bytes, p.Memory)
	}
}

// dressed verifies a known hash in another dress, where that is cheap. No password is right by
// chance.
func dressed(t testing.TB, name, s string, p *password.Parsed) {
	if p.Prepare != nil {
		if bytes := parsertest.Allocated(some, func() { p.Prepare([]byte("p4ssw0rd")) }); bytes > some {
			t.Errorf("%s: %q: to prepare a password allocates %d bytes", name, s, bytes)
		}
	}
	policy := password.Policy{Algorithm: password.Bcrypt, Cost: 4, Formats: All(), Limits: password.Limits{Time: time.Millisecond, Memory: 64 << 10}}
	var err error
	bytes := parsertest.Allocated(some, func() { _, err = password.Verify(policy, []byte("no user's password"), s) })
	if err == nil || bytes > 128<<10 || parsertest.Tells(err.Error(), s) {
		t.Errorf("%s: %q: %v, and %d bytes", name, s, err, bytes)
	}
}

// parsers are the forms by the names of their functions.
var parsers = map[string]password.Format{
	"Django":          Django(),
	"Werkzeug":        Werkzeug(),
	"Spring":          Spring(),
	"ASPNET":          ASPNET(),
	"PBKDF2SHA1":      PBKDF2SHA1(),
	"MD5Crypt":        MD5Crypt(),
	"SHA256Crypt":     SHA256Crypt(),
	"SHA512Crypt":     SHA512Crypt(),
	"PHPass":          PHPass(),
	"WordPress":       WordPress(),
	"Drupal":          Drupal(),
	"LDAP":            LDAP(),
	"Bcrypt":          Bcrypt(),
	"Firebase":        Firebase(),
	"Kratos":          Kratos(),
	"Yescrypt":        Yescrypt(),
	"FirebaseProject": project(),
	"Digest":          saltedDigest(),
}

// project is a FirebaseProject, and digests a Digest, with a salt before its sum, where it may be
// anything.
func project() password.Format {
	f, err := FirebaseProject(readme)
	if err != nil {
		panic(err)
	}
	return f
}

func saltedDigest() password.Format {
	f, err := Digest(DigestForm{Name: "digest", Hash: crypto.SHA256, Input: "{salt}{password}{salt}", Stored: "{salt}:{sum:hex}"})
	if err != nil {
		panic(err)
	}
	return f
}

// guards are the target of all: what they let in, by the default Limits, and what they refuse,
// allocates little.
func guards(t testing.TB) parsertest.Target {
	g := parsertest.Target{Name: "Check", Seeds: refused, Bytes: 12 << 10}
	for _, v := range readVectors(t) {
		g.Seeds = append(g.Seeds, v.encoded)
	}
	policy := anyPolicy()
	g.Parse = func(s string) (any, error) { return nil, policy.Check(s) }
	g.Check = func(t testing.TB, s string, _ any, err error) bool {
		if err != nil && !errors.Is(err, password.ErrMalformed) && !errors.Is(err, password.ErrCost) && !errors.Is(err, password.ErrKey) {
			t.Errorf("%q: %v", s, err)
		}
		return err == nil
	}
	return g
}

// FuzzForms tries each string as every form.
func FuzzForms(f *testing.F) {
	for _, s := range guards(f).Seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, form := range parsers {
			target(name, form).Try(t, s)
		}
	})
}

func FuzzCheck(f *testing.F) { guards(f).Fuzz(f) }
