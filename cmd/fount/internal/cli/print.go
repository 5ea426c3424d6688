// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What commands print: text that fits the terminal, one JSON object, and progress while they work.

package cli

import (
	"encoding/json"
	"io"
	"os"
	"runtime"

	"fount/lab/show"

	"github.com/spf13/cobra"
)

// printResult writes v as JSON or as text.
func printResult(cmd *cobra.Command, asJSON bool, v any, text func(show.Style) string) error {
	out := cmd.OutOrStdout()
	if asJSON {
		return printJSON(out, v)
	}
	_, err := io.WriteString(out, text(styleOf(out)))
	return err
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// styleOf is the style for w.
func styleOf(w io.Writer) show.Style { return show.StyleOf(w, runtime.GOOS, os.Getenv) }

// progressOn is a line on the terminal that shows progress, nil if there is none or the output is for programs.
func progressOn(cmd *cobra.Command, asJSON bool) *show.Progress {
	if asJSON {
		return nil
	}
	for _, w := range []io.Writer{cmd.ErrOrStderr(), cmd.OutOrStdout()} {
		if isTerminal(w) {
			return show.NewProgress(w, styleOf(w))
		}
	}
	return nil
}
