// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"testing"
	"time"

	"golang.org/x/crypto/argon2"
)

// BenchmarkVerify is a bare Verify of argon2id by Default in a row of calls, beside x/crypto's
// and a Pool's, by turns; each by its fastest, which says what it takes on a core that nobody
// else wants.
func BenchmarkVerify(b *testing.B) {
	p := Default()
	word := []byte("correct horse")
	stored, err := Hash(p, word)
	if err != nil {
		b.Fatal(err)
	}
	pool, err := NewPool(Options{Policy: p, MaxWait: time.Hour})
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close(b.Context())
	ways := [3]func(){
		func() { argon2.IDKey(word, make([]byte, 16), 2, 19456, 1, 32) },
		func() { Verify(p, word, stored) },
		func() { pool.Verify(b.Context(), Login{}, word, stored) },
	}
	var least [3]time.Duration
	for b.Loop() {
		for i, way := range ways {
			way() // what the one before has left in the caches is not this one's
			began := time.Now()
			way()
			if took := time.Since(began); least[i] == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	b.ReportMetric(least[0].Seconds()*1e3, "xcrypto-ms")
	b.ReportMetric(float64(least[1])/float64(least[0]), "bare/xcrypto")
	b.ReportMetric(float64(least[2])/float64(least[0]), "pool/xcrypto")
}
