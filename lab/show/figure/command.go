// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package figure

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// Command is the main function of a command that draws into a directory, docs/results unless -o names another. use says in the
// flag's description what becomes of `DIR`. The exit status is 0, 1 with run's error on stderr, or 2 if the arguments are wrong.
func Command(name, use string, run func(dir string) error) {
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: %s [-o DIR]\n", name)
		flag.PrintDefaults()
	}
	dir := flag.String("o", filepath.Join("docs", "results"), use)
	flag.Parse()
	if flag.NArg() != 0 {
		fmt.Fprintf(os.Stderr, "%s: %q is one argument too many; want flags only\n", name, flag.Arg(0))
		os.Exit(2)
	}
	if err := run(*dir); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}
