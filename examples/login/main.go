// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Login is a sign-in service built on fount: registration, sign-in, change and reset of passwords, sessions. It is an example of
// everything that stands around a password.Pool, and small enough to be read at once. It is not an identity provider: no OpenID
// Connect, no second factor. README.md says how to run it.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"fount/examples/login/internal/store"
	"fount/internal/policytext"
	"fount/password"
)

const usage = `Login is a sign-in service.

  login [FLAGS]              serve
  login [FLAGS] import FILE  import users: an address, a comma and a hash on each line

`

// config is what the flags say.
type config struct {
	listen   string
	metrics  string
	database string
	url      string
	policy   password.Policy
	proxies  []netip.Prefix
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends it at once
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run returns the status of the process.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var c config
	flags := flag.NewFlagSet("login", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage); flags.PrintDefaults() }
	flags.StringVar(&c.listen, "listen", "localhost:8080", "`address` to serve; a proxy in front of it speaks TLS")
	flags.StringVar(&c.metrics, "metrics", "", "`address` to serve /metrics at, for Prometheus; default: nowhere")
	flags.StringVar(&c.database, "database", "login.db", "`file` of SQLite")
	flags.Func("url", "`URL` of the service, for links in mails, such as https://login.example.org; default: http://ADDRESS", func(text string) error {
		c.url = strings.TrimSuffix(text, "/")
		return checkURL(text)
	})
	flags.Func("proxy", "`network` of your proxies, such as 10.0.0.0/8, whose X-Forwarded-For is believed; may come again", func(text string) error {
		prefix, err := netip.ParsePrefix(text)
		c.proxies = append(c.proxies, prefix)
		return err
	})
	var bad error // package flag's own repeats the text, which may be a hash
	flags.Func("policy", "`policy` of new hashes, such as bcrypt,cost=12; default: argon2id with 19 MiB", func(text string) error {
		p, err := policytext.Parse(text)
		if err == nil {
			err = p.Check("") // before there is a database
		}
		c.policy, bad = p, cmp.Or(bad, err) // of two the wrong one
		return nil
	})
	switch err := flags.Parse(args); {
	case err == flag.ErrHelp:
		return 0
	case err != nil:
		return 2
	case bad != nil:
		fmt.Fprintln(stderr, "login: --policy:", bad)
		flags.Usage()
		return 2
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(stderr, nil)))
	var err error
	switch rest := flags.Args(); {
	case len(rest) == 0:
		err = serve(ctx, c, stdout)
	case len(rest) == 2 && rest[0] == "import":
		err = importFile(ctx, c, rest[1], stdout)
	default:
		fmt.Fprintf(stderr, "login: the arguments are %q; want none, or import and the name of one file\n", rest)
		flags.Usage()
		return 2
	}
	if err != nil {
		fmt.Fprintln(stderr, "login:", err)
		return 1
	}
	return 0
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("want one that begins with https:// and a host, or with http://")
	}
	return nil
}

// importFile imports the users of a file, all or none.
func importFile(ctx context.Context, c config, name string, stdout io.Writer) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	users, err := readUsers(file)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	db, err := store.Open(ctx, c.database)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.Import(ctx, users); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "imported %d users; each gets a new hash when next signing in\n", len(users))
	if n := withoutPassword(users); n > 0 {
		fmt.Fprintf(stdout, "%d of them have no password: they ask for a new one as if forgotten\n", n)
	}
	return nil
}
