// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Fleet draws how well the ways to pick a worker of a fountd fleet do. It measures nothing: it reads
// fleet-simulation.txt, which the simulation in password/internal/fleet has written, and writes
// fleet-simulation.svg beside it. From the root of the checkout:
//
//	FOUNT_FIGURES=$PWD/docs/results/fleet-simulation.txt go test -run TestFigures -timeout 60m ./password/internal/fleet
//	go run ./lab/fleet
package main

import (
	"bytes"
	"os"
	"path/filepath"

	"fount/lab/show/figure"
)

func main() { figure.Command("fleet", "read and write in `DIR`", run) }

func run(dir string) error {
	name := filepath.Join(dir, "fleet-simulation.txt")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	figures, err := read(bytes.NewReader(text), name)
	if err != nil {
		return err
	}
	svg, err := plot(figures)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "fleet-simulation.svg"), svg, 0o666)
}
