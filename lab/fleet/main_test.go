// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The picture in docs/results is of the table beside it.
func TestPictureIsOfTheTable(t *testing.T) {
	results := filepath.Join("..", "..", "docs", "results")
	text, err := os.ReadFile(filepath.Join(results, "fleet-simulation.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(results, "fleet-simulation.svg"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	draw := func(text []byte) ([]byte, error) {
		if err := os.WriteFile(filepath.Join(dir, "fleet-simulation.txt"), text, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := run(dir); err != nil {
			return nil, err
		}
		return os.ReadFile(filepath.Join(dir, "fleet-simulation.svg"))
	}
	if got, err := draw(text); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/results/fleet-simulation.svg is not what is drawn now, %v: run go run ./lab/fleet", err)
	}
	line, _, _ := strings.Cut(string(text[bytes.Index(text, []byte("BenchmarkFleet/scenario=load-1/route=two ")):]), "\n")
	for name, other := range map[string]string{
		"a figure is missing":    strings.Replace(string(text), line+"\n", "", 1),
		"one is there twice":     string(text) + line + "\n",
		"a line can't be read":   string(text) + "BenchmarkFleet/scenario=x 1 many goodput\n",
		"a line has no goodput":  string(text) + "BenchmarkFleet/scenario=x/route=two 1 2 messages/call\n",
		"there is no table: it ": "",
	} {
		if _, err := draw([]byte(other)); err == nil {
			t.Errorf("%s, and it is drawn", name)
		}
	}
}
