// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Fountvet runs fount's analyzers as a tool of go vet:
//
//	go build -o fountvet fount/cmd/fountvet
//	go vet -vettool=$PWD/fountvet ./...
//
// "fountvet help NAME" prints the page of an analyzer.
package main

import "fount/cmd/internal/vet"

func main() { vet.Tool() }
