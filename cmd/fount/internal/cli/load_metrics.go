// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The metrics of a pool under load, for Prometheus.

package cli

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"fount/internal/unixsocket"
	"fount/password"
	fountprometheus "fount/telemetry/prometheus"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/pflag"
)

// A metricsAddress is where metrics are served: host:port, unix!path, or "" for nowhere.
type metricsAddress string

// metricsFlag defines --metrics. The page has no password, so only this machine may read it.
func metricsFlag(flags *pflag.FlagSet, dst *metricsAddress) {
	value(flags, dst, "metrics", "", "/metrics at `ADDRESS`: 127.0.0.1:PORT or unix!PATH", func(s string) (metricsAddress, bool) {
		if path, ok := strings.CutPrefix(s, "unix!"); ok {
			return metricsAddress(s), path != ""
		}
		a, err := netip.ParseAddrPort(strings.Replace(s, "localhost:", "127.0.0.1:", 1))
		return metricsAddress(a.String()), err == nil && a.Addr().IsLoopback()
	}, "a loopback address with a port, or unix!PATH; use for example 127.0.0.1:9464")
}

// A metricsEndpoint serves /metrics. All methods take nil for none.
type metricsEndpoint struct {
	net.Listener
	registry *prometheus.Registry
}

// open listens. It takes over a socket that a killed process left behind. Nobody is answered before show.
func (a metricsAddress) open() (*metricsEndpoint, error) {
	if a == "" {
		return nil, nil
	}
	path, unix := strings.CutPrefix(string(a), "unix!")
	listen := func() (net.Listener, error) { return net.Listen("tcp", string(a)) }
	if unix {
		listen = func() (net.Listener, error) { return unixsocket.Listen(path, 0o600) }
	}
	l, err := listen()
	if err != nil {
		return nil, err
	}
	return &metricsEndpoint{l, prometheus.NewRegistry()}, nil
}

// show begins to serve a pool's metrics. They are those of pool "load".
func (e *metricsEndpoint) show(pool *password.Pool) {
	if e == nil {
		return
	}
	_, err := fountprometheus.Register(e.registry, pool, "load")
	must(err) // the registry is empty
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(e.registry, promhttp.HandlerOpts{}))
	server := http.Server{Handler: mux, ErrorLog: log.New(io.Discard, "", 0)}
	go server.Serve(e.Listener) // until Close
}

// Close stops listening. It does not wait for a scrape.
func (e *metricsEndpoint) Close() {
	if e != nil {
		e.Listener.Close()
	}
}

// String is what Prometheus, or curl --unix-socket, asks for.
func (e *metricsEndpoint) String() string {
	if a := e.Addr(); a.Network() == "unix" {
		return "unix!" + a.String() + ", /metrics"
	}
	return "http://" + e.Addr().String() + "/metrics"
}
