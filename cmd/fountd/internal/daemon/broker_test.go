// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A broker is a nats-server in the test's process, at an address that it keeps when it is started
// again.
type broker struct {
	t      testing.TB
	port   int
	server *server.Server
}

// newBroker starts a broker, by a file in nats-server's language; "": none.
func newBroker(t testing.TB, file string) *broker {
	t.Helper()
	b := &broker{t: t, port: server.RANDOM_PORT}
	b.start(file)
	t.Cleanup(b.kill)
	return b
}

// start starts it again.
func (b *broker) start(file string) {
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

// url is where it serves.
func (b *broker) url() string { return "nats://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(b.port)) }

// kill ends it.
func (b *broker) kill() {
	b.server.Shutdown()
	b.server.WaitForShutdown()
}
