// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench files: golang/go#10028 (2015), processes that wait for a slow /dev/random, repeated.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fount/cmd/fount/internal/randfs"
	"fount/cmd/fount/internal/randfs/fusefs"
	"fount/cmd/fount/internal/randfs/ninep"
	"fount/lab/files"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

const benchFilesLong = `fount bench files: processes start together, and each needs 128 random bytes before it can go
on. That is golang/go#10028 (2015): /dev/random of Plan 9 gives 18 B/s, and each Go process read it at its
start. (Go's runtime no longer does: today a Go program waits there only if it draws.)

emulated  such a device, as test equipment: a clock of 13 ms makes 2 bits a tick, 19.2 B/s, into a ring of
          1024 B (which holds 1023). A read has the device until it has all its bytes; the others queue
9p        fount's 9P server, seeded with 32 B from such a device before it serves
fuse      fount's files, mounted by FUSE; skipped, with the reason, where they can't be mounted
urandom   /dev/urandom
fount     fount.Read in the process

Both 9P servers are this program's, on a Unix socket, with a connection for each process. The processes get
ready, wait at a gate, and are timed from its opening. A process without its bytes after --deadline is late and
counts with that time: a median among the late ones is a lower bound (>=), and so is its ratio. The device has
one run, because 16 processes would wait 107 s at an empty ring; the others have --count, and one more in which
each process reads 1 MiB for the rate. The device keeps up with its clock however busy this machine is.
--json prints one object: machine, and the fields of files.Result.

On Plan 9 whole programs are started, --procs of each at a time: at the kernel's own device, drained before each run
(device), behind fount's files mounted before /dev (union), and behind fount's file bound on /dev/random (bind), each
in a name space of its own, by turns. The figure is the time until all have ended, and beside it is what one read, by
iostats(4) at the device and by fount's stats. --program COMMAND, in rc's words, may be repeated; without it, it is
dd of 128 bytes, of which 16 take 107 s at the device. --json prints the fields of files.StartResult.`

// filesFlags are the flags of fount bench files.
type filesFlags struct {
	benchFlags
	files.Options
	programs []string // on Plan 9
}

