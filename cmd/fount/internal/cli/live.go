// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount live: mechanisms of fount load, side by side in a browser.

package cli

import (
	"fmt"

	"fount/cmd/fount/internal/live"

	"github.com/spf13/cobra"
)

const liveLong = `fount live hashes the same logins in three ways, each in a process with its share of the cores: a
goroutine for each login, a semaphore that refuses logins that it could not answer in time, and fount's pool. On one
or two cores it leaves out the semaphore.

It serves a page on loopback. The page shows live how many logins are answered within a second, late or refused, and
how long another request takes meanwhile. A slider on the page changes the load. Ctrl-C ends fount live.`

func newLive() *cobra.Command {
	rate, cost := 40, 10
	cmd := &cobra.Command{
		Use:     "live [--rate N] [--cost N]",
		Short:   "compare ways to hash logins, side by side in a browser",
		Long:    liveLong,
		Example: "  fount live --rate 80",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return live.Run(ctx, rate, cost, func(url string) { fmt.Fprintln(cmd.OutOrStdout(), url) })
		},
	}
	intFlag(cmd.Flags(), &rate, "rate", "", "start with `N` logins a second (40)", 1, live.MostRate)
	costFlag(cmd.Flags(), &cost)
	return cmd
}
