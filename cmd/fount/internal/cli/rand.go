// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount rand, fount token and fount uuid: random values, to standard output or to a file.

package cli

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"math"

	"fount"

	"github.com/spf13/cobra"
)

// Limits of a token's size in bytes. Fewer than 128 bits can be guessed; more than 1024 bytes are
// too long for an HTTP header or a cookie.
const (
	minToken = 16
	maxToken = 1024
)

// addressExample is the address of a server of files, as its clients name it.
const addressExample = "'unix!/run/fount.sock'"

// fileLong is the help text about -o.
const fileLong = `

-o creates FILE with mode 0600. It never replaces a file, and writes to no link and
no named pipe that exists; it does write to a character device.`

// valueFlags are the flags of all commands that print random values.
type valueFlags struct {
	count  int
	output string
}

func (f *valueFlags) addTo(cmd *cobra.Command) {
	f.count = 1
	intFlag(cmd.Flags(), &f.count, "count", "n", "print `COUNT` values, one on each line (1)", 0, math.MaxInt)
	textFlag(cmd.Flags(), &f.output, "output", "o", "create `FILE` with mode 0600; - is standard output",
		"file name; use - for standard output")
}

// run writes s to standard output or to the file. If nothing was written it removes a new file.
func (f *valueFlags) run(cmd *cobra.Command, s *stream) error {
	s.dst = cmd.OutOrStdout()
	s.count = f.count

	var file *privateFile
	toFile := f.output != "" && f.output != "-"
	if toFile {
		var err error
		if file, err = createPrivate(f.output); err != nil {
			return err
		}
		s.dst = file
	}

	if isTerminal(s.dst) && s.encode == nil {
		return usagef("raw bytes would garble the terminal; use --hex, --base64, -o FILE or a pipe")
	}

	err := s.runInterruptibly()
	switch {
	case file != nil && err != nil && s.written.Load() == 0:
		file.drop()
	case file != nil:
		err = cmp.Or(err, file.Close())
	}

	return s.explain(err, toFile)
}

// randFlags are the flags and the argument of fount rand.
type randFlags struct {
	valueFlags
	hex     bool
	base64  bool
	size    uint64
	forever bool
	from    string
	wait    bool
}