func newBenchFiles() *cobra.Command {
	f := filesFlags{Options: files.Options{Procs: files.DefaultProcs, Count: files.DefaultCount,
		Limit: files.DefaultLimit, Ring: files.Empty}}
	cmd := &cobra.Command{
		Use:   "files [--procs N] [--ring empty|full] [flags]",
		Short: "processes that start at a slow /dev/random, and behind fount's files (2015)",
		Long:  benchFilesLong,
		Example: `  fount bench files --procs 4      within 30 s
  fount bench files -o new.txt && benchstat -row /source new.txt
  fount bench files --bench 'urandom|fount' --count 1 --json`,
		Args:    atMost(0),
		PreRunE: func(*cobra.Command, []string) error { return f.check() },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.addTo(cmd)
	cmd.AddCommand(newFilesReader(), newFilesStarter())
	return cmd
}

func (f *filesFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	number(flags, &f.Procs, "procs", "", "`N` processes start together (16)", 1, 1000,
		"number of processes; use for example 16")
	choice(cmd, &f.Ring, "ring", "", "`STATE` of the device's ring: empty or full (empty)",
		"a state of the ring", files.Empty, files.Full)
	timeFlag(flags, &f.Limit, "deadline", "", "`TIME` after which a process without its bytes is late (22s)", time.Hour)
	number(flags, &f.Options.Count, "count", "", "`N` runs of each source but the device (5)", 1, 1000,
		"number of runs; use for example 5")
	flags.StringArrayVar(&f.programs, "program", nil, "on Plan 9, start `COMMAND`; may be repeated (dd)")
	expressionFlag(flags, &f.bench, "bench", "measure the sources whose name matches `REGEXP` (all)")
	outputFile(cmd, &f.file, "write `FILE` for benchstat; -: and no tables")
	jsonFlag(cmd, &f.json)
}

// check refuses what can't be measured.
func (f *filesFlags) check() error {
	if f.Limit == 0 {
		return usagef("--deadline 0s leaves no time to wait; use for example 22s")
	}
	if f.bench != nil {
		if !slices.ContainsFunc(f.names(), f.bench.MatchString) {
			return usagef("--bench %q matches no source; use one of %s", f.bench, strings.Join(f.names(), ", "))
		}
		f.Measure = f.bench.MatchString
	}
	if err := f.checkPrograms(); err != nil {
		return err
	}
	return f.benchFlags.check()
}

// A filesReport is what --json prints.
type filesReport struct {
	machine.Facts `json:"machine"`
	files.Result
}

func (f *filesFlags) run(cmd *cobra.Command) error {
	out := cmd.OutOrStdout()
	b := &bench{benchFlags: f.benchFlags, out: out, style: styleOf(out)}
	file, err := b.create()
	if err != nil {
		return err
	}
	defer file.close()
	measure := f.runSources
	if startsHere {
		measure = f.runStarts
	}
	benchmarks, err := measure(cmd, b)
	if benchmarks != nil {
		err = errors.Join(file.write(benchmarks), err)
	}
	return err
}

// runSources measures the sources. What writes the lines for benchstat comes back even if a process failed.
func (f *filesFlags) runSources(cmd *cobra.Command, b *bench) (write func(io.Writer) error, err error) {
	r := filesReport{Facts: machine.Inspect()}
	r.Result, err = withProcesses(cmd, f.json, "bench files reader", func(ctx context.Context, program []string, progress func(string)) (files.Result, error) {
		f.Progress, f.Servers, f.Program = progress, fileServers, program
		if err := b.print(f.title(r.Facts, b.style)); err != nil {
			return files.Result{}, err
		}
		return files.Run(ctx, f.Options)
	})
	if err != nil {
		return nil, err
	}
	if f.json {
		err = printJSON(b.out, r)
	} else {
		err = b.print("\n" + r.Text(b.style))
	}
	if err != nil {
		return nil, err
	}
	for _, s := range r.Sources {
		if s.Failed > 0 {
			return r.benchmarks, fmt.Errorf("%d of %d processes at %s failed: %s", s.Failed, s.Processes, s.Name, s.Failures[0])
		}
	}
	return r.benchmarks, nil
}

// title is the command with all its flags, and the machine.
func (f *filesFlags) title(m machine.Facts, s show.Style) string {
	words := fmt.Sprintf("fount bench files --procs %d --ring %s --deadline %v --count %d",
		f.Procs, f.Ring, f.Limit, f.Options.Count) + f.matching()
	return titleOf(words, m, s, fmt.Sprintf("GOMAXPROCS %d", m.GOMAXPROCS))
}

// matching is --bench as it was given.
func (f *filesFlags) matching() string {
	if f.bench == nil {
		return ""
	}
	return fmt.Sprintf(" --bench '%s'", f.bench)
}

// benchmarks writes the lines for benchstat.
func (r *filesReport) benchmarks(w io.Writer) error {
	f := measure.NewFile(w, r.Facts)
	f.Set("limit", fmt.Sprint(time.Duration(r.LimitS*1e9)))
	for _, line := range r.Benchmarks() {
		f.Write(line)
	}
	return f.Err
}

// newFilesReader is the command that fount bench files runs as each of its processes.
func newFilesReader() *cobra.Command {
	return &cobra.Command{
		Use:    "reader",
		Short:  "one process of fount bench files, which starts it and tells it what to do",
		Hidden: true,
		Args:   atMost(0),
		RunE:   func(cmd *cobra.Command, _ []string) error { return files.Reader(cmd.InOrStdin(), cmd.OutOrStdout()) },
	}
}

// fileServers are those that fount serve and fount mount run.
var fileServers = files.Servers{NineP: serveFor9P, FUSE: mountFor}

// serveFor9P serves on a Unix socket in dir, or on the loopback where there are none.
func serveFor9P(dir string, read func([]byte), conns int, stall time.Duration) (net.Addr, func() error, error) {
	l, err := ninep.Listen("unix!" + filepath.Join(dir, "9p"))
	if err != nil {
		if l, err = ninep.Listen("tcp!127.0.0.1!0"); err != nil {
			return nil, nil, err
		}
	}
	server := &ninep.Server{Tree: randfs.New(randfs.Source{Read: read}), Limits: ninep.Limits{Conns: conns, Stall: stall}}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	return l.Addr(), func() error {
		err := server.Close()
		<-served
		return err
	}, nil
}

// mountFor mounts by FUSE.
func mountFor(mountpoint string) (func() error, error) {
	m, err := fusefs.Mount(randfs.New(randfs.Source{}), mountpoint, fusefs.Options{})
	if err != nil {
		return nil, err
	}
	return m.Unmount, nil
}
