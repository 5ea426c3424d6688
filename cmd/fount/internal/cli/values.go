// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount token and fount uuid: values of text, a line each. What they share with fount rand: how many, and where they go.

package cli

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"fount"
)

// Bounds of a token in bytes. Fewer than 16 (128 bits) can be guessed; more than 1024 are too many for an HTTP header
// field or a cookie.
const (
	minToken     = 16
	maxToken     = 1024
	defaultToken = 32
)

func newToken() *cobra.Command {
	var flags valueFlags
	cmd := &cobra.Command{
		Use:   "token [N] [-n COUNT] [-o FILE]",
		Short: "one secret token: N bytes (32) as a line of base64url",
		Long: `fount token writes N random bytes (32) as a line of base64url without padding:
A-Z a-z 0-9 - and _, safe in URLs, headers and file names. N is 16 to 1024; 32
bytes (256 bits) make 43 characters.` + fileLong,
		Example: `  fount token              a session secret, 43 characters
  fount token 16           the shortest, 22 characters
  SECRET=$(fount token)    in a script`,
		RunE: func(cmd *cobra.Command, args []string) error {
			size, err := sizeArgument(cmd, args, defaultToken)
			if err != nil {
				return err
			}
			if size < minToken || size > maxToken {
				return usagef("%d bytes is not from %d to %d; %d bytes (128 bits) is the least that can't be guessed",
					size, minToken, maxToken, minToken)
			}
			return flags.run(cmd, &stream{encoding: base64URLLine, size: size})
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
		Short: "UUIDs, random (v4) or ordered by time (-7), one a line",
		Long: `fount uuid writes UUIDs (RFC 9562), one a line: version 4, with 122 random bits,
or with -7 version 7, which starts with the time in milliseconds and increases
from line to line.` + fileLong,
		Example: `  fount uuid               one, version 4
  fount uuid -7            one, version 7: keeps inserts in a database together
  fount uuid -n 1000       a thousand`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			src := uuids(fount.NewUUID)
			if v7 {
				src = fount.NewUUIDv7
			}
			return flags.run(cmd, &stream{src: src, encoding: uuidLine, size: 16})
		},
	}
	flags.addTo(cmd)
	cmd.Flags().BoolVarP(&v7, "v7", "7", false, "version 7, ordered by time")
	return cmd
}

// uuids reads as UUIDs of 16 bytes, a new one each time.
type uuids func() fount.UUID

func (next uuids) Read(b []byte) (int, error) {
	u := next()
	return copy(b, u[:]), nil
}

// uuidLine is the encoding of RFC 9562 for 16 bytes.
var uuidLine = encoding{
	append: func(dst, src []byte) []byte {
		dst, _ = fount.UUID(src).AppendText(dst) // which has no errors
		return dst
	},
	length: func(uint64) uint64 { return 36 },
}

// fileLong is what the help says of -o.
const fileLong = `FILE is new, and has mode 0600; what is there is not replaced. A device or named
pipe is written as it is.`

// valueFlags are the flags of all commands that make values.
type valueFlags struct {
	count  uint64
	output string
}

func (f *valueFlags) addTo(cmd *cobra.Command) {
	f.count = 1
	value(cmd.Flags(), &f.count, "count", "n", "`COUNT` values, a line each (1)", func(s string) (uint64, bool) {
		n, err := strconv.ParseUint(s, 10, 64)
		return n, err == nil
	}, fmt.Sprintf("a number of values from 0 to %d; use for example 1000", uint64(math.MaxUint64)))
	outputFile(cmd, &f.output, "write the new `FILE` with mode 0600; - is standard output")
}

// run writes s to its destination. It removes a new file that got nothing.
func (f *valueFlags) run(cmd *cobra.Command, s *stream) error {
	s.dst, s.count = cmd.OutOrStdout(), f.count
	var file *privateFile
	toFile := f.output != "" && f.output != "-"
	if toFile {
		var err error
		if file, err = createPrivate(f.output); err != nil {
			return err
		}
		defer file.drop()
		s.dst = file
	}
	if isTerminal(s.dst) && s.encoding.append == nil {
		return usagef("raw bytes would garble the terminal; use --hex, --base64, -o FILE or a pipe")
	}
	err := s.runInterruptibly()
	if file != nil && (err == nil || s.written.Load() > 0) {
		if closeErr := file.keep(); err == nil {
			err = closeErr
		}
	}
	return s.explain(err, toFile)
}
