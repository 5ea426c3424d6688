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
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: fleet [-o DIR]")
		flag.PrintDefaults()
	}
	dir := flag.String("o", filepath.Join("docs", "results"), "read and write in `DIR`")
	flag.Parse()
	if flag.NArg() != 0 {
		fmt.Fprintf(os.Stderr, "fleet: %q is one argument too many; want flags only\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(1)
	}
}

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
