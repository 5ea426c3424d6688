// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

// Tests of what is advised for a pool, against pools.

import (
	"bytes"
	"crypto/md5"
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
	"fount/password/legacy"
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
	store := slices.Repeat([]string{"md5$$00000000000000000000000000000000"}, 3) // the most frequent
	for i := range 2 * mostCosts {
		i %= mostCosts
		store = append(store,
			fmt.Sprintf("$5$rounds=%d$salt$%s", 1000+i, strings.Repeat("a", 43)), fmt.Sprintf("$6$rounds=%d$salt$%s", 1000+i, strings.Repeat("a", 86)),
			fmt.Sprintf("{CRYPT}$6$rounds=%d$salt$%s", 1000+i, strings.Repeat("a", 86)),
			fmt.Sprintf("$sha512-crypt$rounds=%d$salt$%s", 1000+i, strings.Repeat("a", 86)),
			fmt.Sprintf("pbkdf2_sha1$%d$seasaltseasaltsea12345$1Aci7KINlvsQWDz3pk9UtTO3AQk=", 1000+i))
	}
	s, r := reportOf(t, p, Terms{}, store...)
	if u := r.Unknown; len(u.Samples) != mostSamples || u.Samples[0].Name != "django,0" || u.Apart != 2*(5*mostCosts+1-mostSamples) {
		t.Errorf("%+v", u)
	}
	if text := r.Text(show.Style{Width: 200}); !strings.Contains(text, "Nobody but the users named last") || !strings.Contains(text, "130 users of costs too many to list stand out") {
		t.Errorf("%s", text)
	}
	if n := others(t, advised(t, s, r)); n != mostSamples {
		t.Errorf("a pool knows %d works; want %d", n, mostSamples)
	}
}

// crypted is a SHA-512-crypt of the probe.
func crypted(t *testing.T, rounds int) string {
	t.Helper()
	text := fmt.Sprintf("$6$rounds=%d$salt$", rounds)
	parsed, err := legacy.SHA512Crypt().Parse(text + strings.Repeat("a", 86))
	if err != nil {
		t.Fatal(err)
	}
	return text + string(parsed.Compute(probe, nil, func() bool { return true }))
}

// A login and a wrong password take as many hashes of a pool that follows the survey as the survey counts, also where a pool refuses a sample
// of the user's.
func TestTimesAreThePools(t *testing.T) {
	p := bcrypt12()
	p.Cost, p.Limits.Foreign = 4, 20*time.Millisecond // with 1024 bytes, which is 5000 rounds
	store := []string{crypted(t, 1000), crypted(t, 10_000), fmt.Sprintf("md5$$%x", md5.Sum(probe))}
	for _, by := range []password.Policy{p, {Algorithm: password.Bcrypt, Cost: 5}, {Algorithm: password.PBKDF2SHA256, Iterations: 1000}} {
		encoded, err := password.Hash(by, probe)
		if err != nil {
			t.Fatal(err)
		}
		store = append(store, encoded)
	}
	store = append(store, store[0], store[len(store)-1]) // twice
	s, r := reportOf(t, p, Terms{Logins: 1000}, store...)
	pool, err := password.NewPool(advised(t, s, r))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close(t.Context())
	took := func(encoded string, want error) int {
		before := computed(pool)
		if _, err := pool.Verify(t.Context(), password.Login{}, probe, encoded); err != want {
			t.Errorf("%.20s: %v, want %v", encoded, err, want)
		}
		return computed(pool) - before
	}
	until := []float64{0, r.Login.Then} // by the number of hashes
	for _, w := range slices.Concat(r.Unknown.Stored, r.Unknown.Samples) {
		until = append(until, until[len(until)-1]+w.MS)
	}
	var sum float64
	for _, encoded := range store {
		n := took(encoded, nil)
		if encoded == store[1] && n == 1 && len(r.Unknown.Refused) == 1 {
			sum += r.Unknown.Refused[0].MS
			continue
		}
		sum += until[n]
	}
	if want := sum / float64(len(store)); math.Abs(r.Login.Equal/want-1) > 1e-9 {
		t.Errorf("a login takes %v ms, of a pool %v: %+v", r.Login.Equal, want, r.Unknown)
	}
	if want := until[took("", password.ErrMismatch)]; len(until) != 6 || math.Abs(r.Unknown.MS/want-1) > 1e-9 {
		t.Errorf("an unknown user takes %v ms, of a pool %v: %+v", r.Unknown.MS, want, r.Unknown)
	}
	// Upgraded, all take the policy's hash, and one that of cost 5 after it, which stays; no pool needs the others then.
	if want := (8*until[1] + 2*until[1]) / 8; r.Upgrade != 6 || math.Abs(r.Forecast.Finally/want-1) > 1e-9 {
		t.Errorf("1000 logins take %v core-s finally, want %v", r.Forecast.Finally, want)
	}
}

// Who stays, and is of a work that a pool refuses as a sample, takes one hash, before and after the upgrade.
func TestRefusedTakeOneHash(t *testing.T) {
	p := bcrypt12()
	p.Algorithm, p.Iterations = password.PBKDF2SHA256, 1
	var store []string
	for i := range 20 { // two digests each: together more than a pool takes
		store = append(store, fmt.Sprintf("$pbkdf2-sha256$i=%d$c2FsdHNhbHRzYWx0$%s", 4_900_000+i, strings.Repeat("A", 86)))
	}
	_, r := reportOf(t, p, Terms{Logins: 1000}, store...)
	all, want := r.Login.Then, 0.0
	for _, w := range r.Unknown.Samples {
		all += w.MS
		want += all / 20
	}
	for _, w := range r.Unknown.Refused {
		want += w.MS / 20
	}
	if len(r.Unknown.Refused) == 0 || len(r.Unknown.Samples) == 0 || r.Upgrade != 0 {
		t.Fatalf("%+v", r)
	}
	if math.Abs(r.Login.Equal/want-1) > 1e-9 || math.Abs(r.Forecast.Finally/want-1) > 1e-9 {
		t.Errorf("a login takes %v ms, 1000 finally %v s, want %v: %+v", r.Login.Equal, r.Forecast.Finally, want, r.Unknown)
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
		{[]string{own, "x"}, nil, "deadline"},
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
		if plain := strings.Join(strings.Fields(text), " "); !strings.Contains(plain, "whose deadline leaves less than all those 1,050 ms is refused") {
			t.Errorf("%s", text)
		}
		if part := "pbkdf2-sha256,i=600000 (2 digests)"; strings.Count(text, part) != 2 || !strings.Contains(text, "Options.Samples") {
			t.Errorf("%s", text)
		}
	}
}
