// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Backoffplot prints how the retries of 10,000 clients spread that fail together. It measures nothing: it draws delays and
// waits for none. From the root of the checkout:
//
//	go run ./lab/backoffplot
//
// The cases and their slots are those of the tests in package fount/backoff.
package main

import "os"

func main() { writeText(os.Stdout, simulate()) }
