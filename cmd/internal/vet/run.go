// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Running the analyzers by go vet, which loads packages, passes on facts and caches results.

package vet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// A Finding is one report of an analyzer.
type Finding struct {
	File     string `json:"file"` // relative to the directory of the run, if it is below
	Line     int    `json:"line"`
	Column   int    `json:"column"` // in bytes, from 1; 0 if a line directive hides it
	Analyzer string `json:"analyzer"`
	Message  string `json:"message"`
	Fix      string `json:"fix,omitempty"` // what the suggested fix does, "" if there is none
}

func (f Finding) String() string {
	if f.Column == 0 {
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
}

// A Run says on which packages to run the analyzers, and where.
type Run struct {
	Tool     string    // the absolute path of a program that calls Tool when IsToolCall
	Packages []string  // patterns as of the go command
	Stderr   io.Writer // for the output of the go command
}

// Findings runs go vet (Go 1.26 or later) and returns the findings, sorted by file and line. If
// packages don't load or compile, it returns an error beside the findings of the others.
func (r Run) Findings(ctx context.Context) ([]Finding, error) {
	var out bytes.Buffer
	err := r.vet(ctx, &out, "-json")
	found, parseErr := parse(&out)
	dir, dirErr := os.Getwd()
	for i, f := range found {
		if path, err := filepath.Rel(dir, f.File); err == nil && filepath.IsLocal(path) {
			found[i].File = path
		}
	}
	return found, errors.Join(err, parseErr, dirErr)
}

// Fix applies the suggested fixes to the files of the main module.
func (r Run) Fix(ctx context.Context) error { return r.vet(ctx, r.Stderr, "-fix") }

// vet runs the go command, with its output on w.
func (r Run) vet(ctx context.Context, w io.Writer, flag string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"vet", flag, "-vettool=" + r.Tool, "--"}, r.Packages...)...)
	cmd.Stdout, cmd.Stderr = w, r.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go vet: %w", err)
	}
	return nil
}

// parse reads the output of go vet -json: for each package, the diagnostics of each analyzer or an
// error.
func parse(r io.Reader) (found []Finding, err error) {
	decoder := json.NewDecoder(r)
	for {
		var tree map[string]map[string]json.RawMessage
		if e := decoder.Decode(&tree); e == io.EOF {
			break
		} else if e != nil {
			return found, errors.Join(err, fmt.Errorf("what go vet printed: %w", e))
		}
		for _, analyzers := range tree {
			for name, raw := range analyzers {
				more, e := findings(name, raw)
				found, err = append(found, more...), errors.Join(err, e)
			}
		}
	}
	slices.SortFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Analyzer, b.Analyzer))
	})
	return slices.Compact(found), err
}

// findings returns the findings of one analyzer in one package.
func findings(analyzer string, raw json.RawMessage) (found []Finding, err error) {
	var diagnostics []struct {
		Posn, Message string
		Fixes         []struct{ Message string } `json:"suggested_fixes"`
	}
	if err := json.Unmarshal(raw, &diagnostics); err != nil {
		return nil, fmt.Errorf("%s: %s", analyzer, raw)
	}
	for _, d := range diagnostics {
		f := Finding{Analyzer: analyzer, Message: d.Message}
		f.File, f.Line, f.Column = position(d.Posn)
		if len(d.Fixes) > 0 {
			f.Fix = d.Fixes[0].Message
		}
		found = append(found, f)
	}
	return found, nil
}

// posn is file:line:column, or file:line. A path of Windows has a colon of its own.
var posn = regexp.MustCompile(`^(.*?):(\d+)(?::(\d+))?$`)

func position(s string) (file string, line, column int) {
	part := posn.FindStringSubmatch(s)
	if part == nil {
		return s, 0, 0
	}
	line, _ = strconv.Atoi(part[2])
	column, _ = strconv.Atoi(part[3]) // 0 without one
	return part[1], line, column
}
