// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount nonce: nonces, a line each.

package cli

import (
	"fmt"
	"slices"
	"strconv"

	"fount/lab/show"

	"github.com/spf13/cobra"
)

// nonceOptions is what the command line asks for.
type nonceOptions struct {
	valueFlags
	size uint64
}

// nonceSizes are those that ciphers take.
var nonceSizes = []cobra.Completion{"12", "16", "24"}

func newNonce() *cobra.Command {
	o := nonceOptions{size: 16}
	cmd := &cobra.Command{
		Use:   "nonce [12|16|24] [--hex|--base64] [-n COUNT] [-o FILE]",
		Short: "one nonce of 12, 16 or 24 bytes (16) as a line of hex",
		Long: `fount nonce writes one random nonce as a line of hex. Choose the size in bytes that the cipher takes:
12 for AES-GCM and ChaCha20-Poly1305, 24 for XChaCha20-Poly1305, 16 for most other uses. Chance alone
keeps random nonces apart: use at most 2^32 of 12 bytes with one key.`,
		Example: `  fount nonce              16 bytes, 32 characters
  fount nonce 24           for XChaCha20-Poly1305
  fount nonce 12 -n 3 --base64`,
		Args:              func(cmd *cobra.Command, args []string) error { return o.parse(cmd, args) },
		ValidArgsFunction: cobra.FixedCompletions(nonceSizes, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(cmd, &stream{encoding: o.encoding(hexLine), size: o.size})
		},
	}
	o.addTo(cmd, true)
	cmd.Flags().Func("size", "the size in `BYTES`, which is an argument now", o.setSize)
	must(cmd.Flags().MarkHidden("size"))
	return cmd
}

func (o *nonceOptions) setSize(s string) (err error) {
	if !slices.Contains(nonceSizes, s) {
		return fmt.Errorf("%q is not the size of a nonce; use %s", s, show.Choice(nonceSizes))
	}
	o.size, err = strconv.ParseUint(s, 10, 64)
	return err
}

func (o *nonceOptions) parse(cmd *cobra.Command, args []string) error {
	if err := atMost(1)(cmd, args); err != nil {
		return err
	}
	if len(args) == 1 {
		if cmd.Flags().Changed("size") {
			return usagef("--size and size %q exclude each other; use the argument", args[0])
		}
		if err := o.setSize(args[0]); err != nil {
			return usagef("%v", err)
		}
	}
	return o.check()
}
