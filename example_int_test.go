// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount_test

import (
	"fmt"
	mathrand "math/rand"
	"math/rand/v2"
	"time"

	"fount"
)

// Every value of a bounded integer is equally likely, for any bound.
func ExampleIntN() {
	die := 1 + fount.IntN(6)
	fmt.Println(1 <= die && die <= 6)
	// Output: true
}

// N takes any integer type: here a delay with full jitter.
func ExampleN() {
	const most = 100 * time.Millisecond
	delay := fount.N(most)
	fmt.Println(0 <= delay && delay < most)
	// Output: true
}

// Code that takes a Rand of either math/rand package gets secure numbers too.
func ExampleSource() {
	old := mathrand.New(fount.Source{}) // one goroutine at a time
	fmt.Println(old.Intn(6) < 6)

	shared := rand.New(fount.Source{}) // as NewRand: any goroutine
	fmt.Println(shared.IntN(6) < 6)
	// Output:
	// true
	// true
}
