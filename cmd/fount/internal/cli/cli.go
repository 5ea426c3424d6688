// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package cli is the command line of fount. It declares all commands and flags. A command reads its
// arguments, calls the library or a study of package lab, and prints the result.
//
// A command has a file of its name (token and uuid share rand.go), and a place in commands. All
// commands share cli.go (exit status, root command, interrupts), help.go, usage.go (usage errors),
// flags.go and output.go (screen and files).
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
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

// commands has the commands by the groups of the main help screen, in order. One more command is a
// constructor, in a file of its own, and its name here. What it does lies in a folder beside cli.
// TestExamplesWork runs the examples of its help, and a script in testdata/script the rest.
var commands = []struct {
	id    string
	title string
	new   constructors
}{
	{"measure", "Measure this machine", constructors{
		newBench, newDoctor, newIostats, newLive, newLoad, newReport, newTop, newWhy}},
	{"values", "Make random values", constructors{newMount, newRand, newSeed, newServe, newToken, newUUID}},
	{"passwords", "Hash passwords", constructors{newPassword}},
	{moreGroup, "More", constructors{newVet, newVersion, newChild}},
}

type constructors []func() *cobra.Command

const moreGroup = "more" // has cobra's own commands too

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
		PersistentPreRun: func(*cobra.Command, []string) { p.started = true },

		DisableFlagsInUseLine: true,
		SilenceErrors:         true,
		SilenceUsage:          true,
	}
	p.root.CompletionOptions.DisableNoDescFlag = true
	p.root.SetFlagErrorFunc(flagError)
	p.root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { p.helpErr = p.help(cmd, cmd.Flags().Args()) })

	parent(p.root, "command")
	for _, group := range commands {
		p.root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, newCommand := range group.new {
			cmd := newCommand()
			cmd.GroupID = group.id
			addSubcommands(p.root, cmd)
		}
	}

	p.root.SetHelpCommandGroupID(moreGroup)
	p.root.SetCompletionCommandGroupID(moreGroup)
	p.changeDefaults()
	return p
}

// parent adds subcommands to cmd, which alone prints its help. Errors call a subcommand noun.
func parent(cmd *cobra.Command, noun string, subs ...*cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, noun, args) }
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return printHelp(cmd) }
	addSubcommands(cmd, subs...)
	return cmd
}

// addSubcommands adds subs to cmd.
func addSubcommands(cmd *cobra.Command, subs ...*cobra.Command) {
	for _, sub := range subs {
		sub.DisableFlagsInUseLine = true // Use lists them
		sub.Flags().VisitAll(plainFlag)
		if sub.ValidArgsFunction == nil {
			sub.ValidArgsFunction = cobra.NoFileCompletions
		}
		cmd.AddCommand(sub)
	}
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
