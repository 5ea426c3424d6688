// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Login is a sign-in service built on fount: registration, sign-in, change and reset of passwords,
// sessions. It is an example of everything that stands around a password.Pool, small enough to be
// read at once. It is not an identity provider: no OpenID Connect, no second factor. README.md
// says how to run it.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"fount/password"
	"fount/password/legacy"
	"fount/password/passwordhttp"
)

const usage = `Login is a sign-in service.

  login [FLAGS]              serve
  login [FLAGS] import FILE  import users: an address, a comma and a hash on each line

`

// config is what the flags say.
type config struct {
	listen, database, url string
	outbox, smtp, from    string
	policy                password.Policy
	proxies               []netip.Prefix
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
	flags.StringVar(&c.database, "database", "login.db", "`file` of SQLite")
	flags.StringVar(&c.outbox, "outbox", "login.mail", "`file` to append mails to, without --smtp and where --listen is loopback")
	flags.StringVar(&c.smtp, "smtp", "", "`host:port` of the server that sends mails; SMTP_USER and SMTP_PASSWORD are its login, if set")
	flags.StringVar(&c.from, "from", "", "`address` that mails come from")
	flags.TextVar(&c.policy, "policy", password.Default(), "`policy` of new hashes, such as bcrypt,cost=12")
	flags.Func("url", "`URL` of the service, for links in mails, such as https://login.example.org; default: http://ADDRESS", func(text string) error {
		c.url = strings.TrimSuffix(text, "/")
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
			return errors.New("want one that begins with https:// and a host, or with http://")
		}
		return nil
	})
	flags.Func("proxy", "`network` of your proxies, such as 10.0.0.0/8, whose X-Forwarded-For is believed; may come again", func(text string) error {
		prefix, err := netip.ParsePrefix(text)
		c.proxies = append(c.proxies, prefix)
		return err
	})
	switch err := flags.Parse(args); {
	case err == flag.ErrHelp:
		return 0
	case err != nil:
		return 2
	}
	c.policy.Formats = legacy.All() // hashes of other makers are read
	slog.SetDefault(slog.New(slog.NewTextHandler(stderr, nil)))
	err := c.policy.Check("") // before there is a database
	switch rest := flags.Args(); {
	case err != nil:
	case len(rest) == 0:
		err = serve(ctx, c)
	case len(rest) == 2 && rest[0] == "import":
		err = importFile(ctx, c, rest[1], stdout)
	default:
		fmt.Fprintf(stderr, "login: the arguments are %q; want none, or import and the name of one file\n", rest)
		return 2
	}
	if err != nil {
		fmt.Fprintln(stderr, "login:", err)
		return 1
	}
	return 0
}

// patience is how long requests have to end after SIGTERM, and then mails.
const patience = 10 * time.Second

// serve runs the service until ctx is done, and then ends its parts in the order in which they
// need each other: requests, the pool, mails, the store.
func serve(ctx context.Context, c config) (err error) {
	out, err := openOutbox(c)
	if err != nil {
		return err
	}
	db, err := openStore(ctx, c.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.close()) }()
	pool, err := openPool(ctx, c.policy, db)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.listen)
	if err != nil {
		return err
	}
	address := "http://" + listener.Addr().String()
	s := newService(db, pool, out, passwordhttp.Gate{Proxies: c.proxies}, cmp.Or(c.url, address))
	defer func() {
		late, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		err = errors.Join(err, s.mailer.close(late))
	}()
	server := &http.Server{ // that no slow client holds up
		Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 15 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	slog.Info("ready", "url", address)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	slog.Info("ending: requests that have begun are answered")
	late, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return passwordhttp.Shutdown(late, server, pool)
}

// openPool has the pool know how the stored hashes were made, so that the time of a refusal does
// not tell users from others.
func openPool(ctx context.Context, policy password.Policy, db *store) (*password.Pool, error) {
	var err error
	stored := password.Sample(policy, func(yield func(string) bool) { err = db.hashes(ctx, yield) })
	if err != nil {
		return nil, err
	}
	return password.NewPool(password.Options{Policy: policy, Stored: stored})
}
