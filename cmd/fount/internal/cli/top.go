// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount top: live figures of another process, from its metrics.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"fount/cmd/fount/internal/top"

	"github.com/spf13/cobra"
)

const topLong = `fount top ADDRESS shows live figures of a fountd, or of another process that serves fount's metrics
for Prometheus (package fountprometheus). ADDRESS is the HOST:PORT, the URL or the Unix socket, unix:PATH, of these
metrics.

Rates and quantiles cover the last interval. A quantile is the upper end of a bucket: up to twice the true value. If
the process ends, fount top waits for it to come back. On a terminal, q quits. In a pipe, the figures are printed
again after each interval.

Exit status 1 if the process serves no figures at the start, or none after the last of -n intervals.`

func newTop() *cobra.Command {
	interval, count := 2*time.Second, 0
	cmd := &cobra.Command{
		Use:   "top ADDRESS [-n N] [--interval TIME]",
		Short: "show live figures of a process that uses fount",
		Long:  topLong,
		Example: `  fount top 127.0.0.1:9464
  fount top -n 1 unix:/run/app.sock`,
		Args: exactlyOne("the address of a process"),
		RunE: func(cmd *cobra.Command, args []string) error { return watch(cmd, args[0], interval, count) },
	}

	flags := cmd.Flags()
	timeFlag(flags, &interval, "interval", "", "update every `TIME` (2s)", time.Second/10, time.Hour)
	intFlag(flags, &count, "count", "n", "end after `N` intervals", 1, 1e6)
	return cmd
}

func watch(cmd *cobra.Command, address string, interval time.Duration, count int) error {
	source, err := top.NewSource(address)
	if err != nil {
		return usagef("address %q %v", address, err)
	}

	ctx, stop := interruptible(cmd.Context())
	defer stop()

	in := asFile(cmd.InOrStdin())
	out := cmd.OutOrStdout()
	v := &top.View{Source: source, Interval: interval}
	v.Look(ctx)
	if v.Err != nil {
		return fmt.Errorf("%s: %w", source.Address, v.Err)
	}

	onScreen := in != nil && isTerminal(in) && isTerminal(out) && os.Getenv("TERM") != "dumb" && count == 0
	if onScreen && runtime.GOOS != "windows" { // a Windows console may not know the control sequences
		err = v.Show(ctx, in, asFile(out))
	} else {
		err = printLooks(ctx, out, v, count)
	}

	switch {
	case errors.Is(err, context.Canceled):
		return &exitError{status: statusInterrupted}
	case err == nil && count > 0 && v.Err != nil:
		return fmt.Errorf("%s: %w", source.Address, v.Err)
	}
	return err
}

// printLooks prints the view after each interval, as is right for a pipe. If count is 0 it goes on
// until ctx ends.
func printLooks(ctx context.Context, out io.Writer, v *top.View, count int) error {
	for i := 0; i < count || count == 0; i++ {
		select {
		case <-ctx.Done():
			return context.Canceled
		case <-time.After(v.Interval):
		}

		v.Look(ctx)
		if _, err := io.WriteString(out, strings.Join(v.Lines(), "\n")+"\n\n"); err != nil {
			return err
		}
	}
	return nil
}
