// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount passphrase: secrets that people can remember.

package cli

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"fount/cmd/fount/internal/words"

	"github.com/spf13/cobra"
)

// Bounds of a passphrase in words of 11 bits. 6 words hold 66 bits: at 10^12 guesses a second, which takes a fast hash
// and some hundred GPUs, half of them take a year. 24 words hold 264 bits, more than any key.
const (
	minWords     = 6
	maxWords     = 24
	defaultWords = 8
)

// passphraseOptions is what the command line asks for.
type passphraseOptions struct {
	valueFlags
	words     int
	separator string
}

func newPassphrase() *cobra.Command {
	o := passphraseOptions{words: defaultWords, separator: " "}
	cmd := &cobra.Command{
		Use:   "passphrase [N] [--separator TEXT] [-n COUNT] [-o FILE]",
		Short: "one secret of N words (8), and how many bits it holds",
		Long: `fount passphrase writes one line of N words (8) to remember and type, and says on standard error how
many bits they hold. Each word is drawn from 2,048 English ones that differ in their first four letters
(the list of BIP-39), and holds 11 bits. N is 6 to 24; 8 words hold 88 bits.

It is not a wallet's seed phrase, whose last word holds a checksum.`,
		Example: `  fount passphrase
  fount passphrase 12 --separator -
  fount passphrase -o secret`,
		Args: func(cmd *cobra.Command, args []string) error { return o.parse(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return o.make(cmd) },
	}
	o.addTo(cmd, false)
	cmd.Flags().Func("separator", "`TEXT` between the words (a space)", o.setSeparator)
	return cmd
}

func (o *passphraseOptions) parse(cmd *cobra.Command, args []string) error {
	if err := atMost(1)(cmd, args); err != nil {
		return err
	}
	if len(args) == 1 {
		n, err := strconv.Atoi(args[0])
		if err != nil || n < minWords || n > maxWords {
			return usagef("%q is not a number of words from %d to %d; %[2]d words hold %[4]d bits, the least that can't be guessed",
				args[0], minWords, maxWords, minWords*words.Bits)
		}
		o.words = n
	}
	return o.check()
}

// setSeparator takes characters that are not part of a word: "act" and "ion" must not read as "action".
func (o *passphraseOptions) setSeparator(s string) error {
	for _, c := range s {
		if c < ' ' || c > '~' || 'a' <= c && c <= 'z' {
			return fmt.Errorf("%q has the character %q; use printable ones of ASCII other than a to z", s, c)
		}
	}
	if len(s) < 1 || len(s) > maxSeparator {
		return fmt.Errorf("%q is not 1 to %d characters long; use for example -", s, maxSeparator)
	}
	o.separator = s
	return nil
}

// make writes passphrases, and how many bits each holds.
func (o *passphraseOptions) make(cmd *cobra.Command) error {
	s := &stream{encoding: encoding{append: o.appendWords}, size: uint64(o.words) * wordBytes}
	if err := o.run(cmd, s); err != nil || o.count == 0 {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d bits: %d of %d words\n", o.words*words.Bits, o.words, len(words.English))
	return nil
}

const (
	wordBytes    = 2 // drawn for a word
	maxSeparator = mostText*wordBytes - 8
)

// appendWords appends a word for every two bytes, by 11 of their bits, so that all words are equally likely.
func (o *passphraseOptions) appendWords(dst, src []byte) []byte {
	for ; len(src) > 0; src = src[wordBytes:] {
		dst = append(dst, words.English[binary.BigEndian.Uint16(src)%uint16(len(words.English))]...)
		if len(src) > wordBytes {
			dst = append(dst, o.separator...)
		}
	}
	return dst
}