func newRand() *cobra.Command {
	var f randFlags
	cmd := &cobra.Command{
		Use:   "rand [N[K|M|G]] [flags]",
		Short: "write N random bytes (32), raw, in hex or in base64",
		Long: `fount rand writes N random bytes (32) to standard output, raw. K, M and G stand
for 1024, 1024^2 and 1024^3 bytes. It refuses to write raw bytes to a terminal.

With --from the bytes come from a fount serve files, and are as secret as its
socket. With --wait fount rand waits up to a minute for a server that is not
there yet, or restarts. A request that the server refuses fails at once.

Exit status 1 if fount rand fails, 130 after Ctrl-C: what was written stays, and
the error says how many bytes. Exit status 141, without a message, if the reader
of a pipe is gone.` + fileLong,
		Example: `  fount rand --hex                       32 bytes as 64 characters
  fount rand 10M -o noise                a file with mode 0600
  fount rand --forever | head -c 1M | sha256sum`,
		Args: func(cmd *cobra.Command, args []string) error { return f.parse(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return f.make(cmd) },
	}

	f.addTo(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.hex, "hex", false, "print lower-case hex, one value on each line")
	flags.BoolVar(&f.base64, "base64", false, "print standard base64 with padding, one value on each line")
	flags.BoolVar(&f.forever, "forever", false, "write without end, instead of N bytes")
	textFlag(flags, &f.from, "from", "", "read the bytes from the 9P server at `ADDRESS`, such as "+addressExample,
		"address; use for example "+addressExample)
	flags.BoolVar(&f.wait, "wait", false, "wait up to a minute for the server of --from")
	return cmd
}

// parse reads the argument, and returns a usage error for flags that exclude each other.
func (f *randFlags) parse(cmd *cobra.Command, args []string) (err error) {
	if f.size, err = sizeArgument(cmd, args); err != nil {
		return err
	}

	text := f.hex || f.base64
	many := cmd.Flags().Changed("count")

	switch {
	case f.forever && len(args) == 1:
		return usagef("--forever and size %q exclude each other; use one of them", args[0])
	case f.forever && many:
		return usagef("--forever and -n exclude each other; use one of them")
	case many && !text:
		return usagef("-n counts lines; use it with --hex or --base64")
	case f.wait && f.from == "":
		return usagef("--wait needs --from; use for example --from %s", addressExample)
	case f.hex && f.base64:
		return usagef("--hex and --base64 exclude each other; use one of them")
	}
	return nil
}

// make writes the bytes, which come from a server if --from names one.
func (f *randFlags) make(cmd *cobra.Command) error {
	s := &stream{src: fount.Reader, size: f.size, forever: f.forever}
	switch {
	case f.hex:
		s.encode = hex.AppendEncode
	case f.base64:
		s.encode = base64.StdEncoding.AppendEncode
	}

	if f.from != "" {
		line := progressOn(cmd, false)
		if f.wait {
			line.Show("waiting for " + f.from)
		}
		src, err := dialRandom(f.from, f.wait)
		line.Clear()
		if err != nil {
			return err
		}
		defer src.Close()
		s.src = src
	}

	return f.run(cmd, s)
}

func newToken() *cobra.Command {
	var flags valueFlags
	cmd := &cobra.Command{
		Use:   "token [N] [-n COUNT] [-o FILE]",
		Short: "print a secret token: N random bytes (32) in base64url",
		Long: `fount token prints N random bytes (32) as one line of base64url without padding:
A-Z a-z 0-9 - and _, safe in URLs, headers and file names. N is from 16 to 1024;
32 bytes (256 bits) make 43 characters.` + fileLong,
		Example: `  fount token              a session secret, 43 characters
  fount token 16           the shortest, 22 characters
  SECRET=$(fount token)    in a script`,
		RunE: func(cmd *cobra.Command, args []string) error {
			size, err := sizeArgument(cmd, args)
			if err != nil {
				return err
			}
			if size < minToken || size > maxToken {
				return usagef("size %d is not from %d to %d bytes; fount rand has no limits", size, minToken, maxToken)
			}
			return flags.run(cmd, &stream{src: fount.Reader, encode: base64.RawURLEncoding.AppendEncode, size: size})
		},
	}
	flags.addTo(cmd)
	return cmd
}

func newUUID() *cobra.Command {
	var flags valueFlags
	v7 := false
	cmd := &cobra.Command{
		Use:   "uuid [-7] [-n COUNT] [-o FILE]",
		Short: "print UUIDs, random (v4) or ordered by time (v7)",
		Long: `fount uuid prints UUIDs (RFC 9562), one on each line. They are of version 4, with
122 random bits. With -7 they are of version 7: each begins with the time in
milliseconds, and is greater than the one before.` + fileLong,
		Example: `  fount uuid               one, version 4
  fount uuid -7            one, version 7: keeps inserts in a database together
  fount uuid -n 1000       a thousand`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			src := uuids(fount.NewUUID)
			if v7 {
				src = fount.NewUUIDv7
			}
			return flags.run(cmd, &stream{src: src, encode: appendUUID, size: 16})
		},
	}
	flags.addTo(cmd)
	cmd.Flags().BoolVarP(&v7, "v7", "7", false, "print version 7, which is ordered by time")
	return cmd
}

// uuids is a reader of UUIDs. Each Read returns a new UUID, in 16 bytes.
type uuids func() fount.UUID

func (next uuids) Read(b []byte) (int, error) {
	u := next()
	return copy(b, u[:]), nil
}

// appendUUID appends the 16 bytes of src to dst in the text form of RFC 9562.
func appendUUID(dst, src []byte) []byte {
	dst, _ = fount.UUID(src).AppendText(dst) // its error is always nil
	return dst
}
