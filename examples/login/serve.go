// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"fount/examples/login/internal/store"
	"fount/examples/login/internal/web"
	"fount/password"
	"fount/password/legacy"
	"fount/password/passwordhttp"
	fountprometheus "fount/telemetry/prometheus"
)

// patience is how long requests have to end after SIGTERM, and then mails.
const patience = 10 * time.Second

// serve runs the service until ctx is done, and then ends it in the order in which its parts need each other.
func serve(ctx context.Context, c config, stdout io.Writer) (err error) {
	db, err := store.Open(ctx, c.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	pool, err := openPool(ctx, c.policy, db)
	if err != nil {
		return err
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if _, err := fountprometheus.Register(registry, pool, "login"); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.listen)
	if err != nil {
		return err
	}
	service, err := web.New(web.Config{
		Store: db, Hasher: pool, Outbox: &printed{to: stdout}, Gate: passwordhttp.Gate{Proxies: c.proxies},
		URL: cmp.Or(c.url, "http://"+listener.Addr().String()),
	})
	if err != nil {
		return err
	}
	defer func() {
		late, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		err = errors.Join(err, service.Close(late))
	}()
	stopMetrics, err := serveMetrics(c.metrics, registry)
	if err != nil {
		return err
	}
	defer stopMetrics()

	server := newServer(service.Handler())
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	slog.Info("ready", "url", "http://"+listener.Addr().String())
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

// newServer returns a server that no slow client holds up.
func newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 15 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
}

// openPool reads other makers' forms too, and has the pool know how the stored hashes were made, so that the time of a refusal does
// not tell users from others.
func openPool(ctx context.Context, policy password.Policy, db *store.Store) (*password.Pool, error) {
	if policy.Algorithm == 0 {
		policy = password.Default()
	}
	policy.Formats = legacy.All()
	samples, err := samplesOf(func(f func(string) error) error { return db.Hashes(ctx, f) }, policy)
	if err != nil {
		return nil, err
	}
	return password.NewPool(password.Options{Policy: policy, Stored: samples})
}

// serveMetrics serves them at an address of their own, if there is one: they tell of the service's load.
func serveMetrics(address string, registry *prometheus.Registry) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := newServer(mux)
	go server.Serve(listener)
	slog.Info("metrics", "url", "http://"+listener.Addr().String()+"/metrics")
	return func() { server.Close() }, nil
}

// printed is an outbox of which somebody at the terminal reads: a real one hands its mail to a server.
type printed struct {
	mu sync.Mutex
	to io.Writer
}

func (p *printed) Send(_ context.Context, m web.Mail) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := fmt.Fprintf(p.to, "To: %s\nSubject: %s\n\n%s\n\n", m.To, m.Subject, m.Text)
	return err
}
