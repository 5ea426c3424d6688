// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount token: one secret as a line of base64url.

package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"fount"
)

// Bounds of a token in bytes: below 16 (128 bits) it can be guessed, above 1024 it fits no HTTP header
// field or cookie worth having.
const (
	minToken     = 16
	maxToken     = 1024
	defaultToken = 32
)

func newToken() *cobra.Command {
	return &cobra.Command{
		Use:   "token [N]",
		Short: "one secret token: N bytes (32) as a line of base64url",
		Long: `fount token writes one line: N random bytes as base64url without padding, made of
A-Z a-z 0-9 - and _, safe in URLs, headers and file names. N is 16 to 1024; without it, 32 bytes
(256 bits) give 43 characters.`,
		Example: `  fount token              a session secret, 43 characters
  fount token 16           the shortest, 22 characters
  SECRET=$(fount token)    in a script`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n := uint64(defaultToken)
			if len(args) == 1 {
				var err error
				if n, err = parseSize(args[0]); err != nil {
					return usagef("size %v", err)
				}
			}
			if n < minToken || n > maxToken {
				return usagef("%d bytes is not from %d to %d; %d bytes (128 bits) is the least that can't be guessed",
					n, minToken, maxToken, minToken)
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), fount.Token(int(n)))
			return err
		},
	}
}
