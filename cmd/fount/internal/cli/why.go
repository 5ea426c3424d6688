// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount why: whether a program needs fount, and where.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"fount/lab/machine"
	"fount/lab/nonce"
	"fount/lab/show"
	"fount/lab/why"

	"github.com/spf13/cobra"
)

const whyLong = `fount why: watch a program, and say whether random values or password hashes cost it
anything, on which lines, and what to change.

--pid watches a running process of yours; COMMAND is started and watched (both Linux). --pprof asks a server that
serves net/http/pprof, or reads a CPU profile; --perf reads the text of perf script. Nothing is written, and
nothing is asked but the URL that you name. COMMAND's output goes to standard error; -d has it end (SIGTERM).

Draws a second are estimated: CPU time in crypto/rand by the cost of 16 bytes here. What a change saves is
measured here, and counts from 1 % of the program's CPU time. --json prints one object:
  program, module, go, source, seconds, cpu_seconds, kernel_seconds, samples, cores_used
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
	pid         int
	pprof, perf string
	time        time.Duration
	json        bool
}

// newWhy is the command "fount why".
func newWhy() *cobra.Command {
	var f whyFlags
	cmd := &cobra.Command{
		Use:   "why [--pid N | --pprof URL|FILE | --perf FILE | COMMAND [ARG...]] [-d TIME] [--json]",
		Short: "whether your program needs it, and on which lines",
		Long:  whyLong,
		Example: `  fount why --pid 4711 -d 30s
  fount why --pprof http://localhost:6060
  fount why -d 10s ./server -listen :8080`,
		PreRunE: func(cmd *cobra.Command, args []string) error { return f.check(cmd, args) },
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SetInterspersed(false) // what follows COMMAND is its own
	number(flags, &f.pid, "pid", "", "watch the process `N`", 1, 1<<22, "process ID; use for example 4711")
	filled(flags, &f.pprof, "pprof", "", "ask the server at `URL`, or read the profile in that FILE", "name; use for example http://localhost:6060")
	filled(flags, &f.perf, "perf", "", "read what perf script wrote into `FILE`", "file name; use for example perf.txt")
	timeFlag(flags, &f.time, "duration", "d", "watch for that `TIME` (30s; COMMAND: until it ends)", time.Hour)
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *whyFlags) check(cmd *cobra.Command, args []string) error {
	changed := cmd.Flags().Changed
	var given []string
	for _, name := range []string{"pid", "pprof", "perf"} {
		if changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(args) > 0 {
		given = append(given, "COMMAND")
	}
	fromFile := f.perf != "" || f.pprof != "" && !why.IsURL(f.pprof)
	switch {
	case len(given) == 0:
		return usagef("nothing to watch; use --pid, --pprof, --perf or COMMAND")
	case len(given) > 1:
		return usagef("%s and %s are two programs; watch one", given[0], given[1])
	case changed("duration") && f.time == 0:
		return usagef("-d 0s is no time to watch; use for example 30s")
	case changed("duration") && fromFile:
		return usagef("-d is of programs that run, and a file has its own time")
	case len(args) > 0 && args[0] == "":
		return usagef("COMMAND is empty; use for example ./server")
	case f.time == 0 && len(args) == 0:
		f.time = 30 * time.Second
	}
	return nil
}

// run watches, judges and prints.
func (f *whyFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stop := notifyContext(contextOf(cmd), os.Interrupt)
	defer stop()
	line := progressOn(cmd, f.json)
	p, err := f.profile(ctx, cmd, args, line)
	line.Clear()
	stop() // a second Ctrl-C ends it while it measures
	if err != nil {
		return whyError(err)
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

// profile watches the one that is named.
func (f *whyFlags) profile(ctx context.Context, cmd *cobra.Command, args []string, line *show.Progress) (*why.Profile, error) {
	switch {
	case f.perf != "":
		return readProfile(f.perf, why.ReadPerf)
	case f.pprof != "" && !why.IsURL(f.pprof):
		return readProfile(f.pprof, why.ReadPprof)
	case f.pprof != "":
		line.Show(fmt.Sprintf("watching for %v", f.time))
		return why.Fetch(ctx, f.pprof, f.time)
	case len(args) > 0:
		c := why.Command{Program: args, Stdin: cmd.InOrStdin(), Stdout: cmd.ErrOrStderr(), Stderr: cmd.ErrOrStderr()}
		return why.Run(ctx, c, f.time)
	}
	line.Show(fmt.Sprintf("watching process %d for %v", f.pid, f.time))
	return why.Watch(ctx, f.pid, f.time)
}

// readProfile reads a file, and names it in errors.
func readProfile(name string, read func(io.Reader) (*why.Profile, error)) (*why.Profile, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if p.Program == "" {
		p.Program = name
	}
	return p, nil
}

// whyError says what else could be done.
func whyError(err error) error {
	if errors.Is(err, why.ErrNotHere) {
		return fmt.Errorf("%w, and this is %s; use --pprof", err, machine.OSName())
	}
	return err
}
