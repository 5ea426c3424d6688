// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

import (
	"cmp"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/lab/show"
	"fount/lab/show/golden"
	"fount/password"
)

const (
	oldBcrypt = "$2b$04$tOcekd0oLM4gUMo3e2R3qucd4U2rnciwaSyQn30ACOnolD6eRoinu"
	django    = "bcrypt$" + oldBcrypt
	sample    = "$6$salt$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
)

// bcrypt12 reads all forms, and makes a bcrypt that takes 216 ms on the machine of the estimates.
func bcrypt12() password.Policy {
	p := policy()
	p.Algorithm, p.Cost = password.Bcrypt, 12
	return p
}

func filled(p password.Policy) *Survey {
	s := New(p)
	for range 3 {
		s.Add(1, oldBcrypt)
	}
	s.Add(2, django)
	s.Add(3, sample)
	s.Add(4, strings.Replace(oldBcrypt, "04", "31", 1))
	s.Add(5, "")
	s.Add(6, "!")
	s.AddNone()
	return s
}

// What is not measured is estimated, by the times that password.Info has.
func TestEstimates(t *testing.T) {
	r, err := filled(bcrypt12()).Report(t.Context(), Terms{Logins: 10}, func(string) { t.Error("hashes are timed") })
	if err != nil {
		t.Fatal(err)
	}
	ms := map[string]float64{}
	for _, k := range r.Kinds {
		ms[k.Name+k.Form] = k.MS
		if k.Measured {
			t.Errorf("%s is measured", k.Name)
		}
	}
	bcrypt4, policy, sha := 54.0/64, 216.0, ms["sha512-crypt,5000"]
	near := func(what string, got, want float64) {
		if !(math.Abs(got/want-1) < 1e-6) {
			t.Errorf("%s: %v ms, want %v", what, got, want)
		}
	}
	near("bcrypt", ms["bcrypt,cost=4"], bcrypt4)
	near("Django's", ms["bcrypt,cost=4django"], bcrypt4)
	near("a login now", r.Login.Now, (4*bcrypt4+sha)/5)
	near("the first", r.Login.First, (4*bcrypt4+sha)/5+policy)
	near("each after it", r.Login.Then, policy)
	near("a login of equal time", r.Login.Equal, policy+bcrypt4+sha/5)
	near("the first day", r.Forecast.FirstDay, (10*r.Login.Equal+r.Forecast.Days[0].Upgraded*5*policy)/1000)
	near("an unknown user", r.Unknown.MS, policy+bcrypt4+sha)
	near("all upgraded", r.Forecast.Finally, 10*policy/1000)
	if sha <= 0 || r.Measured {
		t.Errorf("sha512-crypt takes %v ms, measured: %v", sha, r.Measured)
	}
	if u := r.Unknown; fmt.Sprint(u.Stored, u.Samples) != fmt.Sprintf("[{bcrypt,cost=4 4 %v}] [{sha512-crypt,5000 1 %v}]", bcrypt4, sha) {
		t.Errorf("unknown users: %+v; want four bcrypts in one, and a sample", u)
	}
}

