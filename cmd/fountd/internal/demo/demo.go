// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

// Package demo is the command fountd demo: a fleet on this machine under a load, and its figures while it runs. Package trial has
// the fleet.
package demo

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"fount/cmd/fountd/internal/trial"
	"fount/internal/policytext"
	"fount/password"
	"fount/remote"
)

const help = `fountd demo starts a fleet on this machine, a broker and workers in CPU quotas, asks it to verify passwords, and shows what
callers get, each second. On a terminal a digit kills that worker, as kill -9 does, or starts it again, b does so with the
broker, and q ends. In a pipe each second is a line; --json prints an object a line, the last with the sums.

Quotas need Linux, root, and a control group that may be changed. Without them each worker has a core's worth of workers
and they share what the machine has. Everything is removed at the end, also after Ctrl-C. The exit status is 0, 1 if a call was lost
or something failed, 2 for a wrong flag, 128 and its number after a signal.

`

// A config is the command line.
type config struct {
	workers  []float64
	load     float64
	lasts    time.Duration
	deadline time.Duration
	clients  int
	policy   password.Policy
	route    remote.Route
	kill     time.Duration
	json     bool
}

// errUsage is the error of a wrong command line.
var errUsage = errors.New("see fountd demo --help")

func parse(args []string) (*config, *flag.FlagSet, error) {
	c := &config{workers: []float64{1, 0.5, 0.25}, load: 3, lasts: 20 * time.Second, deadline: time.Second, clients: 4,
		policy: password.Policy{Algorithm: password.Bcrypt, Cost: 10}}
	flags := flag.NewFlagSet("fountd demo", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var bad error // package flag's own repeats the value, which may be a hash
	set := func(name, usage string, take func(string) error) {
		flags.Func(name, usage, func(s string) error {
			if err := take(s); err != nil {
				bad = fmt.Errorf("--%s: %w", name, err)
			}
			return bad
		})
	}
	set("workers", "`CORES` of each worker, with commas (1,0.5,0.25)", func(s string) (err error) {
		c.workers, err = quotas(s)
		return err
	})
	set("load", "ask for `N` times what the workers can do (3)", func(s string) (err error) {
		c.load, err = number(s, 0.01, 100)
		return err
	})
	set("for", "`TIME` until the end (20s)", func(s string) (err error) {
		c.lasts, err = duration(s, time.Second, 24*time.Hour)
		return err
	})
	set("deadline", "`TIME` that a call has (1s)", func(s string) (err error) {
		c.deadline, err = duration(s, 10*time.Millisecond, 30*time.Second)
		return err
	})
	set("clients", "`N` clients, each with a connection (4)", func(s string) error {
		n, err := number(s, 1, 1000)
		c.clients = int(n)
		return err
	})
	set("route", "how a call finds its worker: `NAME` is news, or queue for NATS's random queue group (news)", func(s string) error {
		route, ok := map[string]remote.Route{"news": remote.ByNews, "queue": remote.QueueGroup}[s]
		if c.route = route; !ok {
			return fmt.Errorf("%q is neither news nor queue", s)
		}
		return nil
	})
	set("policy", "`POLICY` of the hashes (bcrypt,cost=10)", func(s string) (err error) {
		if c.policy, err = policytext.Parse(s); err == nil {
			err = c.policy.Check("")
		}
		return err
	})
	set("kill", "kill the first worker after `TIME`, and start it again 3 s later", func(s string) (err error) {
		c.kill, err = duration(s, 0, 24*time.Hour)
		return err
	})
	flags.BoolVar(&c.json, "json", false, "print a JSON object a line")
	err := flags.Parse(args)
	switch {
	case bad != nil:
		err = bad
	case err == nil && flags.NArg() > 0:
		err = errors.New("unexpected argument; want flags alone")
	}
	return c, flags, err
}

// mostWorkers is how many have a key.
const mostWorkers = 9

func quotas(s string) (cores []float64, err error) {
	for part := range strings.SplitSeq(s, ",") {
		x, err := number(part, 0.01, 1024)
		if err != nil {
			return nil, err
		}
		cores = append(cores, x)
	}
	if len(cores) > mostWorkers {
		return nil, fmt.Errorf("%d workers; want at most %d", len(cores), mostWorkers)
	}
	return cores, nil
}

func number(s string, least, most float64) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(least <= x && x <= most) {
		return 0, fmt.Errorf("%q is no number from %v to %v", s, least, most)
	}
	return x, nil
}

func duration(s string, least, most time.Duration) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < least || d > most {
		return 0, fmt.Errorf("%q is no time from %v to %v", s, least, most)
	}
	return d, nil
}

// Main runs the command and returns its exit status. The fleet starts its broker through it too.
func Main(args []string, stdout, stderr io.Writer) int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a write tells of it
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	go func() {
		s, _ := (<-signals).(syscall.Signal)
		signal.Stop(signals) // a second one ends the process, and the fleet with it
		cancel(signaled(s))
	}()
	if n := len(trial.BrokerCommand) - 1; len(args) == n+1 && slices.Equal(args[:n], trial.BrokerCommand[1:]) {
		return status(stderr, trial.Broker(ctx, args[n], slog.New(slog.NewTextHandler(stderr, nil))))
	}
	c, flags, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return status(stderr, usage(stdout, flags))
	}
	if err != nil {
		return status(stderr, fmt.Errorf("demo: %w; %w", err, errUsage))
	}
	return status(stderr, c.run(ctx, cancel, stdout))
}

func usage(w io.Writer, flags *flag.FlagSet) error {
	text := help
	flags.VisitAll(func(f *flag.Flag) {
		name, usage := flag.UnquoteUsage(f)
		text += fmt.Sprintf("  %-20s %s\n", strings.TrimSpace("--"+f.Name+" "+name), usage)
	})
	_, err := io.WriteString(w, text)
	return err
}

// A signaled is an error that a signal caused.
type signaled syscall.Signal

func (s signaled) Error() string { return syscall.Signal(s).String() }

// status says what went wrong, and returns what the process exits with.
func status(stderr io.Writer, err error) int {
	if s, ok := errors.AsType[signaled](err); ok {
		return 128 + int(s)
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, syscall.EPIPE): // as in | head
		return 128 + int(syscall.SIGPIPE)
	}
	fmt.Fprintln(stderr, "fountd:", err)
	if errors.Is(err, errUsage) {
		return 2
	}
	return 1
}
