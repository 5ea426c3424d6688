// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Notices prints the licences and notices below directories, as most licences ask of who passes
// programs on, and fails at one that asks for more. Each line of its input is a name, a tab and a
// directory or file.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

var (
	allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}
	files   = regexp.MustCompile(`(?i)^(uplot-)?(licen[cs]e|copying|notice)`)
)

func main() {
	log.SetFlags(0)
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		name, root, _ := strings.Cut(in.Text(), "\t")
		licences := 0
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !files.MatchString(d.Name()) {
				return err
			}
			text, err := os.ReadFile(path)
			fmt.Printf("%s%s\n\n%s\n%s\n", name, strings.TrimPrefix(path, root), text, strings.Repeat("=", 80))
			if err != nil || strings.HasPrefix(strings.ToLower(d.Name()), "notice") {
				return err
			}

			licences++
			return check(text)
		})

		if err == nil && licences == 0 {
			err = errors.New("no licence")
		}
		if err != nil {
			log.Fatalf("%s: %v; want %s", name, err, strings.Join(allowed, ", "))
		}
	}
}

// check refuses a text unless it is one or several of the allowed licences.
func check(text []byte) error {
	scan := licensecheck.Scan(text)
	for _, m := range scan.Match {
		if !slices.Contains(allowed, m.ID) {
			return errors.New(m.ID)
		}
	}
	if scan.Percent < 75 {
		return errors.New("unknown licence")
	}
	return nil
}