// A login that replaces a hash holds the memory of the new one too; without any, only that of those that are stored.
func TestLoginMemory(t *testing.T) {
	small := password.Policy{Algorithm: password.Argon2id, Memory: 64, Iterations: 1}
	encoded, err := password.Hash(small, probe)
	if err != nil {
		t.Fatal(err)
	}
	large := policy()
	for _, c := range []struct {
		to     password.Policy
		stored string
		want   int64
	}{
		{large, oldBcrypt, 19 << 20},
		{large, encoded, 19 << 20},
		{small, encoded, 64 << 10},
		{bcrypt12(), oldBcrypt, 0},
		{large, strings.Replace(oldBcrypt, "04", "31", 1), 0}, // refused
	} {
		s := New(c.to)
		s.Add(1, c.stored)
		r, err := s.Report(t.Context(), Terms{}, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Login.Memory; got < c.want || got > c.want+c.want/8 {
			t.Errorf("%.20s, to %v of %d KiB: a login holds %d bytes, want some %d", c.stored, c.to.Algorithm, c.to.Memory, got, c.want)
		}
	}
}

// A pool made as the survey says takes the policy's hash before the user's, and so a login as long as the survey says.
func TestEqualTimeIsThePools(t *testing.T) {
	p := policy()
	p.Algorithm, p.Cost = password.Bcrypt, 4
	dear := password.Policy{Algorithm: password.Bcrypt, Cost: 5}
	stored := map[string]int{} // and how many hashes a login takes
	for i, by := range []password.Policy{p, dear} {
		encoded, err := password.Hash(by, probe)
		if err != nil {
			t.Fatal(err)
		}
		stored[encoded] = i + 1
	}
	stored["md5$$"+fmt.Sprintf("%x", md5.Sum(probe))] = 3
	s := New(p)
	pool, err := password.NewPool(password.Options{
		Policy: p, Stored: []password.Policy{dear}, Samples: []string{"md5$$00000000000000000000000000000000"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for encoded, want := range stored {
		s.Add(1, encoded)
		before := computed(pool)
		if _, err := pool.Verify(t.Context(), password.Login{}, probe, encoded); err != nil || computed(pool)-before != want {
			t.Errorf("%.12s: %d hashes, %v; want %d", encoded, computed(pool)-before, err, want)
		}
	}
	r, err := s.Report(t.Context(), Terms{}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	ms := map[string]float64{}
	for _, k := range r.Kinds {
		ms[k.Name] = k.MS
	}
	four, five, md := ms["bcrypt,cost=4"], ms["bcrypt,cost=5"], ms["django,0"]
	if want := (3*four + 2*five + md) / 3; md == 0 || math.Abs(r.Login.Equal/want-1) > 1e-9 {
		t.Errorf("a login of equal time takes %v ms, want %v", r.Login.Equal, want)
	}
}

// A pool takes the samples that the survey names, and with any of those that it says a pool refuses it does refuse.
func TestSamplesAreThePools(t *testing.T) {
	p := policy()
	p.Algorithm, p.Cost = password.Bcrypt, 4
	of := func(rounds int) string {
		return strings.Replace(sample, "$salt", fmt.Sprintf("$rounds=%d$salt", rounds), 1)
	}
	s := New(p)
	stored := map[string]string{}
	for _, rounds := range append([]int{2_000_000}, make([]int, 60)...) { // the first takes too long for a long password, and 50 others in all
		rounds = cmp.Or(rounds, 300_000+1000*len(stored))
		stored[fmt.Sprintf("sha512-crypt,%d", rounds)] = of(rounds)
		s.Add(1, of(rounds))
	}
	r, err := s.Report(t.Context(), Terms{}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	refuses := func(samples []string) bool {
		pool, err := password.NewPool(password.Options{Policy: p, Samples: samples})
		if err == nil {
			pool.Close(t.Context())
		}
		return err != nil
	}
	var samples []string
	want := r.Login.Then
	for _, w := range r.Unknown.Samples {
		samples, want = append(samples, stored[w.Name]), want+w.MS
	}
	if refuses(samples) || math.Abs(r.Unknown.MS/want-1) > 1e-9 {
		t.Errorf("a pool refuses %d samples, or a wrong password does not take %v ms: %+v", len(samples), want, r.Unknown)
	}
	for _, w := range r.Unknown.Refused {
		if !refuses(append(samples, stored[w.Name])) {
			t.Errorf("a pool takes a sample of %s too", w.Name)
		}
	}
	if len(samples) < 40 || len(r.Unknown.Refused) < 2 || len(samples)+len(r.Unknown.Refused) != len(stored) {
		t.Errorf("%+v", r.Unknown)
	}
	alone := New(p)
	alone.Add(1, of(2000000))
	if r, err = alone.Report(t.Context(), Terms{}, func(string) {}); err != nil {
		t.Fatal(err)
	}
	if text := r.Text(show.Style{Width: 200}); len(r.Unknown.Refused) != 1 || !strings.Contains(text, "1 user of sha512-crypt,2000000 stands out") {
		t.Errorf("%s", text)
	}
}

// computed counts a pool's hashes.
func computed(pool *password.Pool) (n int) {
	for _, h := range pool.Stats().Hashes {
		n += int(h.Service.Count)
	}
	return n
}

// What is weak is what Wrap takes, and what a pool needs for the others is said.
func TestWeak(t *testing.T) {
	large := "$argon2id$v=19$m=524288,t=1,p=1$c2FsdHNhbHRzYWx0$" + strings.Repeat("A", 43)
	s := New(policy())
	for _, encoded := range []string{oldBcrypt, django, sample, "md5$$00000000000000000000000000000000", large, "!", "damaged"} {
		s.Add(1, encoded)
	}
	r, err := s.Report(t.Context(), Terms{}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	var want int64
	for _, encoded := range []string{oldBcrypt, django, sample, "md5$$00000000000000000000000000000000", large} {
		if _, err := password.Wrap(policy(), encoded); err == nil {
			want++
		}
	}
	if r.Weak != want || want != 4 {
		t.Errorf("%d are weak; want %d, which Wrap takes", r.Weak, want)
	}
	text := r.Text(show.Style{Width: 200})
	for _, part := range []string{"makes 4 weak hashes safe at once, without a login, in ", "Options.Memory is less refuses",
		"Set Policy.Markers (fountd: markers) for 1 user without", "1 is refused: each login there is an error at once"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// A budget of next to nothing times the policy's hash alone, and estimates the rest by it.
func TestBudget(t *testing.T) {
	p := policy()
	p.Algorithm, p.Cost = password.Bcrypt, 5
	r, err := filled(p).Report(t.Context(), Terms{Budget: 1}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range r.Kinds {
		if k.Measured || k.MS <= 0 || strings.HasPrefix(k.Name, "bcrypt") && math.Abs(k.MS*2/r.Login.Then-1) > 1e-9 {
			t.Errorf("%+v, beside %v ms for a cost above it", k, r.Login.Then)
		}
	}
	r, err = filled(p).Report(t.Context(), Terms{Budget: time.Hour}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range r.Kinds {
		if !k.Measured || k.MS <= 0 {
			t.Errorf("%+v is not measured", k)
		}
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := filled(bcrypt12()).Report(ctx, Terms{}, func(string) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was canceled", err)
	}
}

// No forecast is of a store that nobody uses, and the text never says that nobody does.
func TestLeastLogins(t *testing.T) {
	for _, logins := range []float64{-1, 1e-300, 0.04, 0.99, math.NaN()} {
		if _, err := filled(bcrypt12()).Report(t.Context(), Terms{Logins: logins}, func(string) {}); err == nil {
			t.Errorf("%v logins a day are taken", logins)
		}
	}
	r, err := filled(bcrypt12()).Report(t.Context(), Terms{Logins: LeastLogins}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if text := r.Text(show.Style{Width: 80}); !strings.Contains(text, "Premises: 1 login a day by 5 users,") {
		t.Errorf("%s", text)
	}
}

// The text, by golden files for several widths; no line is too long but for a word.
func TestText(t *testing.T) {
	small, err := filled(bcrypt12()).Report(t.Context(), Terms{Logins: 2}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	none, err := New(bcrypt12()).Report(t.Context(), Terms{}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	mixed := *small
	mixed.Measured, mixed.Forecast = true, nil
	mixed.Kinds = append([]Kind{}, small.Kinds...)
	mixed.Kinds[0].Measured = true
	for i := range 2 * mostRows {
		mixed.Kinds = append(mixed.Kinds, Kind{Name: fmt.Sprintf("md5-crypt,%d", i+1000), Count: 1, MS: 1})
	}
	mixed.Unknown.Apart = 1234567
	mixed.Unknown.Refused = []Work{{"md5-crypt,1000", 4, 1}, {"md5-crypt,1001", 3, 1}, {"md5-crypt,1002", 3, 1}}
	for name, r := range map[string]*Report{"small": small, "none": none, "mixed": &mixed} {
		for _, width := range []int{40, 80} {
			text := r.Text(show.Style{Width: width})
			golden.Check(t, filepath.Join("testdata", fmt.Sprintf("%s_%d.txt", name, width)), text)
			for line := range strings.Lines(text) {
				if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
					t.Errorf("%s: a line of %d columns: %q", name, n, line)
				}
			}
		}
	}
}
