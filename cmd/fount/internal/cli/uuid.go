// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount uuid: UUIDs, a line each.

package cli

import (
	"github.com/spf13/cobra"

	"fount"
)

// uuidOptions is what the command line asks for.
type uuidOptions struct {
	valueFlags
	v7 bool
}

func newUUID() *cobra.Command {
	var o uuidOptions
	cmd := &cobra.Command{
		Use:   "uuid [-7] [--hex|--base64] [-n COUNT] [-o FILE]",
		Short: "UUIDs, random (v4) or ordered by time (-7), one a line",
		Long: `fount uuid writes UUIDs (RFC 9562), one a line: version 4, with 122 random bits, or with -7 version 7,
which starts with the time in milliseconds and increases from line to line. --hex and --base64 write
the 16 bytes without hyphens.`,
		Example: `  fount uuid               one, version 4
  fount uuid -7            one, version 7: keeps inserts in a database together
  fount uuid -n 1000       a thousand`,
		Args: func(cmd *cobra.Command, args []string) error { return o.parse(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(cmd, &stream{src: o.source(), encoding: o.encoding(uuidLine), size: 16})
		},
	}
	o.addTo(cmd, true)
	cmd.Flags().BoolVarP(&o.v7, "v7", "7", false, "version 7, ordered by time")
	return cmd
}

func (o *uuidOptions) parse(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("unexpected argument %q: a UUID has 16 bytes; for more UUIDs use -n COUNT", args[0])
	}
	return o.check()
}

func (o *uuidOptions) source() uuids {
	if o.v7 {
		return fount.NewUUIDv7
	}
	return fount.NewUUID
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
