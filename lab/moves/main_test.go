// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The picture in docs/results is of the table beside it, and without a line of the whole move there is none.
func TestPictureIsOfTheTable(t *testing.T) {
	results := filepath.Join("..", "..", "docs", "results")
	text, err := os.ReadFile(filepath.Join(results, "moves.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(results, "moves.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := plot(text, "moves.txt"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/results/moves.svg is not what is drawn now, %v: run go run ./lab/moves", err)
	}
	cut := text[:bytes.Index(text, []byte("BenchmarkMove "))]
	if _, err := plot(cut, "moves.txt"); err == nil {
		t.Error("a table without its last line was drawn")
	}
}
