// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

// Tests of what is advised for a pool, against pools.

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/internal/policytext"
	"fount/lab/show"
	"fount/password"
)

// advised are the options of a pool that follows the report.
func advised(t *testing.T, s *Survey, r *Report) password.Options {
	t.Helper()
	o := password.Options{Policy: s.policy}
	for _, w := range r.Unknown.Stored {
		p, err := policytext.Parse(w.Name)
		if err != nil {
			t.Fatal(err)
		}
		o.Stored = append(o.Stored, p)
	}
	for _, w := range r.Unknown.Samples {
		for k, one := range s.kinds {
			if k.name() == w.Name {
				o.Samples = append(o.Samples, one.sample)
				break
			}
		}
	}
	if len(o.Samples) != len(r.Unknown.Samples) {
		t.Fatalf("%d of %d samples are in the store", len(o.Samples), len(r.Unknown.Samples))
	}
	return o
}

// others is how many hashes an unknown user takes beside the policy's.
func others(t *testing.T, o password.Options) int {
	t.Helper()
	pool, err := password.NewPool(o)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close(t.Context())
	if _, err := pool.Verify(t.Context(), password.Login{}, []byte("x"), ""); !errors.Is(err, password.ErrMismatch) {
		t.Fatal(err)
	}
	return int(pool.Stats().Total().Filler)
}

// What the survey counts as one work is one for a pool, in every form, dress and wrapping, and what it counts as two is two: a pool that
// follows it knows all works of the store, and each once.
func TestWorksAreThePools(t *testing.T) {
	sum := func(n int) string { return base64.RawStdEncoding.EncodeToString(bytes.Repeat([]byte{1}, n)) }
	all := append(hashes(t),
		"$pbkdf2-sha256$i=1000$c2FsdHNhbHRzYWx0$"+sum(64), // Keycloak's sums have two digests
		"pbkdf2_sha256$1000$seasaltseasaltsea12345$"+base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1}, 32)),
		"$pbkdf2-sha1$i=1000,l=20$c2FsdHNhbHRzYWx0$"+sum(20), // Kratos has more than one work of a cost
		"$sha512-crypt$rounds=1000$salt$"+strings.Repeat("a", 86),
		"$argon2i$v=16$m=2040,t=1,p=255$c2FsdHNhbHRzYWx0$"+sum(32),
		"$argon2d$v=19$m=64,t=2,p=8$c2FsdHNhbHRzYWx0$"+sum(32),
		"$scrypt$ln=1,r=1,p=10$c2FsdHNhbHRzYWx0$"+sum(32),
	)
	p := bcrypt12()
	p.Cost = 4
	all = slices.DeleteFunc(all, func(encoded string) bool {
		i, err := p.Inspect(encoded)
		return err != nil || p.Check(encoded) != nil || i.Time > 5*time.Millisecond
	})
	outer := password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1, Formats: p.Formats}
	for _, encoded := range all {
		if wrapped, err := password.Wrap(outer, encoded); err == nil {
			all = append(all, wrapped)
		}
	}
	s := New(p)
	for i, encoded := range all {
		s.Add(int64(i), encoded)
	}
	r, err := s.Report(t.Context(), Terms{}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	listed := len(r.Unknown.Stored) + len(r.Unknown.Samples)
	known, works := others(t, advised(t, s, r)), others(t, password.Options{Policy: p, Samples: all})
	if listed < 50 || known != listed || works != listed || len(r.Unknown.Refused) > 0 || r.Refused > 0 {
		t.Errorf("of %d hashes %d works are listed, a pool knows %d of them, and one of all hashes %d: %+v", len(all), listed, known, works, r.Unknown)
	}
}

