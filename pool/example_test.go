// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package pool_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"fount/pool"
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

// A service loads its file when it starts. An error is no reason to stop: the pools are then as
// strong as the kernel.
func ExampleLoad() {
	path, remove := seedPath()
	defer remove()

	for start := range 2 {
		if err := pool.Load(path); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			log.Print(err)
		}
		fmt.Printf("start %d: %s\n", start, pool.Status().SeedFile.State)
	}
	// Output:
	// start 0: created
	// start 1: mixed
}

// Bytes of the program's own are in the pools within a minute. Feed does not wait for that.
func ExampleFeed() {
	before := pool.Status().Mixed
	pool.Add("serial number and start-up time", []byte("X-3141 17:04:55.123456789"))
	pool.Feed()
	fmt.Println(pool.Status().Mixed > before)
	// Output: true
}
