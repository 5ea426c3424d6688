// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench source: the post "A Tale of Two rands" (2017), repeated.

package cli

import (
	"fount/lab/source"

	"github.com/spf13/cobra"
)

const benchSourceLong = `fount bench source: the five cases of the post "A Tale of Two rands" (2017), IntN(7919) on this machine:

Global      math/rand's top-level function
Native      an own math/rand instance, seeded by the clock
Crypto      math/rand over a source that reads crypto/rand
CryptoRead  8 bytes of crypto/rand, no integer
Seed        an own math/rand instance, seeded once by crypto/rand

Beside them stand math/rand/v2 and fount: its function, its Source under math/rand, and seeded,
which is for simulations. It takes 7 s for each value of --cpu. Time is CPU time, so that other programs do
not count (elapsed time on Windows, Plan 9 and js). The column "then" is the post's, of a laptop of its time:
compare the ratios, not the times.`

func newBenchSource() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "source [flags]",
		Short: "five ways to draw integers, from math/rand to crypto/rand (2017)",
		Long:  benchSourceLong,
		Example: `  fount bench source
  fount bench source --goroutines 2 --json | jq .tables[0].conclusion.sentences`,
		Args:    atMost(0),
		PreRunE: func(*cobra.Command, []string) error { return f.check() },
		RunE:    func(cmd *cobra.Command, _ []string) error { return runBenchSource(cmd, f) },
	}
	f.addTo(cmd, 1) // as in the post
	return cmd
}

func runBenchSource(cmd *cobra.Command, f benchFlags) error {
	b, err := newBenchRun(cmd, f, "Source", source.Methods())
	if err != nil {
		return err
	}
	file, err := b.create()
	if err != nil {
		return err
	}
	defer file.close()
	if err := b.print(f.title("fount bench source", b.machine, b.style)); err != nil {
		return err
	}
	p := b.plan()
	r := source.Report(b.report(), p, b.measure(p))
	if err := b.print(source.Text(r, b.style)); err != nil {
		return err
	}
	return b.finish(r, file)
}
