// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount live: two ways to hash logins, side by side in a browser.

package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"fount/lab/live"

	"github.com/spf13/cobra"
)

const liveLong = `fount live hashes the same logins in two ways, each in a process with half of
the cores: a goroutine for each, and fount's pool. It serves a page on loopback,
which shows as it happens how many are answered within a second, are late or
refused, and how long another request takes meanwhile. A slider on it changes
the load. Ctrl-C ends it.`

func newLive() *cobra.Command {
	rate, cost := 40, 10
	cmd := &cobra.Command{
		Use:     "live [--rate N] [--cost N]",
		Short:   "two ways to hash logins, side by side in a browser",
		Long:    liveLong,
		Example: "  fount live --rate 80",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			child := func(ctx context.Context, way string) *exec.Cmd {
				return exec.CommandContext(ctx, self, "live", "child", way, strconv.Itoa(cost))
			}
			return live.Run(ctx, rate, child, func(url string) { fmt.Fprintln(cmd.OutOrStdout(), url) })
		},
	}
	number(cmd.Flags(), &rate, "rate", "", "`N` logins a second at the start (40)", 1, live.MostRate, "rate; use for example 80")
	number(cmd.Flags(), &cost, "cost", "", "`COST` of bcrypt (10)", 4, 15, "cost; use for example 10")
	cmd.AddCommand(&cobra.Command{
		Use:    "child WAY COST",
		Short:  "what fount live runs",
		Hidden: true,
		Args:   cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			cost, err := strconv.Atoi(args[1])
			if err != nil {
				return err
			}
			return live.Serve(args[0], cost, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	})
	return cmd
}
