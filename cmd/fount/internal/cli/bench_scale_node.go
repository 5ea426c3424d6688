// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench scale --by-node: the machine's nodes one after the other, and the results of others.

package cli

import (
	"os"
	"runtime/debug"

	"fount/lab/scale"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

// nodeFlags are the flags of --by-node.
type nodeFlags struct {
	byNode                bool
	submit, from, against string // files
}

func (f *nodeFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.byNode, "by-node", false, "fill the NUMA nodes one after the other")
	for _, file := range []struct {
		dst         *string
		name, usage string
	}{
		{&f.submit, "submit", "by node: write `FILE` for others"},
		{&f.from, "from", "by node: print `FILE`, measure nothing"},
		{&f.against, "against", "by node: print `FILE` beside"},
	} {
		filled(flags, file.dst, file.name, "", file.usage, "file name; use for example nodes.json")
		must(cmd.MarkFlagFilename(file.name))
	}
}

// check finds what excludes what.
func (f *nodeFlags) check(cmd *cobra.Command) error {
	set := cmd.Flags().Changed
	if !f.byNode {
		for _, name := range []string{"submit", "from", "against"} {
			if set(name) {
				return usagef("--%s is of the nodes; use it with --by-node", name)
			}
		}
		return nil
	}
	for _, name := range []string{"tail", "mode", "nodes", "goroutines", "svg"} {
		if set(name) {
			return usagef("--%s is not of the machine's nodes; use it without --by-node", name)
		}
	}
	if f.from != "" {
		for _, name := range []string{"quick", "bench", "count", "benchtime", "work", "output", "submit"} {
			if set(name) {
				return usagef("--%s is of a measurement, and --from measures nothing; use one of them", name)
			}
		}
	}
	if f.against != "" && set("json") {
		return usagef("--json prints one result, and --against two; use one of them")
	}
	return nil
}

// createSubmission looks at the file before anything is measured.
func (f *nodeFlags) createSubmission() (*resultFile, error) {
	if f.submit == "" {
		return nil, nil
	}
	file, err := openResult(f.submit)
	if err != nil {
		return nil, err
	}
	return &resultFile{name: f.submit, file: file}, nil
}

// other is the result to print beside, nil if there is none.
func (f *nodeFlags) other() (*scale.NodeResult, error) {
	if f.against == "" {
		return nil, nil
	}
	return readNodes(f.against)
}

func readNodes(name string) (*scale.NodeResult, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := scale.ReadNodes(file, name)
	return &r, err
}

// showFile prints a result that was measured before, beside the other if there is one.
func (f *scaleFlags) showFile(cmd *cobra.Command) error {
	r, err := readNodes(f.from)
	if err != nil {
		return err
	}
	other, err := f.other()
	if err != nil {
		return err
	}
	text := r.Text
	if other != nil {
		text = func(s show.Style) string { return r.Beside(*other, "from", "against", s) }
	}
	return printResult(cmd, f.json, r, text)
}

// A besideResult is a result whose text has another beside it.
type besideResult struct {
	scale.NodeResult
	other scale.NodeResult
}

func (r besideResult) Text(s show.Style) string { return r.Beside(r.other, "here", "there", s) }

// besides is the result, with the other beside it if there is one.
func besides(r scale.NodeResult, other *scale.NodeResult) scaleResult {
	if other == nil {
		return r
	}
	return besideResult{r, *other}
}

func programVersion() string {
	info, _ := debug.ReadBuildInfo()
	return version(info)
}
