// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench nonce: the post "Managing Syscall Overhead with crypto/rand" (2016), repeated.

package cli

import (
	"fmt"
	"runtime"
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
	via, call   string
	parameters  nonce.Parameters
	burst       bool
	idle        time.Duration
	burstLength int
}

// The calls.
const (
	callNone     = "none"
	callGosched  = "gosched"
	callLoopback = "loopback"
)

func newBenchNonce() *cobra.Command {
	f := nonceFlags{parameters: nonce.Post(), call: callNone, idle: 10 * time.Millisecond, burstLength: 1000}
	f.via = f.parameters.Via.Name
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
	p := &f.parameters
	choice(cmd, &f.via, "via", "", "`WAY` to the kernel: vdso, syscall, urandom, go ("+f.via+")", "a way to the kernel", ways...)
	choice(cmd, &f.call, "call", "", "`CALL` after each draw: none, gosched, loopback", "a call", callNone, callGosched, callLoopback)
	flags := cmd.Flags()
	number(flags, &p.Capacity, "capacity", "", "`N` nonces fit a channel (1000)", 0, 1<<24, "number of nonces; use for example 1000")
	flags.Func("buffer", "`N` bytes a read where the cost is spread (256)", setBuffer(&p.Buffer))
	number(flags, &p.Channels, "channels", "", "`N` channels of ChannelRoundRobin (32)", 1, 1<<12, "number of channels; use for example 32")
	number(flags, &p.Writers, "writers", "", "`N` feeders of the methods with many writers (32)", 1, 1<<12, "number of feeders; use for example 32")
	flags.BoolVar(&f.burst, "burst", false, "measure bursts after pauses too")
	flags.Func("idle", "pause for that `TIME` before each burst (10ms)", setIdle(&f.idle))
	number(flags, &f.burstLength, "burst-length", "", "`N` nonces make a burst (1000)", 1, 1<<24, "number of nonces; use for example 1000")
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
		if cmd.Flags().Changed(name) && !f.burst {
			return usagef("--%s is of bursts; use it with --burst", name)
		}
	}
	return f.benchFlags.check(cmd)
}

// run measures, concludes and prints.
func (f *nonceFlags) run(cmd *cobra.Command) error {
	for _, via := range nonce.Vias {
		if via.Name == f.via {
			f.parameters.Via = via
		}
	}
	b, err := newBenchRun(cmd, f.benchFlags, "Nonce", f.methods())
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
	plans, hangUp, err := f.plans(b.plan())
	if err != nil {
		return err
	}
	defer hangUp()
	r := f.report(b, b.measure(plans...))
	for _, t := range r.Tables {
		if err := b.print(f.section(t, b.style)); err != nil {
			return err
		}
	}
	return b.finish(r, file)
}

// methods are the seven and those beside them.
func (f *nonceFlags) methods() []nonce.Method {
	beside := []nonce.Method{nonce.CryptoRand{}, nonce.Fount{}, nonce.Generator{}, nonce.Strict{}, nonce.Empty{}}
	return append(nonce.Seven(f.parameters), beside...)
}

// plans are those for means and percentiles in steady use, then those for bursts. hangUp ends the service that is called.
func (f *nonceFlags) plans(p nonce.Plan) (plans []nonce.Plan, hangUp func(), err error) {
	p.Elapsed = true // most of the seven wait
	hangUp = func() {}
	switch f.call {
	case callGosched:
		p.Call = nonce.Gosched
	case callLoopback:
		service, err := nonce.NewLoopback()
		if err != nil {
			return nil, nil, err
		}
		p.Call, hangUp = service.Call, service.Close
	}
	timed := p
	timed.Timed = true
	plans = []nonce.Plan{p, timed}
	if f.burst {
		for _, p := range []nonce.Plan{p, timed} {
			p.Burst, p.Idle = f.burstLength, f.idle
			plans = append(plans, p)
		}
	}
	return plans, hangUp, nil
}

// report gathers what the plans gave.
func (f *nonceFlags) report(b *bench, results [][]nonce.Result) benchReport {
	p := f.parameters
	r := b.report()
	r.Via, r.Call = f.via, f.call
	r.Parameters = &benchParameters{Capacity: p.Capacity, Buffer: p.Buffer, Channels: p.Channels, Writers: p.Writers}
	if f.burst {
		r.Idle, r.BurstLength = f.idle.String(), f.burstLength
	}
	for i, procs := range b.cpu {
		t := nonce.Trial{
			Steady: nonce.Rows(results[0], results[1], i),
			Cores:  min(procs, b.workers(procs), runtime.NumCPU()),
			Call:   f.call,
			Length: f.burstLength,
			Idle:   f.idle,
		}
		if f.burst {
			t.Bursts = nonce.Rows(results[2], results[3], i)
		}
		table := benchTable{GOMAXPROCS: procs, Goroutines: b.workers(procs), Conclusion: t.Conclude()}
		table.Methods = benchRows(t.Steady, nonce.Baseline{}.Name(), table.Conclusion.Costs)
		if f.burst {
			table.Bursts = benchRows(t.Bursts, nonce.Baseline{}.Name(), table.Conclusion.Bursts)
		}
		r.Tables = append(r.Tables, table)
	}
	return r
}

// title is the command with all that it measures by, the machine, and what the bytes come from.
func (f *nonceFlags) title(m machine.Facts, s show.Style) string {
	p := f.parameters
	words := fmt.Sprintf("fount bench nonce --via %s --call %s --capacity %d --buffer %d --channels %d --writers %d",
		f.via, f.call, p.Capacity, p.Buffer, p.Channels, p.Writers)
	if f.burst {
		words += fmt.Sprintf(" --burst --idle %v --burst-length %d", f.idle, f.burstLength)
	}
	via := "The seven read by " + p.Via.About
	if p.Via == nonce.ViaVDSO && m.Random.VDSO == machine.No {
		via += ", which this one has not"
	}
	return f.benchFlags.title(words, m, s) + show.Paragraph(via+".", s.Width, "", "")
}

// section is what there is to say of one GOMAXPROCS.
func (f *nonceFlags) section(t benchTable, s show.Style) string {
	text := "\n" + t.heading(s) + rowsText("ns per nonce", t.Methods, nonceColumns, s)
	if t.Bursts != nil {
		title := fmt.Sprintf("Bursts of %d nonces, each after a pause of %v", f.burstLength, f.idle)
		text += "\n" + show.Paragraph(title, s.Width, "", indent) + rowsText("ns per nonce", t.Bursts, burstColumns, s)
	}
	return text + "\n" + conclusionText(t.Conclusion, s)
}
