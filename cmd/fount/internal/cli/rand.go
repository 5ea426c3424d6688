// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount rand: random bytes to standard output or to a file.

package cli

import (
	"github.com/spf13/cobra"
)

const defaultSize = 32 // bytes; a key

// randOptions is what the command line asks for.
type randOptions struct {
	valueFlags
	hex     bool
	base64  bool
	size    uint64
	forever bool
	from    string
	wait    bool
}

func newRand() *cobra.Command {
	var o randOptions
	cmd := &cobra.Command{
		Use:   "rand [N[K|M|G]] [--hex|--base64] [-n COUNT] [--forever] [-o FILE] [--from ADDRESS [--wait]]",
		Short: "N random bytes (32), raw, in hex or base64, to a pipe or a file",
		Long: `fount rand writes N random bytes (32) to standard output, raw. K, M and G stand
for 1024, 1024^2 and 1024^3 bytes. It refuses to write raw bytes to a terminal.

A run that fails or is interrupted keeps what it has written, says how much, and
ends with status 1, or 130 after Ctrl-C. When the reader of a pipe goes away,
fount ends with status 141 and no message.

With --from the bytes come from a server (fount serve files), and are as secret
as its socket. With --wait too, a server that is started again is waited for, up to
a minute.` + fileLong,
		Example: `  fount rand --hex                       32 bytes as 64 characters
  fount rand 10M -o noise                a file with mode 0600
  fount rand --forever | head -c 1M | sha256sum`,
		Args: func(cmd *cobra.Command, args []string) error { return o.parse(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return o.make(cmd) },
	}
	o.addTo(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&o.hex, "hex", false, "lower-case hex, a value a line")
	flags.BoolVar(&o.base64, "base64", false, "standard base64 with padding, a value a line")
	flags.BoolVar(&o.forever, "forever", false, "write without end, in place of N")
	filled(flags, &o.from, "from", "", "read the file random of the 9P server at `ADDRESS`, such as "+serving.address,
		"address; use for example "+serving.address)
	flags.BoolVar(&o.wait, "wait", false, "with --from: wait for a server that is not there, up to a minute")
	return cmd
}

// parse reads the argument and refuses flags that exclude each other.
func (o *randOptions) parse(cmd *cobra.Command, args []string) (err error) {
	if o.size, err = sizeArgument(cmd, args, defaultSize); err != nil {
		return err
	}
	text, many := o.hex || o.base64, cmd.Flags().Changed("count")
	switch {
	case o.forever && len(args) == 1:
		return usagef("--forever and size %q exclude each other; use one of them", args[0])
	case o.forever && many:
		return usagef("--forever and -n exclude each other; use one of them")
	case many && !text:
		return usagef("-n counts lines; use it with --hex or --base64")
	case o.wait && o.from == "":
		return usagef("--wait needs --from; use for example --from %s", serving.address)
	case o.hex && o.base64:
		return usagef("--hex and --base64 exclude each other; use one of them")
	}
	return nil
}

// make writes the bytes, from a server if one is given.
func (o *randOptions) make(cmd *cobra.Command) error {
	s := &stream{encoding: raw, size: o.size, forever: o.forever}
	switch {
	case o.hex:
		s.encoding = hexLine
	case o.base64:
		s.encoding = base64Line
	}
	if o.from != "" {
		src, err := dialRandom(o.from, o.wait)
		if err != nil {
			return err
		}
		defer src.Close()
		s.src = src
	}
	return o.run(cmd, s)
}
