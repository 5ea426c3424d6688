// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Flags that fount rand, token, nonce and uuid share: how many values, in which form, and where they go.

package cli

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"
)

// valueFlags are the flags of all commands that make values.
type valueFlags struct {
	hex    bool
	base64 bool
	count  uint64
	output string
}

// addTo defines the flags; the forms are for values that are bytes.
func (f *valueFlags) addTo(cmd *cobra.Command, forms bool) {
	if forms {
		cmd.Flags().BoolVar(&f.hex, "hex", false, "lower-case hex, a value a line")
		cmd.Flags().BoolVar(&f.base64, "base64", false, "standard base64 with padding, a value a line")
	}
	f.count = 1
	value(cmd.Flags(), &f.count, "count", "n", "`COUNT` values, a line each (1)", func(s string) (uint64, bool) {
		n, err := strconv.ParseUint(s, 10, 64)
		return n, err == nil
	}, fmt.Sprintf("a number of values from 0 to %d; use for example 1000", uint64(math.MaxUint64)))
	outputFile(cmd, &f.output, "write `FILE` with mode 0600; - is standard output")
}

// check refuses flags that exclude each other.
func (f *valueFlags) check() error {
	if f.hex && f.base64 {
		return usagef("--hex and --base64 exclude each other; use one of them")
	}
	return nil
}

// encoding is the form asked for, or the usual one.
func (f *valueFlags) encoding(usual encoding) encoding {
	switch {
	case f.hex:
		return hexLine
	case f.base64:
		return base64Line
	}
	return usual
}

func (f *valueFlags) toFile() bool { return f.output != "" && f.output != "-" }

// run writes s to its destination. It removes a new file that got nothing.
func (f *valueFlags) run(cmd *cobra.Command, s *stream) error {
	s.dst, s.count = cmd.OutOrStdout(), f.count
	var file *privateFile
	if f.toFile() {
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
	var p *progress
	if f.showsProgress(s, isTerminal(cmd.ErrOrStderr()), isTerminal(s.dst)) {
		p = newProgress(cmd.ErrOrStderr(), s.total())
	}
	err := s.runWith(p)
	if file != nil && (err == nil || s.written.Load() > 0) {
		if closeErr := file.keep(); err == nil {
			err = closeErr
		}
	}
	return s.explain(err, f.toFile())
}

// showsProgress reports whether to show progress, given which ends are terminals. An endless stream into a pipe shows
// none: its reader knows how far it is.
func (f *valueFlags) showsProgress(s *stream, stderr, dst bool) bool {
	long := !s.forever && s.total() >= progressFrom || s.forever && f.toFile()
	return long && stderr && !dst
}
