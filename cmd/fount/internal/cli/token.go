// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount token: secrets, a line each.

package cli

import (
	"fmt"
	"math"
	"strings"

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

// tokenOptions is what the command line asks for.
type tokenOptions struct {
	valueFlags
	size     uint64
	alphabet string // "": base64url
}

func newToken() *cobra.Command {
	var o tokenOptions
	cmd := &cobra.Command{
		Use:   "token [N] [--hex|--base64|--alphabet CHARS] [-n COUNT] [-o FILE]",
		Short: "one secret token: N bytes (32) as a line of base64url",
		Long: `fount token writes N random bytes (32) as a line of base64url without padding: A-Z a-z 0-9 - and _,
safe in URLs, headers and file names. N is 16 to 1024; 32 bytes (256 bits) make 43 characters.

With --alphabet each character is drawn from CHARS, and there are enough of them to hold N bytes:
39 digits or 28 lower-case letters hold 16.`,
		Example: `  fount token              a session secret, 43 characters
  fount token 16           the shortest, 22 characters
  fount token 16 --alphabet abcdefghijkmnpqrstuvwxyz23456789
  SECRET=$(fount token)    in a script`,
		Args: func(cmd *cobra.Command, args []string) error { return o.parse(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd, o.stream()) },
	}
	o.addTo(cmd, true)
	cmd.Flags().Func("alphabet", "draw each character from `CHARS`, such as 0123456789", o.setAlphabet)
	return cmd
}

// setAlphabet takes 2 to 95 different characters, which are the printable ones of ASCII.
func (o *tokenOptions) setAlphabet(s string) error {
	for i, c := range s {
		if c < ' ' || c > '~' {
			return fmt.Errorf("%q has the character %q; use printable ones of ASCII", s, c)
		}
		if strings.ContainsRune(s[:i], c) {
			return fmt.Errorf("%q has the character %q twice, so it would come twice as often; use it once", s, c)
		}
	}
	if len(s) < 2 {
		return fmt.Errorf("%q is not 2 to 95 different characters; use for example 0123456789", s)
	}
	o.alphabet = s
	return nil
}

// parse reads the argument and refuses flags that exclude each other.
func (o *tokenOptions) parse(cmd *cobra.Command, args []string) (err error) {
	if o.size, err = sizeArgument(cmd, args, defaultToken); err != nil {
		return err
	}
	switch {
	case o.size < minToken || o.size > maxToken:
		return usagef("%d bytes is not from %d to %d; %d bytes (128 bits) is the least that can't be guessed",
			o.size, minToken, maxToken, minToken)
	case o.alphabet != "" && (o.hex || o.base64):
		return usagef("--alphabet and --hex or --base64 exclude each other; use one of them")
	}
	return o.check()
}

func (o *tokenOptions) stream() *stream {
	if o.alphabet == "" {
		return &stream{encoding: o.encoding(base64URLLine), size: o.size}
	}
	bits := math.Log2(float64(len(o.alphabet))) // rational only of powers of 2, where it is exact
	return &stream{
		src:      below(len(o.alphabet)),
		encoding: letters(o.alphabet),
		size:     uint64(math.Ceil(8 * float64(o.size) / bits)),
	}
}

// below reads as bytes less than it, all equally likely. It is at most 256.
type below int

func (k below) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(fount.IntN(int(k)))
	}
	return len(b), nil
}

// letters is the encoding of bytes below len(alphabet), a character each.
func letters(alphabet string) encoding {
	return encoding{
		append: func(dst, src []byte) []byte {
			for _, i := range src {
				dst = append(dst, alphabet[i])
			}
			return dst
		},
		length: func(n uint64) uint64 { return n },
	}
}
