// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount vet: predictable random values and unbounded password hashing in Go code.

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/vet"

	"github.com/spf13/cobra"
)

func newVet() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "vet [PACKAGE...] [--json]",
		Short: "find predictable values and unbounded password hashing in Go code",
		Long: `fount vet checks Go packages (./...) with these analyzers:
` + analyzerRows() + `
fount vet --help NAME explains an analyzer: why it reports, how to fix it, when it is wrong. The
comment //fount:ignore NAME reason, on the line or alone above it, silences a finding. Test files
are not checked. fount vet runs, and prints what is printed by, go vet of Go 1.26 or later:
go vet -vettool=$(which fount) ./...

Exit status 0 if there are no findings, and with --json. 1 if there are some, or a package does not
compile.`,
		Example: `  fount vet                       the packages below this directory
  fount vet --help modulobias`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, packages []string) error { return runVet(cmd, asJSON, packages) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print go vet's JSON, an object for each package")
	return cmd
}

// analyzerRows returns a line for each analyzer.
func analyzerRows() (rows string) {
	for _, a := range vet.Analyzers() {
		rows += fmt.Sprintf("  %-14s  %s\n", a.Name, vet.Summary(a))
	}
	return rows
}

// printPage prints the help of the analyzer called name.
func printPage(cmd *cobra.Command, name string) error {
	a := vet.Lookup(name)
	if a == nil {
		return usagef("unknown analyzer %q; fount vet --help lists them", name)
	}
	_, err := io.WriteString(cmd.OutOrStdout(), show.Fill(a.Doc, show.StyleOf(cmd.OutOrStdout()).Width))
	return err
}

func runVet(cmd *cobra.Command, asJSON bool, packages []string) error {
	if len(packages) == 0 {
		packages = []string{"./..."}
	}

	tool, err := os.Executable()
	if err != nil {
		return err
	}

	arguments := append([]string{"--"}, packages...)
	if asJSON {
		arguments = append([]string{"-json"}, arguments...)
	}

	err = vet.Run(cmd.Context(), tool, arguments, cmd.OutOrStdout(), cmd.ErrOrStderr())
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Exited() {
		return &exitError{status: statusFailed} // go vet has said why
	}
	return err
}
