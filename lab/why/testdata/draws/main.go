// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Command draws is what the tests watch: it draws IDs through a function that is inlined, and says when it has begun.
package main

import (
	"crypto/rand"
	"fmt"
	"os"
)

var kept [16]byte

func main() {
	fmt.Println("drawing")
	os.Stdout.Close()
	for {
		draw()
	}
}

// draw is inlined, so that the caller of rand.Read is known from DWARF alone.
func draw() {
	rand.Read(kept[:]) // the line that draws
}
