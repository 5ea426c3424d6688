// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package brokertest runs a nats-server in a test's process.
package brokertest

import (
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A Broker is a nats-server at an address that it keeps when it is started again.
type Broker struct {
	t      testing.TB
	port   int
	server *server.Server
}

// New starts a broker, by a file in nats-server's language; "": none.
func New(t testing.TB, file string) *Broker {
	t.Helper()
	b := &Broker{t: t, port: server.RANDOM_PORT}
	b.Start(file)
	t.Cleanup(b.Kill)
	return b
}

// Start starts it again.
func (b *Broker) Start(file string) {
	b.t.Helper()
	o := &server.Options{}
	if err := o.ProcessConfigFile(file); err != nil {
		b.t.Fatal(err)
	}
	o.Host, o.Port, o.NoSigs, o.NoLog = "127.0.0.1", b.port, true, true
	s, err := server.NewServer(o)
	if err != nil {
		b.t.Fatal(err)
	}
	b.server = s
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		b.t.Fatal("the broker does not listen")
	}
	b.port = s.Addr().(*net.TCPAddr).Port
}

// URL is where it serves.
func (b *Broker) URL() string { return "nats://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(b.port)) }

// Kill ends it.
func (b *Broker) Kill() {
	b.server.Shutdown()
	b.server.WaitForShutdown()
}
