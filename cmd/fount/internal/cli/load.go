// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount load: a password check under load, with the flags of the program in the bcrypt load post, or
// a service of the reader's own.

package cli

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"fount/cmd/internal/lab/logins"
	"fount/cmd/internal/lab/show"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const loadLong = `fount load compares a password with its bcrypt hash under load. It reports what callers get, and
what is left for the rest of the process.

Without --rate, -c callers compare, each again when it has its answer; with -d 0, each compares once, all at the same
time. With --rate, requests arrive at random (a Poisson process). Then latency counts from the intended start, and
requests of the first --deadline are not counted, and fount load ends a deadline after the last.

  max_out    a goroutine for each compare
  buffered   workers behind a channel; a caller goes on when the channel has taken its request
  semaphore  a semaphore; with --rate it refuses requests that it could not answer in time
  pool       the pool of package fount/password, which computes several bcrypts at once on a core
  one_lane   that pool, with one bcrypt at a time on a core

With --url, requests go to a service instead, each over a connection of its own. An answer is a status below 400, or
400, 401, 403 or 422: redirects are not followed. 429 and 503 are refusals. All else fails. The service must be on
loopback, or --beyond-loopback given.

The flags -b, -c, -d, -m and -w, their defaults and the first two lines of output are those of a post on bcrypt under
load. fount bench logins runs all mechanisms.`

// loadFlags are the flags of fount load.
type loadFlags struct {
	logins.Config
	service logins.Service
	json    bool
}

func newLoad() *cobra.Command {
	f := loadFlags{Config: logins.Post()}
	f.service.Header = make(http.Header)

	cmd := &cobra.Command{
		Use:   "load [-m MECHANISM | --url URL] [-c N | --rate N] [-d TIME] [flags]",
		Short: "put a password check under load and report what its callers get",
		Long:  loadLong,
		Example: `  fount load -c 90 -m max_out                            90 callers, as in the post
  fount load -c 32 -d 0 -m pool                          32 at the same time, as in fount doctor
  fount load -m pool --rate 100 --deadline 500ms         100 requests a second
  fount load --url http://127.0.0.1:8000/login --rate 50 --data 'name=u{n}&password=x'`,
		Args:    atMost(0),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}

	flags := cmd.Flags()
	parsedFlag(flags, &f.Mechanism, "mechanism", "m", "use the mechanism `NAME` ("+f.Mechanism+")",
		func(s string) (string, bool) { return s, slices.Contains(logins.Mechanisms, s) },
		"a mechanism; use "+show.Choice(logins.Mechanisms))
	must(cmd.RegisterFlagCompletionFunc("mechanism",
		cobra.FixedCompletions(logins.Mechanisms, cobra.ShellCompDirectiveNoFileComp)))

	intFlag(flags, &f.Callers, "callers", "c", "`N` callers, each of which waits for its answer (15)", 1, 1e6)
	intFlag(flags, &f.Buffer, "buffer", "b", "capacity `N` of the channel of buffered (15)", 0, 1e6)
	intFlag(flags, &f.Workers, "workers", "w", "`N` workers, or slots of semaphore (GOMAXPROCS; buffered: 1)", 1, 1e4)
	timeFlag(flags, &f.Duration, "duration", "d", "callers ask for `TIME` (5s); with 0 each asks once", 0, time.Hour)
	rateFlag(flags, &f.Rate, "`N` requests a second, however many are waiting", "", "100")
	timeFlag(flags, &f.Deadline, "deadline", "", "an answer after `TIME` is late (1s)", time.Millisecond, time.Hour)

	costFlag(flags, &f.Cost)
	f.serviceFlags(flags)
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *loadFlags) serviceFlags(flags *pflag.FlagSet) {
	flags.Func("url", "ask the service at `URL`", func(s string) error {
		u, err := url.Parse(s)
		isWeb := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
		if !isWeb { // the error does not repeat it, as it may hold a password
			return errors.New("is not an http or https URL; use for example http://127.0.0.1:8000/login")
		}
		f.service.URL = u
		return nil
	})

	textFlag(flags, &f.service.Data, "data", "", "post `TEXT`, a form or JSON; {n} in it counts requests",
		"text")
	flags.Func("header", "`NAME:VALUE` of a header to send", func(s string) error {
		name, value, ok := strings.Cut(s, ":")
		if !ok {
			return errors.New("has no colon; use for example 'Accept: text/html'")
		}
		f.service.Header.Add(name, strings.TrimSpace(value))
		return nil
	})

	flags.BoolVar(&f.service.Beyond, "beyond-loopback", false, "the service may be on another machine")
}

// costFlag defines --cost. Its maximum, 2 s a hash, is one below that of the default
// password.Limits.
func costFlag(flags *pflag.FlagSet, dst *int) {
	intFlag(flags, dst, "cost", "", "bcrypt cost `N` (10)", 4, 15)
}

// check refuses flags that exclude each other. As in the post, -b and -w go with any -m.
func (f *loadFlags) check(cmd *cobra.Command) error {
	set := cmd.Flags().Changed
	for _, name := range []string{"mechanism", "callers", "buffer", "workers", "cost"} {
		if set("url") && set(name) {
			return usagef("--url and --%s exclude each other; use one of them", name)
		}
	}
	for _, name := range []string{"data", "header", "beyond-loopback"} {
		if set(name) && !set("url") {
			return usagef("--%s is for a service; use it with --url", name)
		}
	}

	switch {
	case set("rate") && set("callers"):
		return usagef("-c and --rate exclude each other; use one of them")
	case set("url") && !set("rate"):
		return usagef("--url needs a rate; use for example --rate 100")
	case f.IsOpen() && f.Duration == 0:
		return usagef("-d 0 and --rate exclude each other; use for example -d 5s")
	}
	return nil
}

// config returns the load that the flags ask for.
func (f *loadFlags) config() logins.Config {
	c := f.Config
	if f.service.URL != nil {
		c = logins.Config{
			Mechanism: f.service.URL.Redacted(),
			Service:   &f.service,
			Rate:      f.Rate,
			Duration:  f.Duration,
			Deadline:  f.Deadline,
		}
	}

	if c.Mechanism == logins.MaxOut {
		c.Workers = 0
	}
	if c.IsOpen() {
		c.Cut = c.Deadline // until then callers still find the mechanism empty
		c.Duration += c.Cut
	}
	return c
}

func (f *loadFlags) run(cmd *cobra.Command) error {
	c := f.config()
	line := progressOn(cmd, f.json)
	line.Show(fmt.Sprintf("callers ask for %v, then wait for their last answers", c.Duration))
	r, err := c.Run(cmd.Context())
	line.Clear()
	switch {
	case errors.Is(err, logins.ErrBeyond):
		return fmt.Errorf("%w; if it is yours, use --beyond-loopback", err)
	case err != nil:
		return err
	}

	err = printResult(cmd.OutOrStdout(), f.json, r, r.Text)
	if err == nil && r.Failed > 0 {
		return fmt.Errorf("%d of %d requests failed, the first with: %s", r.Failed, r.Asked, r.Failure)
	}
	return err
}
