// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount vet: predictable random values and unbounded password hashing in Go code.

package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"

	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/vet"

	"github.com/spf13/cobra"
)

// vetOptions are the flags of fount vet.
type vetOptions struct {
	json, fix bool
}

func newVet() *cobra.Command {
	var o vetOptions
	cmd := &cobra.Command{
		Use:   "vet [PACKAGE...] [--fix] [--json]",
		Short: "find predictable values and unbounded password hashing in Go code",
		Long: `fount vet checks Go packages (./...) with these analyzers:
` + analyzerRows() + `
fount vet --help NAME explains an analyzer: why it reports, how to fix it, when it is wrong. The
comment //fount:ignore NAME reason, on the line or alone above it, silences a finding. Test files
are not checked. fount vet runs go vet of Go 1.26 or later, and is itself a tool of go vet:
go vet -vettool=$(which fount) ./...

Exit status 0 if there are no findings. 1 if there are some, or a package does not compile.`,
		Example: `  fount vet                       the packages below this directory
  fount vet --fix ./internal/...   apply the safe fixes, report the rest
  fount vet --help modulobias`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	cmd.Flags().BoolVar(&o.fix, "fix", false, "apply the suggested fixes, and report what is left")
	jsonFlag(cmd, &o.json)
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

func (o vetOptions) run(cmd *cobra.Command, packages []string) error {
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	tool, err := os.Executable()
	if err == nil {
		_, err = exec.LookPath("go")
	}
	if err != nil {
		return err
	}
	run := vet.Run{Tool: tool, Packages: packages, Stderr: cmd.ErrOrStderr()}
	if o.fix {
		if err := run.Fix(cmd.Context()); err != nil {
			return err
		}
	}
	found, err := run.Findings(cmd.Context())
	text := func(show.Style) (text string) {
		for _, f := range found {
			text += f.String() + "\n"
		}
		return text
	}
	report := map[string][]vet.Finding{"findings": append([]vet.Finding{}, found...)}
	if printErr := printResult(cmd, o.json, report, text); printErr != nil {
		return printErr
	}
	switch {
	case err != nil:
		return err
	case len(found) == 1:
		return fmt.Errorf("1 finding; fount vet --help %s explains it", found[0].Analyzer)
	case len(found) > 0:
		return fmt.Errorf("%d findings; fount vet --help NAME explains those of an analyzer", len(found))
	}
	return nil
}
