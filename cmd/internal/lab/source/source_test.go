// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package source

import (
	"testing"

	"fount/cmd/internal/lab/measure"
)

// draw takes 1000 integers from a worker of its own.
func draw(src measure.Source) []int {
	w := src.Worker(0).(*measure.Filler[int])
	defer w.Close()
	values := make([]int, 1000)
	w.Fill(values)
	return values
}

// Every case but CryptoRead draws integers below 7919, not always the same; workers share none.
func TestMethods(t *testing.T) {
	for _, m := range append(Methods(), method("plain", 0, cryptoPlain), method("own", 0, ownChaCha8)) {
		src, err := m.Open()
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		drawn := draw(src)
		again := draw(src)
		values := map[int]bool{}
		same := 0
		for i, v := range drawn {
			values[v] = true
			if m.Name != "CryptoRead" && (v < 0 || v >= below) {
				t.Fatalf("%s: %d is not below %d", m.Name, v, below)
			}
			if v == again[i] {
				same++
			}
		}
		// Of 1000 integers below 7919 about 940 are different, with a standard deviation of 7.
		if len(values) < 850 || same > 20 {
			t.Errorf("%s: %d different integers in 1000, %d as another worker's", m.Name, len(values), same)
		}
		src.Close()
	}
}
