// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Backoffplot draws how the retries of 10,000 clients spread that fail together. It
// measures nothing: it draws delays and waits for none.
//
// It writes backoff.svg, the plot, and backoff.txt, the figures in it. From the
// root of the checkout:
//
//	go run ./lab/backoffplot
//
// The cases and their slots are those of the tests in package fount/backoff.
package main

import (
	"bytes"
	"os"
	"path/filepath"

	"fount/lab/show/figure"
)

func main() { figure.Command("backoffplot", "write backoff.svg and backoff.txt into `DIR`", run) }

func run(dir string) error {
	cases := simulate()
	var text bytes.Buffer
	writeText(&text, cases)
	svg, err := plot(cases)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "backoff.txt"), text.Bytes(), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "backoff.svg"), svg, 0o666)
}
