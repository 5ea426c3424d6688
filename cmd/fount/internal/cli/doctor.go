// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount doctor: the machine, what random values cost on it, and what to do about it.

package cli

import (
	"fmt"
	"io"
	"strings"

	"fount/lab/doctor"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

const doctorLong = `fount doctor: measure what random values cost on this machine, and say what to do about it.

It takes about 12 s, or 20 if rounds differ much, changes nothing, and needs no privileges. On Plan 9 it reads
at most 8 bytes of /dev/random to time it, and 64 as any program that draws with crypto/rand and fount.
Exit status 1 if there is a problem: random values that are not random, or none at all.

Costs are medians of rounds in which all methods take turns, in an order drawn anew each time.
A saving counts if it is above zero beyond chance, all comparisons taken together: where nothing
differs, at most one run in 20 says that anything does. Time is CPU time, so that other programs do not
count (elapsed time on Windows, Plan 9 and js). --json prints one object:
  machine     what was found: os, kernel, cpu, features, cores, virtual, kernel_random, ...
  findings    level (ok, note, problem), name, value, means; problems counts the last level
  status      what is in force in fount: mode, window_bytes, cipher, sources, pools, ...
  randomness  rounds, turn_ms, clock (cpu or elapsed), cores, and methods: name, weakness,
              error (if not measured), one_core_ns, all_cores_ns (of all cores together),
              one_core_ratio, all_cores_ratio (to crypto/rand), each figure's _min_ns, _max_ns,
              and one_core_values, all_cores_values (of the rounds)
  verdict     use, cores, saving_ns, saving_low_ns, saving_high_ns,
              break_even_nonces_per_s_per_core, sentences
  passwords   algorithm, cost, hash_ms, logins_per_s, rare_logins_per_s, callers, seconds, error (if not
              measured), sentences, and goroutines and pool: compares, compares_within_1s, per_s,
              latency_p50_ms, heartbeat_p99_ms, endpoint_p99_ms, cores_used`

// newDoctor is the command "fount doctor".
func newDoctor() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor [--json]",
		Short: "what random values and password hashes cost here, and what to do",
		Long:  doctorLong,
		Args:  atMost(0),
		Example: `  fount doctor
  fount doctor --json | jq .verdict.use`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return examine(cmd.OutOrStdout(), doctor.New(), asJSON, progressOn(cmd, asJSON))
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// examine runs x and prints. It prints the first line before it examines anything.
func examine(out io.Writer, x doctor.Examination, asJSON bool, line *show.Progress) error {
	style := styleOf(out)
	print := func(section string) error {
		if asJSON {
			return nil
		}
		_, err := io.WriteString(out, section)
		return err
	}
	if err := print(show.Paragraph("fount doctor: what random values cost on this machine", style.Width, "", "  ")); err != nil {
		return err
	}
	r, err := x.Run(style, print, line)
	if err == nil && asJSON {
		err = printJSON(out, r)
	}
	if err == nil && r.Problems > 0 {
		err = fmt.Errorf("problem found: %s", strings.Join(r.ProblemNames(), ", "))
	}
	return err
}
