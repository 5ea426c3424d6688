// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package bench

import (
	"errors"
	"os"
	"testing"
	"time"

	"fount/bench/peers"
	"fount/lab/clib"
	"fount/lab/logins"
	"fount/lab/measure"
)

// BenchmarkArgon2id is one argon2id by fount and by its peers, one after the other. What a C library takes is timed in
// its own process. LIBARGON2_SOURCE names its source, to have it built for this processor and measured too.
func BenchmarkArgon2id(b *testing.B) {
	var files []string
	if source := os.Getenv("LIBARGON2_SOURCE"); source != "" {
		file, err := peers.BuildLibargon2(b.TempDir(), source)
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, file)
	}
	for _, params := range peers.Argon2idParams {
		a, err := peers.Argon2ids(params, files...)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(a.Close)
		for _, h := range a.Hashings() {
			b.Run(params+"/method="+h.Label, func(b *testing.B) { hashes(b, h) })
		}
	}
}

// hashes measures b.N hashes. A library that is not installed, or has no such parameters, is skipped, and says so.
func hashes(b *testing.B, h logins.Hashing) {
	plan := measure.Plan{Rounds: 1, Values: b.N, Turn: time.Millisecond, CPU: measure.ProcessCPU}
	row := logins.Measure(plan, []logins.Hashing{h}, func(int, int) {})[0]
	if row.Err != nil {
		b.Skip(row.Err)
	}
	b.ReportMetric(row.NS.Median, "ns/op")
	if row.CoreNS != nil {
		b.ReportMetric(row.CoreNS.Median, "cpu-ns/op")
	}
}

// Every peer makes the hash that fount does: a row is an error if its hash is not x/crypto's, and x/crypto is fount's own
// oracle. What is not installed says how to get it.
func TestArgon2idPeers(t *testing.T) {
	for _, params := range []string{"m=64,t=2,p=1", "m=64,t=3,p=4"} {
		a, err := peers.Argon2ids(params)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		for _, h := range a.Hashings() {
			row := logins.Measure(measure.Plan{Rounds: 1, Values: 1, Turn: time.Millisecond}, []logins.Hashing{h}, func(int, int) {})[0]
			switch {
			case errors.Is(row.Err, clib.ErrMissing):
				t.Logf("%s: %v", h.Label, row.Err)
			case row.Err != nil && row.Err.Error() != "computes p=1 only":
				t.Errorf("%s, %s: %v", params, h.Label, row.Err)
			}
		}
	}
}
