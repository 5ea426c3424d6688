// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench nonce: the post "Managing Syscall Overhead with crypto/rand" (2016), repeated.

package cli

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/nonce"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

const benchNonceLong = `fount bench nonce: the seven methods of the post "Managing Syscall Overhead with crypto/rand" (2016) to make a
16-byte nonce. One table shows them under the post's conditions (--via syscall --call gosched), another under
today's (--via vdso --call none); with either flag there is one, the rest as in the post. It takes 30 s, with
--burst 60 s. crypto/rand and fount draw as they do, whatever --via says.

--buffers and --feeders ask how large a buffer, and whether feeder or channel is slow. --server draws in an HTTP
server, a process of its own, for 8 connections in a closed loop, by --via syscall if nothing else. It takes 35 s.`

// nonceFlags are the flags of fount bench nonce.
type nonceFlags struct {
	benchFlags
	nonce.Study
	via, call string // "": not given
	buffers   series
	feeders   series
	server    bool
}

func newBenchNonce() *cobra.Command {
	f := nonceFlags{Study: nonce.Post()}
	cmd := &cobra.Command{
		Use:   "nonce [--via WAY] [--call CALL] [flags]",
		Short: "seven ways to make nonces, from buffers to channels (2016)",
		Long:  benchNonceLong,
		Example: `  fount bench nonce --buffers 16,64,256,1K,4K,16K
  fount bench nonce -o new.txt && benchstat -row /method -col /call new.txt`,
		Args:    atMost(0),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	var ways []string
	for _, via := range nonce.Vias {
		ways = append(ways, via.Name)
	}
	p := &f.Parameters
	choice(cmd, &f.via, "via", "", "`WAY` to the kernel: vdso, syscall, urandom, go (both)", "a way to the kernel", ways...)
	choice(cmd, &f.call, "call", "", "`CALL` after each draw: none, gosched, loopback (both)", "a call", nonce.Calls...)
	flags := cmd.Flags()
	number(flags, &p.Capacity, "capacity", "", "`N` nonces fit a channel (1000)", 0, 1<<24, "number of nonces; use for example 1000")
	flags.Func("buffer", "`N` bytes a read where the cost is spread (256)", setBuffer(&p.Buffer))
	number(flags, &p.Channels, "channels", "", "`N` channels of ChannelRoundRobin (32)", 1, 1<<12, "number of channels; use for example 32")
	number(flags, &p.Writers, "writers", "", "`N` feeders of the methods with many writers (32)", 1, mostFeeders, "number of feeders; use for example 32")
	flags.Func("buffers", "a `LIST` of buffers to compare, such as 16,256,4K", f.setBuffers)
	flags.Func("feeders", "a `LIST` of feeders to compare, such as 1,2,32", f.setFeeders)
	flags.BoolVar(&f.server, "server", false, "measure requests to a server that draws nonces")
	flags.BoolVar(&f.Burst, "burst", false, "measure bursts after pauses too")
	flags.Func("idle", "pause for that `TIME` before each burst (10ms)", setIdle(&f.Idle))
	number(flags, &f.Length, "burst-length", "", "`N` nonces make a burst (1000)", 1, 1<<24, "number of nonces; use for example 1000")
	f.addTo(cmd, 0)
	cmd.AddCommand(newNonceServer())
	return cmd
}

// A series is the numbers of a flag, and as they were typed.
type series struct {
	typed   string
	numbers []int
}

// mostFeeders bounds the goroutines that feed a channel.
const mostFeeders = 1 << 12

func (f *nonceFlags) setBuffers(s string) error {
	f.buffers = series{typed: s}
	for part := range strings.SplitSeq(s, ",") {
		var size int
		if err := setBuffer(&size)(part); err != nil {
			return fmt.Errorf("%q is not a list of multiples of 16 from 16 to 1M; use for example 16,256,4K", s)
		}
		if slices.Contains(f.buffers.numbers, size) {
			return fmt.Errorf("%q has %s twice; use for example 16,256,4K", s, part)
		}
		f.buffers.numbers = append(f.buffers.numbers, size)
	}
	return nil
}

func (f *nonceFlags) setFeeders(s string) error {
	f.feeders = series{typed: s}
	for part := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || n > mostFeeders {
			return fmt.Errorf("%q is not a list of numbers of feeders from 1 to %d; use for example 1,2,32", s, mostFeeders)
		}
		if slices.Contains(f.feeders.numbers, n) {
			return fmt.Errorf("%q has %s twice; use for example 1,2,32", s, part)
		}
		f.feeders.numbers = append(f.feeders.numbers, n)
	}
	return nil
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
	set := cmd.Flags().Changed
	for _, name := range []string{"idle", "burst-length"} {
		if set(name) && !f.Burst {
			return usagef("--%s is of bursts; use it with --burst", name)
		}
	}
	first := ""
	for _, name := range []string{"burst", "buffers", "feeders", "server"} {
		switch {
		case !set(name):
		case first != "":
			return usagef("--%s and --%s exclude each other; use one of them", first, name)
		default:
			first = name
		}
	}
	if f.server {
		if set("call") {
			return usagef("--call is of draws without a server; leave it out with --server")
		}
		f.usual = serverConns
		if !set("benchtime") {
			f.benchtime = benchtime{d: serverTime}
		}
	}
	return f.benchFlags.check()
}

