// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of what is said of ways to hash.

package logins

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"fount/lab/measure"
)

// What the sentences say of a ratio is what the table says: none where it has a ~.
func TestHashRatios(t *testing.T) {
	rows := func(noise float64) []measure.Row {
		rng := rand.New(rand.NewPCG(1, 1))
		cost := func(ms float64) *measure.Sample {
			var s []float64
			for range 6 {
				s = append(s, ms*1e6*math.Exp(noise*rng.NormFloat64()))
			}
			return measure.Of(s...)
		}
		return []measure.Row{
			{Name: Serial, NS: cost(60)},
			{Name: "64" + AllAtOnce, NS: cost(10.6)},
			{Name: "5-lanes", NS: cost(18)},
		}
	}
	sure := HashTable(rows(0.01), 2, 64)
	for i, want := range []string{"64-goroutines do 5.6", "5-lanes on one core do 3."} {
		if got := sure.Conclusion.Sentences[i]; !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	unsure := HashTable(rows(3), 2, 64)
	for _, r := range unsure.Methods[1:] {
		if got := measure.Columns("ratio")[0].Cell(r); got != "~" {
			t.Fatalf("%s has the ratio %s to serial", r.Name, got)
		}
	}
	if text := strings.Join(unsure.Conclusion.Sentences, " "); strings.Contains(text, " times ") {
		t.Errorf("the table has no ratio, and the conclusion one: %s", text)
	}
}

// The sentence takes the quicker of fount's and of the libraries', and gives a ratio only where the two differ.
func TestArgon2idSentence(t *testing.T) {
	rows := func(noise float64) (rows []measure.Row) {
		rng := rand.New(rand.NewPCG(1, 1))
		for _, r := range []struct {
			name string
			ms   float64
		}{{"", 10}, {"-pool", 8}, {"-xcrypto", 20}, {"-libargon2", 16}, {"-libargon2-kept", 10}, {"-libsodium", 12}} {
			var cost []float64
			for range 8 {
				cost = append(cost, r.ms*1e6*math.Exp(noise*rng.NormFloat64()))
			}
			rows = append(rows, measure.Row{Name: "argon2id" + r.name, NS: measure.Of(cost...)})
		}
		return rows
	}
	for noise, want := range map[float64]string{
		0.001: "argon2id-pool takes 0.40 of the time of argon2id-xcrypto and takes 0.80 of the time of argon2id-libargon2-kept.",
		5:     "can't be told from argon2id-xcrypto and can't be told from ",
	} {
		if got := strings.Join(HashTable(rows(noise), 1, 1).Conclusion.Sentences, " "); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
