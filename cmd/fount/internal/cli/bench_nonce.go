// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench nonce: the post "Managing Syscall Overhead with crypto/rand" (2016), repeated.

package cli

import (
	"fmt"
	"time"

	"fount/lab/machine"
	"fount/lab/nonce"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

const benchNonceLong = `fount bench nonce: the seven methods of the post "Managing Syscall Overhead with crypto/rand" (2016) to make a
16-byte nonce, on this machine. The defaults are the post's values. Beside them stand crypto/rand and fount,
which draw as they do, whatever --via says. It takes 15 s for each value of --cpu, with --burst 30 s.

mean   elapsed time per nonce of all goroutines together, with the call
core   CPU time per nonce of all goroutines, also those that feed channels
p50    (p99, p99.9) time of one draw, without the call. The clock is looked at before and after it. That is
       not subtracted: row Empty, which draws nothing, shows it, and in its mean the call alone.
first  time of each goroutine's first draw after a pause`

// nonceFlags are the flags of fount bench nonce.
type nonceFlags struct {
	benchFlags
	nonce.Study
	via string
}

func newBenchNonce() *cobra.Command {
	f := nonceFlags{Study: nonce.Post()}
	f.via = f.Via.Name
	cmd := &cobra.Command{
		Use:   "nonce [--via WAY] [--call CALL] [--burst] [flags]",
		Short: "seven ways to make nonces, from buffers to channels (2016)",
		Long:  benchNonceLong,
		Example: `  fount bench nonce --via syscall --call gosched     nearest to the post
  fount bench nonce --burst --cpu 1,2 -o new.txt
  benchstat -table .name -row /method -col /gomaxprocs new.txt`,
		Args:    atMost(0),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	var ways []string
	for _, via := range nonce.Vias {
		ways = append(ways, via.Name)
	}
	p := &f.Parameters
	choice(cmd, &f.via, "via", "", "`WAY` to the kernel: vdso, syscall, urandom, go ("+f.via+")", "a way to the kernel", ways...)
	choice(cmd, &f.Call, "call", "", "`CALL` after each draw: none, gosched, loopback", "a call", nonce.Calls...)
	flags := cmd.Flags()
	number(flags, &p.Capacity, "capacity", "", "`N` nonces fit a channel (1000)", 0, 1<<24, "number of nonces; use for example 1000")
	flags.Func("buffer", "`N` bytes a read where the cost is spread (256)", setBuffer(&p.Buffer))
	number(flags, &p.Channels, "channels", "", "`N` channels of ChannelRoundRobin (32)", 1, 1<<12, "number of channels; use for example 32")
	number(flags, &p.Writers, "writers", "", "`N` feeders of the methods with many writers (32)", 1, 1<<12, "number of feeders; use for example 32")
	flags.BoolVar(&f.Burst, "burst", false, "measure bursts after pauses too")
	flags.Func("idle", "pause for that `TIME` before each burst (10ms)", setIdle(&f.Idle))
	number(flags, &f.Length, "burst-length", "", "`N` nonces make a burst (1000)", 1, 1<<24, "number of nonces; use for example 1000")
	f.addTo(cmd, 0)
	return cmd
}

func setBuffer(dst *int) func(string) error {
	return func(s string) error {
		n, err := parseSize(s)
		if err != nil || n == 0 || n%16 != 0 || n > 1<<20 {
			return fmt.Errorf("%q is not a multiple of 16 from 16 to 1M; use for example 256", s)
		}
		*dst = int(n)
		return nil
	}
}

func setIdle(dst *time.Duration) func(string) error {
	return func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 || d > time.Minute {
			return fmt.Errorf("%q is not a time above 0s and up to 1m; use for example 10ms", s)
		}
		*dst = d
		return nil
	}
}

func (f *nonceFlags) check(cmd *cobra.Command) error {
	for _, name := range []string{"idle", "burst-length"} {
		if cmd.Flags().Changed(name) && !f.Burst {
			return usagef("--%s is of bursts; use it with --burst", name)
		}
	}
	return f.benchFlags.check()
}

// run measures, concludes and prints.
func (f *nonceFlags) run(cmd *cobra.Command) error {
	for _, via := range nonce.Vias {
		if via.Name == f.via {
			f.Via = via
		}
	}
	b, err := newBenchRun(cmd, f.benchFlags, "Nonce", f.Methods())
	if err != nil {
		return err
	}
	file, err := b.create()
	if err != nil {
		return err
	}
	defer file.close()
	if err := b.print(f.title(b.machine, b.style)); err != nil {
		return err
	}
	p := b.plan()
	plans, hangUp, err := f.Plans(p)
	if err != nil {
		return err
	}
	defer hangUp()
	r := f.Report(b.report(), p, b.measure(plans...))
	if err := b.print(r.Text(b.style)); err != nil {
		return err
	}
	return b.finish(r, file)
}

// title is the command with all that it measures by, the machine, and what the bytes come from.
func (f *nonceFlags) title(m machine.Facts, s show.Style) string {
	words := fmt.Sprintf("fount bench nonce --via %s --call %s --capacity %d --buffer %d --channels %d --writers %d",
		f.Via.Name, f.Call, f.Capacity, f.Buffer, f.Channels, f.Writers)
	if f.Burst {
		words += fmt.Sprintf(" --burst --idle %v --burst-length %d", f.Idle, f.Length)
	}
	return f.benchFlags.title(words, m, s) + f.Head(m, s)
}
