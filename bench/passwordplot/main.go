// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Passwordplot draws what callers of a password check get at loads below and above
// what the machine can do. It measures nothing: it reads password-sweep.json and
// writes password-sweep.svg beside it. From the root of the checkout:
//
//	go run ./cmd/fount load password sweep -o docs/results && go run ./bench/passwordplot
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
		fmt.Fprintln(flag.CommandLine.Output(), "usage: passwordplot [-o DIR]")
		flag.PrintDefaults()
	}
	dir := flag.String("o", filepath.Join("docs", "results"),
		"read password-sweep.json and write password-sweep.svg in `DIR`")
	flag.Parse()
	if flag.NArg() != 0 {
		fmt.Fprintf(os.Stderr, "passwordplot: %q is one argument too many; want flags only\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "passwordplot:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	object, err := os.ReadFile(filepath.Join(dir, "password-sweep.json"))
	if err != nil {
		return err
	}
	s, err := read(object)
	if err != nil {
		return fmt.Errorf("password-sweep.json: %w", err)
	}
	var svg bytes.Buffer
	if err := s.writePlot(&svg); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "password-sweep.svg"), svg.Bytes(), 0o666)
}
