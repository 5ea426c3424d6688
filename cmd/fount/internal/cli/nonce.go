// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount nonce: one nonce as a line of hex.

package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"fount"
)

func newNonce() *cobra.Command {
	size := "16"
	cmd := &cobra.Command{
		Use:   "nonce [--size 12|16|24]",
		Short: "one nonce of 12, 16 or 24 bytes as a line of hex",
		Long: `fount nonce writes one random nonce as a line of hex. Its size in bytes is what the cipher takes:
12 for AES-GCM and ChaCha20-Poly1305, 24 for XChaCha20-Poly1305, 16 for most other uses. Chance alone
keeps random nonces apart: under one key, take at most 2^32 of 12 bytes.`,
		Example: `  fount nonce              16 bytes, 32 characters
  fount nonce --size 24    for XChaCha20-Poly1305`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%x\n", newNonceOf(size))
			return err
		},
	}
	cmd.Flags().Func("size", "`BYTES`: 12, 16 or 24 (default 16)", func(s string) error {
		if size = s; newNonceOf(s) == nil {
			return fmt.Errorf("%q is not the size of a nonce; use 12, 16 or 24", s)
		}
		return nil
	})
	sizes := cobra.FixedCompletions([]cobra.Completion{"12", "16", "24"}, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("size", sizes); err != nil {
		panic(err) // the flag is two lines above
	}
	return cmd
}

// newNonceOf returns a nonce of the given size, nil if there is none.
func newNonceOf(size string) []byte {
	switch size {
	case "12":
		n := fount.Nonce12()
		return n[:]
	case "16":
		n := fount.Nonce()
		return n[:]
	case "24":
		n := fount.Nonce24()
		return n[:]
	}
	return nil
}
