// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package page makes the page of a report: what random values and logins cost on one machine, with published figures for
// comparison. It measures nothing itself: it reads the results of the studies beside it.
//
// Read the files in this order; figures flow from the first to the last:
//
//	step.go      the studies that are run, and the file that each writes
//	run.go       runs them, one after the other, each in a process of its own
//	raw.go       reads the files back
//	answer.go    the five questions
//	section.go   what the page shows of each study; one file for each that needs more
//	published.go the figures of others
//	html.go      the HTML, of page.html and page.css
package page

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Page is the name of the page in its directory.
const Page = "report.html"

// Make writes the page from the files that stand in dir, and each plot of it as a file too. command says what a reader
// types to repeat a study.
func Make(dir string, command func(Study) string) error {
	raw, err := Read(dir)
	if err != nil {
		return err
	}
	sections, err := raw.sections(command)
	if err != nil {
		return err
	}
	page, err := raw.page(sections)
	if err != nil {
		return err
	}
	for _, s := range sections {
		for i, f := range s.Figures {
			if err := os.WriteFile(filepath.Join(dir, s.plotName(i)), []byte(f.Wide), 0o644); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(dir, Page), page, 0o644)
}

// plotName is the file of a section's plot: nonce.svg, scale-2.svg.
func (s section) plotName(i int) string {
	if i == 0 {
		return s.ID + ".svg"
	}
	return fmt.Sprintf("%s-%d.svg", s.ID, i+1)
}

// ErrNotEmpty is in the error of Prepare for a directory that holds files.
var ErrNotEmpty = errors.New("it holds files already")

// Prepare makes the directory of a report. One that holds anything is refused unless it may be overwritten.
func Prepare(dir string, overwrite bool) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return err
	}
	if len(entries) > 0 && !overwrite {
		return fmt.Errorf("%s: %w", dir, ErrNotEmpty)
	}
	return nil
}