// The connections to a server, and how long a run asks it.
const (
	serverConns = 8
	serverTime  = 250 * time.Millisecond
)

// newNonceServer is the command that fount bench nonce --server runs for its server.
func newNonceServer() *cobra.Command {
	return &cobra.Command{
		Use:    "server",
		Short:  "the server of fount bench nonce, which starts it and tells it what to do",
		Hidden: true,
		Args:   atMost(0),
		RunE:   func(cmd *cobra.Command, _ []string) error { return nonce.Serve(cmd.InOrStdin(), cmd.OutOrStdout()) },
	}
}

// studies are the same study under each of the conditions that are asked for.
func (f *nonceFlags) studies() []nonce.Study {
	one := f.Study
	switch {
	case f.buffers.numbers != nil:
		one.Question = nonce.Buffers(f.buffers.numbers)
	case f.feeders.numbers != nil:
		one.Question = nonce.Feeders(f.feeders.numbers)
	case f.server:
		program, err := os.Executable()
		if err != nil {
			program = os.Args[0]
		}
		one = one.InServer(nonce.Server([]string{program, "bench", "nonce", "server"}))
	}
	if f.via == "" && f.call == "" && !f.server {
		other := one
		other.Via, other.Call = nonce.Today().Via, nonce.Today().Call
		return []nonce.Study{one, other}
	}
	for _, via := range nonce.Vias {
		if via.Name == f.via {
			one.Via = via
		}
	}
	one.Call = cmp.Or(f.call, one.Call)
	return []nonce.Study{one}
}

// run measures, concludes and prints.
func (f *nonceFlags) run(cmd *cobra.Command) error {
	studies := f.studies()
	b, err := newBenchRun(cmd, f.benchFlags, studies[0].Name(), studies[0].Methods())
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
	var jobs []job
	for _, s := range studies {
		plans, hangUp, err := s.Plans(p)
		if err != nil {
			return err
		}
		defer hangUp()
		jobs = append(jobs, job{f.matching(s.Methods()), plans})
	}
	var tables []measure.Table
	for i, results := range b.measureAll(jobs) {
		tables = append(tables, studies[i].Tables(p, results)...)
	}
	r := nonce.NewReport(b.report(), studies, tables)
	if err := b.print(r.Text(b.style)); err != nil {
		return err
	}
	return b.finish(r, file)
}

// title is the command with all that it measures by, and the machine.
func (f *nonceFlags) title(m machine.Facts, s show.Style) string {
	words := "fount bench nonce"
	if studies := f.studies(); f.server {
		words += " --server --via " + studies[0].Via.Name
	} else if len(studies) == 1 {
		words += fmt.Sprintf(" --via %s --call %s", studies[0].Via.Name, studies[0].Call)
	}
	words += fmt.Sprintf(" --capacity %d", f.Capacity)
	switch {
	case f.buffers.numbers != nil:
		words += " --buffers " + f.buffers.typed
	case f.feeders.numbers != nil:
		words += fmt.Sprintf(" --buffer %d --feeders %s", f.Buffer, f.feeders.typed)
	default:
		words += fmt.Sprintf(" --buffer %d --channels %d --writers %d", f.Buffer, f.Channels, f.Writers)
	}
	if f.Burst {
		words += fmt.Sprintf(" --burst --idle %v --burst-length %d", f.Idle, f.Length)
	}
	return f.benchFlags.title(words, m, s)
}
