// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount entropy sample: raw samples of a source, for programs that assess them.

package cli

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"

	"fount/entropy"

	"github.com/spf13/cobra"
)

const entropySampleLong = `fount entropy sample jitter N writes N raw samples of the jitter source to standard output, for
assessment by other programs: one byte a sample, as NIST's ea_non_iid takes them. K, M and G stand for 1024,
1024^2 and 1024^3. A sample is the low 8 bits of the time that 16 accesses to memory took. The first 1,024 samples
after the source starts are not written, and samples that are written are used for nothing else.

It refuses to write bytes to a terminal; --text writes one decimal number a line. If the samples fail a health
test, all N are written, and the exit status is 1.`

func newEntropySample() *cobra.Command {
	var n uint64
	var asText bool
	cmd := &cobra.Command{
		Use:   "sample jitter N[K|M|G] [--text]",
		Short: "N raw samples, a byte each, for outside assessment",
		Long:  entropySampleLong,
		Example: `  fount entropy sample jitter 1000000 > raw.bin
  fount entropy sample jitter 20 --text`,
		Args: func(_ *cobra.Command, args []string) (err error) {
			n, err = sampleArgs(args)
			return err
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			if isTerminal(out) && !asText {
				return usagef("raw samples would garble the terminal; use --text, a pipe or a file")
			}
			if err := writeSamples(out, n, asText, entropy.RawJitter); err != nil {
				return err
			}
			return sampledHealth("jitter", entropy.List())
		},
		ValidArgs: []string{"jitter"},
	}
	cmd.Flags().BoolVar(&asText, "text", false, "write one decimal number a line, in place of bytes")
	return cmd
}

// sampleArgs reads the source and the number.
func sampleArgs(args []string) (n uint64, err error) {
	const usage = "usage: fount entropy sample jitter N[K|M|G] [--text]"
	switch {
	case len(args) == 0:
		return 0, usagef("the name of a source is missing; %s", usage)
	case args[0] != "jitter":
		return 0, usagef("%q has no raw samples; %s", args[0], suggest(args[0], []string{"jitter"}, "use jitter"))
	case len(args) == 1:
		return 0, usagef("the number of samples is missing; %s", usage)
	case len(args) > 2:
		return 0, usagef("unexpected argument %q; %s", args[2], usage)
	}
	n, err = parseSize(args[1])
	switch {
	case err != nil && strings.Contains(err.Error(), "too large"):
		return 0, usagef("number of samples %v", err)
	case err != nil || n == 0:
		return 0, usagef("%q is not a number of samples; use for example 1000000, 64K, 1M", args[1])
	}
	return n, nil
}

// writeSamples writes n samples of raw as bytes or as text.
func writeSamples(dst io.Writer, n uint64, asText bool, raw func([]byte)) error {
	out := bufio.NewWriterSize(dst, 64<<10)
	buf := make([]byte, 16<<10) // 5 ms of samples, to notice soon that the reader went away
	var line []byte
	for n > 0 {
		b := buf[:min(n, uint64(len(buf)))]
		n -= uint64(len(b))
		raw(b)
		if asText {
			line = line[:0]
			for _, s := range b {
				line = append(strconv.AppendUint(line, uint64(s), 10), '\n')
			}
			b = line
		}
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	return out.Flush()
}

// sampledHealth is an error if the source that was sampled is not healthy.
func sampledHealth(name string, list []entropy.SourceStatus) error {
	for _, st := range list {
		if st.Name == name && !st.Healthy {
			return errors.New("all samples were written, but the source is not healthy: " + st.Why)
		}
	}
	return nil
}
