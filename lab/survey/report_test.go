// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

import (
	"context"
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
