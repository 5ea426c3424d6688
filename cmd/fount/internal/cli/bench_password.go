// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench password: what one hash costs.

package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"fount/internal/policytext"
	"fount/lab/logins"
	"fount/lab/measure"

	"github.com/spf13/cobra"
)

const benchPasswordLong = `fount bench password: what one hash of a password costs on this machine.

serial         golang.org/x/crypto's bcrypt, one after the other: the post's first
64-goroutines  as many at once as possible: its second. Time is that of all by number
each-core      the same on GOMAXPROCS goroutines
3-lanes        three bcrypts side by side on one core, as the pool does
argon2id ...   OWASP's figures for each policy, one after the other

argon2id is measured by fount (-pool: in a Pool, which keeps its memory) and by golang.org/x/crypto (-xcrypto).

ms is elapsed time and core CPU time per hash; hashes/s is of all goroutines. The whole takes some minutes:
--bench 'serial|goroutines' measures the post's pair alone.`

// passwordBenchFlags are the flags of fount bench password.
type passwordBenchFlags struct {
	benchFlags
	cost     int
	argon2id string // its parameters

	ways *logins.Argon2ids
}

func newBenchPassword() *cobra.Command {
	f := passwordBenchFlags{cost: 10}
	cmd := &cobra.Command{
		Use:   "password [flags]",
		Short: "one bcrypt, many at once, several on one core, and other hashes",
		Long:  benchPasswordLong,
		Example: `  fount bench password --bench 'serial|goroutines|lane'
  fount bench password --cost 4 --count 1 --bench serial -o password.txt
  fount bench password --bench argon2id --argon2id 'm=65536,t=3,p=4'`,
		Args:    atMost(0),
		PreRunE: func(*cobra.Command, []string) error { return f.check() },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.addTo(cmd, 64)
	f.benchtime, f.count = benchtime{n: 2}, 6
	flags := cmd.Flags()
	flags.Lookup("benchtime").Usage = "hash for that `TIME` in each run, or Nx times (2x)"
	flags.Lookup("count").Usage = "`N` runs of each method (6)"
	flags.Lookup("goroutines").Usage = "`N` goroutines are as many as possible (64)"
	costFlag(cmd, &f.cost)
	flags.Func("argon2id", "`PARAMETERS` of argon2id, such as m=65536,t=3,p=4", f.setArgon2id)
	return cmd
}

// check refuses what would not be measured.
func (f *passwordBenchFlags) check() error {
	all := (&logins.Argon2ids{}).Hashings()
	if f.argon2id != "" && !slices.ContainsFunc(all, func(h logins.Hashing) bool { return f.bench.MatchString(h.Label) }) {
		return usagef("--bench %q leaves out argon2id, whose parameters --argon2id gives; use for example --bench argon2id", f.bench)
	}
	return f.benchFlags.check()
}

func (f *passwordBenchFlags) setArgon2id(s string) error {
	if _, err := policytext.Parse(logins.Argon2id + "," + s); err != nil {
		return fmt.Errorf("%q is not a list of parameters of argon2id; use for example 'm=65536,t=3,p=4' (m in KiB)", s)
	}
	f.argon2id = s
	return nil
}

func (f *passwordBenchFlags) run(cmd *cobra.Command) error {
	var err error
	if f.ways, err = logins.NewArgon2ids(f.argon2id); err != nil {
		return usagef("--argon2id: %v", strings.TrimPrefix(plain(err).Error(), "Options.Policy: password: "))
	}
	defer f.ways.Close()
	all := logins.Hashings(f.cost, f.many(), runtime.GOMAXPROCS(0), f.ways)
	methods := make([]measure.Method, len(all))
	for i, h := range all {
		methods[i] = h.Method()
	}
	b, err := newBenchRun(cmd, f.benchFlags, "Password", methods)
	if err != nil {
		return err
	}
	file, err := b.create()
	if err != nil {
		return err
	}
	defer file.close()
	if err := b.print(f.title(f.words(), b.machine, b.style)); err != nil {
		return err
	}
	r := logins.HashReport{Argon2id: policytext.Of(f.ways.Policy), Report: b.report()}
	for _, procs := range f.cpu {
		t := f.table(b, procs)
		r.Tables = append(r.Tables, t)
		if err := b.print(logins.HashText(t, b.style)); err != nil {
			return err
		}
	}
	return b.finish(r, file)
}

// words are the command with its own flags.
func (f *passwordBenchFlags) words() string {
	words := fmt.Sprintf("fount bench password --cost %d", f.cost)
	if f.argon2id != "" {
		words += " --argon2id " + f.argon2id
	}
	return words
}

// many is the number of goroutines that are as many as possible.
func (f *passwordBenchFlags) many() int { return cmp.Or(f.goroutines, f.usual) }

// table measures with one GOMAXPROCS.
func (f *passwordBenchFlags) table(b *bench, procs int) measure.Table {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	var methods []logins.Hashing
	for _, h := range logins.Hashings(f.cost, f.many(), procs, f.ways) {
		if f.bench.MatchString(h.Label) {
			methods = append(methods, h)
		}
	}
	p := measure.Plan{Rounds: f.count, Turn: f.benchtime.d, Values: f.benchtime.n, CPU: measure.ProcessCPU}
	if p.Values > 0 {
		p.Turn = time.Millisecond
	}
	line := b.progress()
	defer line.Clear()
	return logins.HashTable(logins.Measure(p, methods, func(done, all int) {
		line.Show(fmt.Sprintf("measuring %d ways to hash in turns: %d %%", len(methods), 100*done/all))
	}), procs, f.many())
}
