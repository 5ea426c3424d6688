// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount rand: random bytes to standard output or to a file.

package cli

import (
	"io"

	"github.com/spf13/cobra"
)

const (
	defaultSize  = 32        // bytes; a key
	progressFrom = 256 << 20 // bytes; less is over before one has read the line
)

// randOptions is what the command line asks for.
type randOptions struct {
	size    uint64
	forever bool
	hex     bool
	base64  bool
	out     string
	from    string
}

func newRand() *cobra.Command {
	var o randOptions
	cmd := &cobra.Command{
		Use:   "rand [N[K|M|G]] [--hex|--base64] [--forever] [--out FILE] [--from ADDRESS]",
		Short: "N random bytes (32), raw, in hex or base64, to a pipe or a file",
		Long: `fount rand writes N random bytes, raw, to standard output; K, M and G stand for 1024, 1024^2 and
1024^3 bytes. Without N it writes 32 bytes. It refuses to write raw bytes to a terminal.

A new FILE gets mode 0600. An existing regular file is set to mode 0600 and emptied before bytes are
written; a device or named pipe is written as it is. A run that fails or is interrupted leaves what it
has written, says how much, and ends with status 1, or 130 after Ctrl-C. When the reader of a pipe goes
away, fount ends with status 0.

With --from the bytes are those of a server, fount serve files: as secret as its socket.`,
		Example: `  fount rand --hex                       32 bytes as 64 characters
  fount rand 10M --out noise             a file with mode 0600
  fount rand --forever | head -c 1M | sha256sum`,
		Args: func(cmd *cobra.Command, args []string) error { return o.parse(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.hex, "hex", false, "write lower-case hex and a newline")
	flags.BoolVar(&o.base64, "base64", false, "write standard base64 with padding and a newline")
	flags.BoolVar(&o.forever, "forever", false, "write without end, in place of N")
	flags.StringVar(&o.out, "out", "", "write to `FILE`; - is standard output")
	flags.StringVar(&o.from, "from", "", "read the file random of the 9P server at `ADDRESS`, such as "+exampleAddress)
	return cmd
}

// parse reads the argument and checks what excludes what.
func (o *randOptions) parse(cmd *cobra.Command, args []string) (err error) {
	if err := atMost(1)(cmd, args); err != nil {
		return err
	}
	o.size = defaultSize
	if len(args) == 1 {
		if o.size, err = parseSize(args[0]); err != nil {
			return usagef("size %v", err)
		}
	}
	switch {
	case o.forever && len(args) == 1:
		return usagef("--forever and size %q exclude each other; use one of them", args[0])
	case o.hex && o.base64:
		return usagef("--hex and --base64 exclude each other; use one of them")
	case o.out == "" && cmd.Flags().Changed("out"): // an empty variable must not mean standard output
		return usagef("--out has an empty file name; use - for standard output")
	case o.from == "" && cmd.Flags().Changed("from"): // nor this process's own bytes
		return usagef("--from has an empty address; use for example %s", exampleAddress)
	}
	return nil
}

// run opens the destination, writes to it, and closes it.
func (o *randOptions) run(cmd *cobra.Command) error {
	s := &stream{encoding: o.encoding(), size: o.size, forever: o.forever}
	if o.from != "" {
		src, err := dialRandom(o.from)
		if err != nil {
			return err
		}
		defer src.Close()
		s.src = src
	}
	toFile := o.toFile()
	dst := cmd.OutOrStdout()
	if toFile {
		file, err := createPrivate(o.out)
		if err != nil {
			return err
		}
		defer file.Close() // for the returns before the checked Close below
		dst = file
	}
	if isTerminal(dst) && !o.hex && !o.base64 {
		return usagef("raw bytes would garble the terminal; use --hex, --base64, --out FILE or a pipe")
	}

	s.dst = dst
	var p *progress
	if o.showsProgress(isTerminal(cmd.ErrOrStderr()), isTerminal(dst)) {
		p = newProgress(cmd.ErrOrStderr(), s.total())
	}
	err := s.runWith(p)
	if err == nil && toFile {
		err = dst.(io.Closer).Close()
	}
	return s.explain(err, toFile)
}

func (o *randOptions) toFile() bool { return o.out != "" && o.out != "-" }

// showsProgress reports whether to show progress, given which ends are terminals. A stream without end
// into a pipe shows none: how far it is, its reader knows.
func (o *randOptions) showsProgress(stderr, dst bool) bool {
	long := !o.forever && o.size >= progressFrom || o.forever && o.toFile()
	return long && stderr && !dst
}

func (o *randOptions) encoding() encoding {
	switch {
	case o.hex:
		return hexLine
	case o.base64:
		return base64Line
	}
	return raw
}
