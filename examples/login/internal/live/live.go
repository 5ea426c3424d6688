// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package live shows two services under load, one beside the other, on a page that is drawn while one watches. It is a sight and
// not a measurement: both services, the load and the browser share one machine.
package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"fount/examples/login/internal/hashing"
	"fount/internal/policytext"
	"fount/password"
)

// ErrUsage is Run's error for a Config that can't be shown.
var ErrUsage = errors.New("live: wrong arguments")

// Config says what is shown.
type Config struct {
	Listen string          // address of the page, which starts load: a loopback's
	Policy password.Policy // of both services; the zero value is bcrypt of cost 10
	Rival  string          // the way of hashing beside the pool: hashing.Naive or hashing.Semaphore
}

// Run shows it until ctx is done, which is no error.
func Run(ctx context.Context, c Config) error {
	if c.Policy.Algorithm == 0 {
		c.Policy = password.Policy{Algorithm: password.Bcrypt, Cost: 10}
	}
	if err := fits(c.Policy, limit()); err != nil {
		return err
	}
	listener, err := listen(c.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	dir, err := os.MkdirTemp("", "login-live-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	err = run(ctx, c, listener, dir)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func run(ctx context.Context, c Config, listener net.Listener, dir string) (err error) {
	s := &show{rival: c.Rival, policy: policytext.Of(c.Policy), watchers: map[chan sample]bool{}}
	for i, way := range []string{hashing.Pool, c.Rival} {
		if s.services[i], err = launch(ctx, dir, way, c.Policy); err != nil {
			return err
		}
		defer s.services[i].end()
	}
	slog.Info("finding out how many sign-ins a second the pool can answer")
	if s.capacity, err = capacity(ctx, s.services[0]); err != nil {
		return err
	}
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	go server.Serve(listener)
	defer server.Close()
	slog.Info("ready", "url", "http://"+listener.Addr().String())
	return s.run(ctx)
}

// listen listens where only this machine's users can ask.
func listen(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if at, ok := listener.Addr().(*net.TCPAddr); !ok || !at.IP.IsLoopback() {
		listener.Close()
		return nil, fmt.Errorf("%w: --listen is %s; want an address of the loopback, such as localhost:8080: the page starts load", ErrUsage, address)
	}
	return listener, nil
}

// fits reports a policy with which n hashes at once, as without a pool, would take more than a GiB.
func fits(p password.Policy, n int) error {
	kib := 0 // a hash
	switch p.Algorithm {
	case password.Argon2id:
		kib = p.Memory
	case password.Scrypt:
		kib = p.BlockSize << p.Cost / 8
	}
	if most := 1 << 20 / n; kib > most {
		return fmt.Errorf("%w: --policy is %s, and %d hashes at once would take %d MiB; want bcrypt, or at most %d KiB a hash",
			ErrUsage, policytext.Of(p), n, n*kib>>10, most)
	}
	return nil
}
