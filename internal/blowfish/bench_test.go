// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package blowfish

import (
	"fmt"
	"testing"

	"golang.org/x/crypto/bcrypt"
)

// benchCost is the cost that the project's figures are for.
const benchCost = 10

// BenchmarkRun gives the time of one Run, and for each hash.
func BenchmarkRun(b *testing.B) {
	for k := 1; k <= MaxLanes; k++ {
		b.Run(fmt.Sprint("lanes=", k), func(b *testing.B) {
			e := New()
			r := seeded(6)
			var lanes []*Lane
			for range k {
				lanes = append(lanes, randomLane(r, 12))
			}
			b.ReportAllocs()
			for b.Loop() {
				e.Run(benchCost, lanes)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N)/float64(k), "ms/hash")
		})
	}
}

// BenchmarkXCrypto is the peer: golang.org/x/crypto/bcrypt, one at a time.
func BenchmarkXCrypto(b *testing.B) {
	password := []byte("123456789012")
	encoded, err := bcrypt.GenerateFromPassword(password, benchCost)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := bcrypt.CompareHashAndPassword(encoded, password); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms/hash")
}
