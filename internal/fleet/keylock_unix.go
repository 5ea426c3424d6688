// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fount/internal/safedir"
)

// turn is how long a rotation waits for another. One takes milliseconds.
const turn = 10 * time.Second

// lockKeyFile has the processes that change a key file take turns.
func lockKeyFile(path string) (unlock func(), err error) {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("fleet: key file: %w", err)
	}
	release, err := safedir.Lock(d, filepath.Base(path)+".lock", turn)
	if err != nil {
		d.Close()
		return nil, fmt.Errorf("fleet: key file: %w", err)
	}
	return func() { release(); d.Close() }, nil
}
