// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package natsnode

// Package natsconn, between a client and real brokers.

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"fount/remote"
	"fount/remote/natsconn"
)

func dial(t *testing.T, address string, more ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect("nats://"+address, append(natsconn.Options(), more...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	until(t, "a connection", nc.IsConnected)
	return nc
}

func flush(t *testing.T, nc *nats.Conn) {
	t.Helper()
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
}

// A request is answered, has nobody, ends with its context, or with its connection; what was lost comes back with the broker.
func TestConn(t *testing.T) {
	eachBroker(t, func(t *testing.T, b running) {
		address := b.start(t, "")
		server, client := dial(t, address), dial(t, address)
		c := natsconn.New(client)
		waiting := make(chan string, 10)
		serve := func(m *nats.Msg) {
			if string(m.Data) == "wait" {
				waiting <- m.Reply
				return
			}
			m.Respond(append([]byte("re: "), m.Data...))
		}
		if _, err := server.Subscribe("s", serve); err != nil {
			t.Fatal(err)
		}
		flush(t, server)
		asks := func() {
			t.Helper()
			if reply, err := c.Request(t.Context(), "s", []byte("a")); err != nil || string(reply) != "re: a" {
				t.Errorf("%q, %v", reply, err)
			}
		}
		asks()
		if _, err := c.Request(t.Context(), "nobody", nil); !errors.Is(err, remote.ErrNoWorker) {
			t.Errorf("nobody: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		ask := func(ctx context.Context) {
			go func() {
				_, err := c.Request(ctx, "s", []byte("wait"))
				ended <- err
			}()
			within(t, "the request arrives", waiting)
		}
		ask(ctx)
		cancel()
		if err := within(t, "a canceled request ends", ended); err != context.Canceled {
			t.Errorf("canceled: %v", err)
		}
		if _, err := c.Request(ctx, "s", nil); err != context.Canceled {
			t.Errorf("canceled before: %v", err)
		}

		heard := make(chan string, 10)
		stop, err := c.Subscribe("news", func(m []byte) { heard <- string(m) })
		if err != nil {
			t.Fatal(err)
		}
		flush(t, client)
		says := func(text string) {
			t.Helper()
			if err := natsconn.New(server).Publish("news", []byte(text)); err != nil {
				t.Fatal(err)
			}
			if got := within(t, "the message", heard); got != text {
				t.Errorf("heard %q; want %q", got, text)
			}
		}
		says("a")

		ask(t.Context())
		b.kill()
		if err := within(t, "a request whose broker died ends", ended); err == nil || errors.Is(err, remote.ErrNoWorker) {
			t.Errorf("the broker died: %v; want an error that is not ErrNoWorker, as the request had arrived", err)
		}
		until(t, "the connection is away", func() bool { return !client.IsConnected() })
		if _, err := c.Request(t.Context(), "s", nil); !errors.Is(err, remote.ErrNoWorker) {
			t.Errorf("away: %v", err)
		}
		if err := c.Publish("s", nil); !errors.Is(err, remote.ErrNoWorker) {
			t.Errorf("away, publish: %v", err)
		}
		late, err := c.Subscribe("late", func(m []byte) { heard <- string(m) })
		if err != nil {
			t.Errorf("away, subscribe: %v", err)
		}

		b.start(t, "")
		until(t, "both are back", func() bool { return client.IsConnected() && server.IsConnected() })
		flush(t, server)
		flush(t, client)
		asks()
		says("b")
		if err := natsconn.New(server).Publish("late", []byte("c")); err != nil || within(t, "the message", heard) != "c" {
			t.Error("a subscription made while the broker was away", err)
		}
		late()
		stop()
		flush(t, client)
		if _, err := server.Request("news", nil, time.Minute); !errors.Is(err, nats.ErrNoResponders) {
			t.Errorf("after stop: %v; want nobody", err)
		}

		ask(t.Context())
		client.Close()
		if err := within(t, "a request whose connection is closed ends", ended); err == nil || errors.Is(err, remote.ErrNoWorker) {
			t.Errorf("closed while it waited: %v", err)
		}
		if _, err := c.Request(t.Context(), "s", nil); !errors.Is(err, remote.ErrNoWorker) {
			t.Errorf("closed before: %v", err)
		}
		if _, err := natsconn.New(client).Request(t.Context(), "s", nil); !errors.Is(err, remote.ErrNoWorker) {
			t.Errorf("closed before New: %v", err)
		}
		if _, err := c.Subscribe("news", nil); err == nil {
			t.Error("a closed connection subscribes")
		}
	})
}
