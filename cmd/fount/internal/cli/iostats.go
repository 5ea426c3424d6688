// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount iostats: what a program opens and reads, and how long it waits for random bytes (golang/go#10028, 2015).

package cli

import (
	"errors"
	"io"
	"os"
	"slices"

	"fount/lab/iostats"

	"github.com/spf13/cobra"
)

const iostatsLong = `fount iostats COMMAND runs a program and, when it and all processes that it
started have ended, says on standard error what they opened, read and wrote, and
how long they waited for random bytes. It is named after iostats(4) of Plan 9.
golang/go#10028 (2015) needed it: tests took 3 to 9 times as long while each
process waited for /dev/random, and nothing showed why.

opens, reads, writes  calls that succeeded, of all processes
in calls              the time in these calls; some microseconds of each are the
                      watching's own, and some may be a wait for a core
waited                that of the calls for random bytes that slept in the
                      kernel, for a millisecond or more

Random files are /dev/random, /dev/urandom, /dev/hwrng, the system call
getrandom(2), and each --source. Not seen: files mapped into memory, io_uring,
send(2) and recv(2) on sockets, the getrandom of the vDSO, which makes no system
call, and programs of another architecture. The watched calls of a child made
with CLONE_UNTRACED fail with ENOSYS. A debugger can't run inside. Set-user-ID
programs run without their rights, unless root watches. The command's children
are killed if fount is.

It needs Linux on amd64, arm64 or riscv64. Plan 9 has its own iostats(4). The
exit status is the command's, 128 and the signal if one ended it, or 1 and a
line of fount iostats if the command can't be run.
--json prints one object, the fields of iostats.Result.`

type iostatsFlags struct {
	sources []string
	rows    int
	file    string
	json    bool
}

func newIostats() *cobra.Command {
	f := iostatsFlags{rows: 10}
	cmd := &cobra.Command{
		Use:   "iostats [flags] COMMAND [ARG...]",
		Short: "run a program and say what it read, and how long it waited for randomness",
		Long:  iostatsLong,
		Example: `  fount iostats make test
  fount iostats --json -o io.json go build ./...
  fount iostats --source /run/fount/random ./server`,
		Args:              func(cmd *cobra.Command, args []string) error { return f.check(cmd, args) },
		ValidArgsFunction: completeFile,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SetInterspersed(false) // what follows the command is the command's
	flags.StringArrayVar(&f.sources, "source", nil, "`FILE` holds random bytes too; may be repeated")
	number(flags, &f.rows, "rows", "n", "show `N` other files (10)", 0, 1e6, "number of files; use for example 10")
	outputFile(cmd, &f.file, "write the report to `FILE`; -: standard output")
	jsonFlag(cmd, &f.json)
	must(cmd.MarkFlagFilename("source"))
	cmd.AddCommand(newIostatsChild())
	return cmd
}

// check finds what can't be run or written.
func (f *iostatsFlags) check(cmd *cobra.Command, args []string) error {
	switch {
	case slices.Contains(f.sources, ""):
		return usagef("--source has an empty file name; use for example /run/fount/random")
	case len(args) == 0:
		return usagef("a command to run is missing; usage: %s", cmd.UseLine())
	}
	return nil
}

func (f *iostatsFlags) run(cmd *cobra.Command, args []string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if err := f.writable(); err != nil {
		return err
	}
	// Ctrl-C is the command's: it gets the signal too, and ends or goes on.
	notify(make(chan os.Signal, 1), os.Interrupt)
	r, err := iostats.Run(iostats.Options{Command: args, Sources: f.sources, Watcher: []string{program, "iostats", "child"},
		Stdin: asFile(cmd.InOrStdin()), Stdout: asFile(cmd.OutOrStdout()), Stderr: asFile(cmd.ErrOrStderr())})
	if err != nil {
		return err
	}
	if err := f.report(cmd, r); err != nil {
		return err
	}
	if r.Status != 0 {
		return &exitError{status: r.Status}
	}
	return nil
}

// writable finds a file that can't be written before anything runs.
func (f *iostatsFlags) writable() error {
	if f.file == "" || f.file == "-" {
		return nil
	}
	file, err := openResult(f.file)
	if file == nil || err != nil {
		return err
	}
	return file.Close()
}

func (f *iostatsFlags) report(cmd *cobra.Command, r iostats.Result) error {
	switch f.file {
	case "":
		return f.writeTo(cmd.ErrOrStderr(), r)
	case "-":
		return f.writeTo(cmd.OutOrStdout(), r)
	}
	file, err := os.Create(f.file)
	if err != nil {
		return err
	}
	return errors.Join(f.writeTo(file, r), file.Close())
}

func (f *iostatsFlags) writeTo(out io.Writer, r iostats.Result) error {
	if f.json {
		return printJSON(out, r)
	}
	_, err := io.WriteString(out, r.Text(styleOf(out), f.rows))
	return err
}

// asFile is the stream as a program that is started can use it, nil if it is none.
func asFile(stream any) *os.File {
	file, _ := stream.(*os.File)
	return file
}

// newIostatsChild is what fount iostats runs itself by.
func newIostatsChild() *cobra.Command {
	return &cobra.Command{
		Use:    "child",
		Short:  "the process that becomes the program, which fount iostats starts and tells what to do",
		Hidden: true,
		Args:   atMost(0),
		RunE:   func(*cobra.Command, []string) error { return iostats.Child() },
	}
}
