// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package cli is the command line of fount. It declares all commands and flags. A command reads its
// arguments, calls the library or a study of package lab, and prints the result.
//
// All commands share cli.go (root command, exit status, interrupts), flags.go, usage.go (help and
// usage errors) and output.go (screen and files).
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"fount/cmd/internal/vet"

	"github.com/spf13/cobra"
)

// Exit statuses. Shells report the last two for a program that a signal ended.
const (
	statusOK          = 0
	statusFailed      = 1
	statusUsage       = 2
	statusInterrupted = 130 // 128 + SIGINT
	statusReaderGone  = 141 // 128 + SIGPIPE: the reader of a pipe is gone; no message
)

// exitError ends the program with its own status. An empty message prints nothing.
type exitError struct {
	status  int
	message string
}

func (e *exitError) Error() string { return e.message }

// Main runs one command line and returns the exit status. It prints an error as one line on stderr,
// after the command's name. Main ignores SIGPIPE from then on, so that a write to a pipe without a
// reader returns an error. If go vet runs fount as its tool, Main ends the process.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if vet.IsToolCall(args) {
		vet.Tool()
	}
	ignoreSIGPIPE()

	p := newProgram()
	p.root.SetArgs(append([]string{}, args...)) // cobra takes nil for os.Args
	p.root.SetIn(stdin)
	p.root.SetOut(stdout)
	p.root.SetErr(stderr)

	cmd, err := p.root.ExecuteC()
	if err == nil {
		err = p.helpErr
	}
	status, message := outcome(err, p.started)
	if message != "" {
		fmt.Fprintf(stderr, "%s: %s\n", cmd.CommandPath(), message)
	}
	return status
}

// outcome returns the exit status and the message for err. Before a command has started, each error
// is a usage error.
func outcome(err error, started bool) (status int, message string) {
	var exit *exitError
	switch {
	case err == nil:
		return statusOK, ""
	case isReaderGone(err):
		return statusReaderGone, ""
	case errors.As(err, &exit):
		return exit.status, err.Error()
	case !started:
		return statusUsage, err.Error()
	}
	return statusFailed, err.Error()
}

// The groups of the main help screen, in order.
var (
	measureGroup   = &cobra.Group{ID: "measure", Title: "Measure this machine"}
	valuesGroup    = &cobra.Group{ID: "values", Title: "Make random values"}
	passwordsGroup = &cobra.Group{ID: "passwords", Title: "Hash passwords"}
	moreGroup      = &cobra.Group{ID: "more", Title: "More"}
)

// program is one run of the program.
type program struct {
	root    *cobra.Command
	started bool  // a command was found, and its flags and arguments are valid
	helpErr error // from printing help at --help; cobra drops it
}

func newProgram() *program {
	p := new(program)
	p.root = &cobra.Command{
		Use:   "fount COMMAND [flags]",
		Short: "random values and password hashes, and what they cost on this machine",
		Example: `  fount rand 1M -o noise           a file with mode 0600
  fount rand --forever | head -c 1M | sha256sum
  SECRET=$(fount token)
  fount rand --help                the help of a command`,
		Args:          func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, "command", args) },
		SilenceErrors: true,

		DisableFlagsInUseLine: true,
		SilenceUsage:          true,
		PersistentPreRun:      func(*cobra.Command, []string) { p.started = true },
		RunE:                  func(cmd *cobra.Command, _ []string) error { return printHelp(cmd) },
	}

	p.root.SetFlagErrorFunc(flagError)
	p.root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { p.helpErr = p.help(cmd, cmd.Flags().Args()) })
	p.root.CompletionOptions.DisableNoDescFlag = true
	p.root.AddGroup(measureGroup, valuesGroup, passwordsGroup, moreGroup)
	p.root.SetHelpCommandGroupID(moreGroup.ID)
	p.root.SetCompletionCommandGroupID(moreGroup.ID)

	p.add(measureGroup, newBench(), newDoctor(), newIostats(), newLive(), newLoad(), newReport(), newTop(), newWhy())
	p.add(valuesGroup, newMount(), newRand(), newSeed(), newServe(), newToken(), newUUID())
	p.add(passwordsGroup, newPassword())
	p.add(moreGroup, newVet(), newVersion(), newChild())

	p.root.InitDefaultHelpCmd()
	help, _, _ := p.root.Find([]string{"help"})
	help.Short = "show the help of a command"
	help.Long = ""
	help.Example = "  fount help rand"
	help.Run = nil

	help.RunE = func(_ *cobra.Command, args []string) error {
		cmd, rest, err := p.root.Find(args)
		if err == nil && !cmd.HasSubCommands() && cmd.Name() != "vet" {
			err = atMost(0)(cmd, rest)
		}
		if err != nil {
			return err
		}
		cmd.InitDefaultHelpFlag()
		return p.help(cmd, rest)
	}

	return p
}

// help prints the help of cmd, or of the vet analyzer that args name. Arguments that name nothing
// are a usage error.
func (p *program) help(cmd *cobra.Command, args []string) error {
	p.started = true

	if len(args) > 0 && cmd.HasSubCommands() {
		if err := cmd.ValidateArgs(args); err != nil {
			return usagef("%v", err)
		}
	}

	if len(args) > 0 && cmd.Name() == "vet" && !strings.ContainsAny(args[0], "./") { // no package
		return printPage(cmd, args[0])
	}
	return printHelp(cmd)
}

func (p *program) add(group *cobra.Group, cmds ...*cobra.Command) {
	for _, cmd := range cmds {
		cmd.GroupID = group.ID
	}
	addSubcommands(p.root, cmds...)
}

// noSignals reports that the program must not call signal.Notify. After a call on plan9/386, the
// first note ends one process of the program, and the others live on. Without it the runtime ends
// the whole program at a note, and the kernel removes its name in /srv.
const noSignals = runtime.GOOS == "plan9" && runtime.GOARCH == "386"

// interruptible returns a context that ends at SIGTERM, and at Ctrl-C and the signals in more
// unless the process ignores them, as under nohup.
func interruptible(ctx context.Context, more ...os.Signal) (context.Context, context.CancelFunc) {
	signals := []os.Signal{syscall.SIGTERM}
	for _, s := range append(more, os.Interrupt) {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}

	if noSignals {
		return context.WithCancel(ctx)
	}
	return signal.NotifyContext(ctx, signals...)
}
