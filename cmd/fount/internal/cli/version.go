// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount version: of this program.

package cli

import (
	"fmt"

	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/version"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "version [--json]",
		Short:   "print the versions of fount and Go, the commit and the platform",
		Example: "  fount version",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := version.This()
			return printResult(cmd.OutOrStdout(), asJSON, v, func(show.Style) string {
				return fmt.Sprintf("fount %v (%s %s/%s)\n", v, v.Go, v.OS, v.Arch)
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
