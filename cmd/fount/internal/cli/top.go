// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount top: what another process does, live, by its metrics.

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

const topLong = `fount top ADDRESS shows what a process that uses fount does, by the metrics that
it serves for Prometheus (package fountprometheus). ADDRESS is its HOST:PORT, a
URL, or a Unix socket, unix:PATH.

Rates and quantiles are of the last interval; quantiles are ends of buckets, up
to twice the true value. A process that goes away is waited for. On a terminal q
quits; in a pipe the lines come again at each interval. Exit status 1 if there
are no figures at the start, or none after the last of -n intervals.`

func newTop() *cobra.Command {
	interval, count := 2*time.Second, 0
	cmd := &cobra.Command{
		Use:   "top ADDRESS [-n N] [--interval TIME]",
		Short: "live figures of a process that uses fount",
		Long:  topLong,
		Example: `  fount top 127.0.0.1:9090
  fount top -n 1 unix:/run/app.sock`,
		Args: one("the address of a process"),
		RunE: func(cmd *cobra.Command, args []string) error { return watch(cmd, args[0], interval, count) },
	}
	flags := cmd.Flags()
	timeFlag(flags, &interval, "interval", "", "`TIME` from one look to the next (2s)", time.Second/10, time.Hour)
	number(flags, &count, "count", "n", "end after `N` intervals", 1, 1e6)
	return cmd
}

func watch(cmd *cobra.Command, address string, interval time.Duration, count int) error {
	source, err := top.NewSource(address)
	if err != nil {
		return usagef("address %q %v", address, err)
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	in, out := asFile(cmd.InOrStdin()), cmd.OutOrStdout()
	v := &top.View{Source: source, Interval: interval}
	v.Look(ctx)
	if v.Err != nil {
		return fmt.Errorf("%s: %w", source.Address, v.Err)
	}
	onScreen := in != nil && isTerminal(in) && isTerminal(out) && os.Getenv("TERM") != "dumb" && count == 0
	if onScreen && runtime.GOOS != "windows" { // whose console may not know the control sequences
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

// printLooks prints the lines of each look, for a pipe.
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

// asFile is the stream as a file, nil if it is none.
func asFile(stream any) *os.File {
	file, _ := stream.(*os.File)
	return file
}
