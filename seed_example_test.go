// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package fount_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"fount"
)

// seedPath is a place for an example's seed file. A service has its own: /var/lib/NAME/seed, in a
// directory of its user's with mode 0700.
func seedPath() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "fount")
	if err != nil {
		log.Fatal(err)
	}
	return filepath.Join(dir, "seed"), func() { os.RemoveAll(dir) }
}

// A service loads its file when it starts, and saves it when it ends. An error is no reason to
// stop: the generators are then as strong as the kernel.
func ExampleLoadSeed() {
	path, remove := seedPath()
	defer remove()

	for start := range 2 {
		if err := fount.LoadSeed(path); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			log.Print(err)
		}
		fmt.Printf("start %d: %s\n", start, fount.Status().SeedFile.State)
		if err := fount.SaveSeed(path); err != nil {
			log.Print(err)
		}
	}
	// Output:
	// start 0: created
	// start 1: mixed
}

// Without Reseed the bytes are in use after a minute or two.
func ExampleAddSeed() {
	before := fount.Status().Mixed
	fount.AddSeed("serial number and start-up time", []byte("X-3141 17:04:55.123456789"))
	fount.Reseed()
	fmt.Println(fount.Status().Mixed > before)
	// Output: true
}