// What a survey of the store finds, without a measurement.
func reportOf(t *testing.T, p password.Policy, terms Terms, store ...string) (*Survey, *Report) {
	t.Helper()
	s := New(p)
	for i, encoded := range store {
		s.Add(int64(i), encoded)
	}
	r, err := s.Report(t.Context(), terms, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	return s, r
}

// The pool that is asked has the survey's keys, limits and longest password, and takes what the service's will.
func TestSamplesOfThePolicy(t *testing.T) {
	ring, err := password.NewKeyRing(password.Key{ID: "k", Secret: bytes.Repeat([]byte{7}, 32)})
	if err != nil {
		t.Fatal(err)
	}
	keyed := bcrypt12()
	keyed.Cost, keyed.Keys = 4, ring
	outer := keyed
	outer.Algorithm, outer.Memory, outer.Iterations = password.Argon2id, 8, 1
	wrapped, err := password.Wrap(outer, oldBcrypt)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Replace(sample, "$salt", "$rounds=2000000$salt", 1)
	short := bcrypt12()
	short.Cost, short.MaxPassword = 4, 64
	noBcrypt := password.Policy{Algorithm: password.PBKDF2SHA512, Iterations: 1, Formats: short.Formats, Limits: password.Limits{BcryptCost: -1}}
	noPBKDF2 := short
	noPBKDF2.Limits.PBKDF2Iterations = -1
	for name, c := range map[string]struct {
		p    password.Policy
		of   string
		take int
	}{
		"keys": {keyed, wrapped, 1}, "64 bytes": {short, long, 1}, "1024 bytes": {bcrypt12(), long, 0},
		"no bcrypt": {noBcrypt, sample, 1}, "no PBKDF2": {noPBKDF2, sample, 1},
	} {
		_, r := reportOf(t, c.p, Terms{}, c.of)
		if len(r.Unknown.Samples) != c.take || len(r.Unknown.Refused) != 1-c.take {
			t.Errorf("%s: %+v", name, r.Unknown)
		}
		pool, err := password.NewPool(password.Options{Policy: c.p, Samples: []string{c.of}})
		if (err == nil) != (c.take == 1) {
			t.Errorf("%s: a pool: %v", name, err)
		}
		if err == nil {
			pool.Close(t.Context())
		}
	}
}

// Who plants costs of many forms has the samples neither many nor a long time asked for.
func TestSamplesAreFew(t *testing.T) {
	p := bcrypt12()
	p.Cost = 4
	store := []string{"md5$$00000000000000000000000000000000", "md5$$00000000000000000000000000000000"} // the most frequent
	for i := range mostCosts {
		store = append(store,
			fmt.Sprintf("$5$rounds=%d$salt$%s", 1000+i, strings.Repeat("a", 43)), fmt.Sprintf("$6$rounds=%d$salt$%s", 1000+i, strings.Repeat("a", 86)),
			fmt.Sprintf("{CRYPT}$6$rounds=%d$salt$%s", 1000+i, strings.Repeat("a", 86)),
			fmt.Sprintf("$sha512-crypt$rounds=%d$salt$%s", 1000+i, strings.Repeat("a", 86)),
			fmt.Sprintf("pbkdf2_sha1$%d$seasaltseasaltsea12345$1Aci7KINlvsQWDz3pk9UtTO3AQk=", 1000+i))
	}
	s, r := reportOf(t, p, Terms{}, store...)
	if u := r.Unknown; len(u.Samples) != mostSamples || u.Samples[0].Name != "django,0" || u.Apart != 5*mostCosts+2-mostSamples-1 {
		t.Errorf("%+v", u)
	}
	if n := others(t, advised(t, s, r)); n != mostSamples {
		t.Errorf("a pool knows %d works; want %d", n, mostSamples)
	}
}

// Once all are upgraded, a login with a hash that stays takes the policy's before it, as by a pool.
func TestFinallyIsThePools(t *testing.T) {
	p := bcrypt12()
	p.Cost = 4
	dear := strings.Replace(oldBcrypt, "$04$", "$05$", 1)
	_, r := reportOf(t, p, Terms{Logins: 3000}, oldBcrypt, dear, "md5$$00000000000000000000000000000000")
	const four = 54.0 / 64
	if got, want := r.Forecast.Finally, four+(four+2*four)+four; r.Upgrade != 1 || math.Abs(got/want-1) > 1e-9 {
		t.Errorf("3000 logins of all alike take %v core-s, want %v", got, want)
	}
}

// No list is null.
func TestNoNull(t *testing.T) {
	p := bcrypt12()
	p.Cost = 4
	for _, store := range [][]string{nil, {"x"}, {"!"}, {oldBcrypt}, {sample}, {strings.Replace(sample, "$salt", "$rounds=2000000$salt", 1)}} {
		for _, logins := range []float64{0, 1} {
			_, r := reportOf(t, p, Terms{Logins: logins}, store...)
			if text, err := json.Marshal(r); err != nil || strings.Contains(string(text), "null") {
				t.Errorf("%s, %v", text, err)
			}
		}
	}
}

// Nobody stands out is said only if nobody does, and what does is named, in good English.
func TestWhoStandsOut(t *testing.T) {
	p := bcrypt12()
	p.Cost = 5
	own := strings.Replace(oldBcrypt, "$04$", "$05$", 1)
	long := strings.Replace(sample, "$salt", "$rounds=2000000$salt", 1)
	for _, c := range []struct {
		store []string
		want  []string
		not   string
	}{
		{[]string{own}, []string{"a hash of the policy: nobody stands out."}, "named last"},
		{[]string{own, "x"}, []string{"a hash of the policy.", "1 is refused: each login there is an error at once, and so stands out."}, "obody"},
		{[]string{long}, []string{"a hash of the policy.", "1 user of sha512-crypt,2000000 stands out: a pool"}, "obody"},
		{[]string{long, long}, []string{"2 users of sha512-crypt,2000000 stand out: a pool"}, "obody"},
		{[]string{oldBcrypt}, []string{"Nobody stands out if"}, "named last"},
		{[]string{oldBcrypt, "x"}, []string{"Nobody but the users named last stands out if"}, "Nobody stands"},
		{[]string{oldBcrypt, long}, []string{"Nobody but the users named last stands out if"}, "Nobody stands"},
	} {
		_, r := reportOf(t, p, Terms{}, c.store...)
		text := r.Text(show.Style{Width: 200})
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%.40q: no %q in\n%s", c.store, want, text)
			}
		}
		if strings.Contains(text, c.not) {
			t.Errorf("%.40q: %q in\n%s", c.store, c.not, text)
		}
	}
}

// Long names fit 40 columns too.
func TestAdviceFits(t *testing.T) {
	store := []string{
		"$pbkdf2-sha256$i=600000$c2FsdHNhbHRzYWx0$" + strings.Repeat("A", 86), "$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHRzYWx0$" + strings.Repeat("A", 43),
		strings.Replace(sample, "$salt", "$rounds=2000000$salt", 1), "!", "x",
	}
	_, r := reportOf(t, bcrypt12(), Terms{}, store...)
	r.Unknown.Stored[0].Count, r.Unknown.Samples[0].Count = 1234567, 7654321
	for _, width := range []int{40, 80} {
		text := r.Text(show.Style{Width: width})
		for line := range strings.Lines(text) {
			if n := len([]rune(line)) - 1; n > width {
				t.Errorf("%d columns of %d: %s", n, width, line)
			}
		}
		if part := "pbkdf2-sha256,i=600000 (2 digests)"; strings.Count(text, part) != 2 || !strings.Contains(text, "Options.Samples") {
			t.Errorf("%s", text)
		}
	}
}
