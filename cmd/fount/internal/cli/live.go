// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount live: two ways to hash logins, side by side in a browser.

package cli

import (
	"fmt"

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
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return live.Run(ctx, rate, cost, func(url string) { fmt.Fprintln(cmd.OutOrStdout(), url) })
		},
	}
	number(cmd.Flags(), &rate, "rate", "", "`N` logins a second at the start (40)", 1, live.MostRate, "rate; use for example 80")
	number(cmd.Flags(), &cost, "cost", "", "`COST` of bcrypt (10)", 4, 15, "cost; use for example 10")
	return cmd
}
