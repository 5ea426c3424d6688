// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package seeded_test

import (
	"encoding"
	"fmt"
	"math/rand"
	randv2 "math/rand/v2"

	"fount/seeded"
)

// Two instances of one seed run in parallel. Instances made here do not.
func Example() {
	parallel := func(a, b rand.Source64) bool {
		for range 100 {
			if a.Uint64() != b.Uint64() {
				return false
			}
		}
		return true
	}
	const now = 1480000000 // the second in which both were made
	a := rand.NewSource(now).(rand.Source64)
	b := rand.NewSource(now).(rand.Source64)
	fmt.Println("one seed, in parallel:", parallel(a, b))
	fmt.Println("from seeded, in parallel:", parallel(seeded.Source(), seeded.Source()))
	// Output:
	// one seed, in parallel: true
	// from seeded, in parallel: false
}

// A run is repeated from the state that the first one logged at its start.
func Example_repeat() {
	dice := func(pcg *randv2.PCG) (list []int) {
		r := randv2.New(pcg)
		for range 20 {
			list = append(list, 1+r.IntN(6))
		}
		return list
	}

	first := seeded.PCG()
	state, _ := first.MarshalBinary() // log it

	again := seeded.PCG()
	if err := again.UnmarshalBinary(state); err != nil {
		fmt.Println(err)
	}
	fmt.Println(fmt.Sprint(dice(first)) == fmt.Sprint(dice(again)))
	// Output: true
}

func ExampleSource() {
	s := seeded.Source()
	r := rand.New(s) // for code that takes a *math/rand.Rand
	fmt.Println(r.Intn(6) < 6)

	r.Seed(7) // a fixed run
	fmt.Println(r.Intn(1000), r.Intn(1000), r.Intn(1000))

	state, _ := s.(encoding.BinaryMarshaler).MarshalBinary()
	fmt.Println(len(state), "bytes of state")
	// Output:
	// true
	// 194 721 974
	// 20 bytes of state
}
