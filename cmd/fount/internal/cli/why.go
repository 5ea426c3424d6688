// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount why: whether a program needs fount, and where.

package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"fount/lab/nonce"
	"fount/lab/show"
	"fount/lab/why"

	"github.com/spf13/cobra"
)

const whyLong = `fount why: read a CPU profile of a program, and say whether random values or password hashes cost it
anything, on which lines, and what to change.

PROFILE is a file of runtime/pprof; URL is of a server that serves net/http/pprof, which profiles itself for that
time. Nothing else is asked.

Draws a second are estimated: CPU time in crypto/rand by the cost of 16 bytes here. What a change saves is
measured here, and counts from 1 % of the program's CPU time. --json prints one object:
  program, go, source, seconds, cpu_seconds, samples, cores_used
  uses      family, call, through, site (func, file, line, own), samples, cpu_seconds, cpu_share (_low, _high),
            drawing_share, garbage_share, lock_share, per_s (_low, _high), advice, saves_share (_low, _high)
  waits     family, call, site, seconds, share, kind
  lateness  of, count, p50_ms, p99_ms, max_ms
  costs     crypto_rand_16, crypto_rand_64, uuid, uuid_text (ns, own_ns, ratio, ratio_low, ratio_high), use,
            rounds, pool_hashes_ratio, bcrypt_ms
  verdict   do (nothing, replace, pool, both), saves_share (_low, _high), sentences
  notes     what is not known, and why`

// whyFlags are the flags of fount why.
type whyFlags struct {
	time time.Duration
	json bool
}

// newWhy is the command "fount why".
func newWhy() *cobra.Command {
	var f whyFlags
	cmd := &cobra.Command{
		Use:   "why PROFILE|URL [-d TIME] [--json]",
		Short: "whether your program needs it, and on which lines",
		Long:  whyLong,
		Example: `  fount why cpu.pprof
  fount why http://localhost:6060 -d 10s`,
		Args:    atMost(1),
		PreRunE: func(cmd *cobra.Command, args []string) error { return f.check(cmd, args) },
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.time = 30 * time.Second
	timeFlag(cmd.Flags(), &f.time, "duration", "d", "profile the server for that `TIME` (30s)", time.Hour)
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *whyFlags) check(cmd *cobra.Command, args []string) error {
	changed := cmd.Flags().Changed("duration")
	switch {
	case len(args) == 0 || args[0] == "":
		return usagef("the profile is missing; use for example cpu.pprof or http://localhost:6060")
	case changed && f.time == 0:
		return usagef("-d 0s is no time to profile; use for example 30s")
	case changed && !why.IsURL(args[0]):
		return usagef("-d is of a server, and a file has its own time")
	}
	return nil
}

// run reads, judges and prints.
func (f *whyFlags) run(cmd *cobra.Command, name string) error {
	ctx, stop := notifyContext(contextOf(cmd), os.Interrupt)
	defer stop()
	line := progressOn(cmd, f.json)
	p, err := f.profile(ctx, name, line)
	line.Clear()
	stop() // a second Ctrl-C ends it while it measures
	if err != nil {
		return err
	}
	x := why.Examination{Plan: nonce.Examination(), Run: 2 * time.Second, Cores: runtime.NumCPU()}
	r, err := x.Examine(context.WithoutCancel(ctx), p, line)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Source, err)
	}
	out := cmd.OutOrStdout()
	if f.json {
		return printJSON(out, r)
	}
	style := show.StyleOf(out, runtime.GOOS, os.Getenv)
	title := show.Paragraph("fount why: "+show.Printable(r.Program), style.Width, "", "  ")
	_, err = io.WriteString(out, title+r.Text(style))
	return err
}

// profile is that of the file or server of that name.
func (f *whyFlags) profile(ctx context.Context, name string, line *show.Progress) (*why.Profile, error) {
	if !why.IsURL(name) {
		return readProfile(name)
	}
	line.Show(fmt.Sprintf("profiling for %v", f.time))
	return why.Fetch(ctx, name, f.time)
}

// readProfile reads a file, and names it in errors.
func readProfile(name string) (*why.Profile, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := why.ReadPprof(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if p.Program == "" {
		p.Program = name
	}
	return p, nil
}
