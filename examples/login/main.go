// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Login is a sign-in service built on fount, small enough to be read in one sitting: registration,
// sign-in, change and reset of passwords, and sessions. README.md says how to run it.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
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

// config holds the values of the flags.
type config struct {
	listen, database, url, smtp, from string
	policy                            password.Policy
	proxies                           []netip.Prefix
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "login:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	var c config
	flags := flag.NewFlagSet("login [FLAGS] [import FILE]", flag.ExitOnError)
	flags.StringVar(&c.listen, "listen", "localhost:8080", "`address` to serve; a proxy in front of it speaks TLS")
	flags.StringVar(&c.database, "database", "login.db", "`file` of SQLite")
	flags.StringVar(&c.smtp, "smtp", "",
		"`host:port` of a mail server; SMTP_USER and SMTP_PASSWORD are its login, if set")
	flags.StringVar(&c.from, "from", "", "`address` that mails come from")
	flags.TextVar(&c.policy, "policy", password.Default(), "`policy` of new hashes, such as bcrypt,cost=12")
	flags.StringVar(&c.url, "url", "", "`URL` in mails, such as https://login.example.org; without --smtp http://ADDRESS will do")
	flags.Func("proxy", "`network` of proxies whose X-Forwarded-For is believed; repeatable", func(text string) error {
		prefix, err := netip.ParsePrefix(text)
		c.proxies = append(c.proxies, prefix)
		return err
	})
	flags.Parse(args)
	c.policy.Formats = legacy.All() // imported hashes
	if err := c.policy.Check(""); err != nil {
		return err
	}
	u, err := url.Parse(c.url)
	if c.url+c.smtp != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "") {
		return fmt.Errorf("--url is %q; want https:// or http:// and a host", c.url)
	}
	switch rest := flags.Args(); {
	case len(rest) == 0:
		return serve(ctx, c)
	case len(rest) == 2 && rest[0] == "import":
		return importFile(ctx, c, rest[1])
	default:
		return fmt.Errorf("the arguments are %q; want none, or import and one file", rest)
	}
}

// serve runs the service until ctx is done. Then it ends the parts in the order in which they need
// each other: requests, the pool, mails, the store.
func serve(ctx context.Context, c config) error {
	out, err := openOutbox(c)
	if err != nil {
		return err
	}
	db, err := openStore(ctx, c.database)
	if err != nil {
		return err
	}
	defer db.Close()
	pool, err := openPool(ctx, c.policy, db)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.listen)
	if err != nil {
		return err
	}
	address := "http://" + listener.Addr().String()
	url := strings.TrimSuffix(cmp.Or(c.url, address), "/")
	s := newService(db, out, passwordhttp.Gate{Pool: pool, Proxies: c.proxies}, url)
	defer s.mailer.close()
	server := &http.Server{ // limits against slow clients
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
	late, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return passwordhttp.Shutdown(late, server, pool)
}

// openPool tells the pool how the stored hashes were made, so that the time of a refusal does not
// tell whether there is a user, but for rare kinds of hashes: see password.Sample.
func openPool(ctx context.Context, policy password.Policy, db *store) (*password.Pool, error) {
	var err error
	stored := password.Sample(policy, func(yield func(string) bool) { err = db.hashes(ctx, yield) })
	if err != nil {
		return nil, err
	}
	return password.NewPool(password.Options{Policy: policy, Stored: stored})
}
