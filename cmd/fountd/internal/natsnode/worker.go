// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package natsnode joins a worker to its fleet over NATS: it keeps the connection, brings the requests to a fleetnode.Node, and
// leaves in an order that loses none. It also runs the broker, where one process is to be both. It opens no message.
package natsnode

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"fount/cmd/fountd/internal/fleetnode"
	"fount/internal/fleet"
	"fount/remote/natsconn"
)

// Options set up a Worker.
type Options struct {
	Node    *fleetnode.Node
	Subject fleet.Subject
	URL     string  // of the broker, several with commas; "": Broker
	Broker  *Broker // in this process
	NKey    string  // paths of what the broker knows this worker by; "": none
	Creds   string
	CA      string // path of the authorities of the broker's certificate, in PEM; "": the system's
	Build   string // this program's version, for whoever asks
	Log     *slog.Logger
}

// A Worker is a Node's place in its fleet. Its methods may be called from any goroutine.
type Worker struct {
	node    *fleetnode.Node
	nc      *nats.Conn
	service micro.Service
	log     *slog.Logger

	mu    sync.Mutex
	fault string // the last that was logged since the connection was there
	lost  uint64
}

// Join connects, and keeps trying for ever if the broker is away. The error is one of the options'.
func Join(o Options) (*Worker, error) {
	w := &Worker{node: o.Node, log: o.Log}
	options, err := w.options(o)
	if err != nil {
		return nil, fmt.Errorf("nats: %w", err)
	}
	if w.nc, err = nats.Connect(o.URL, options...); err != nil {
		return nil, fmt.Errorf("nats: %w", err)
	}
	if err := w.register(o); err != nil {
		w.nc.Close()
		return nil, fmt.Errorf("nats: %w", err)
	}
	return w, nil
}

func (w *Worker) options(o Options) ([]nats.Option, error) {
	all := append(natsconn.Options(), nats.Name(serviceName+" "+o.Build),
		nats.ConnectHandler(w.connected), nats.ReconnectHandler(w.connected),
		nats.DisconnectErrHandler(w.disconnected), nats.ReconnectErrHandler(w.failed),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { w.log.Error("nats", "error", err) }))
	if o.Broker != nil {
		all = append(all, nats.InProcessServer(o.Broker.server))
	}
	if o.NKey != "" {
		nkey, err := nats.NkeyOptionFromSeed(o.NKey)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.NKey, err)
		}
		all = append(all, nkey)
	}
	if o.Creds != "" {
		all = append(all, nats.UserCredentials(o.Creds))
	}
	if o.CA != "" {
		all = append(all, nats.RootCAs(o.CA))
	}
	return all, nil
}

const serviceName = "fountd"

// register makes the worker a micro service, which answers PING, INFO and STATS.
func (w *Worker) register(o Options) error {
	service, err := micro.AddService(w.nc, micro.Config{
		Name:        serviceName,
		Version:     fmt.Sprintf("%d.%d.0", fleet.Major, fleet.Minor), // of the messages
		Description: "verifies and hashes passwords; requests are sealed to the fleet's key",
		Metadata:    map[string]string{"build": o.Build},
		StatsHandler: func(*micro.Endpoint) any {
			return w.node.Stats()
		},
	})
	if err != nil {
		return err
	}
	w.service = service
	return service.AddEndpoint("any", micro.HandlerFunc(w.receive), micro.WithEndpointSubject(o.Subject.Any()), micro.WithEndpointQueueGroup(fleet.Group))
}

// receive hands a request to the node. The answer does not go by micro's Respond, which is for handlers that answer before they
// return.
func (w *Worker) receive(r micro.Request) {
	to := r.Reply()
	w.node.Handle(time.Now(), r.Data(), func(reply []byte) {
		if to == "" {
			return
		}
		if err := w.nc.Publish(to, reply); err != nil {
			w.log.Debug("an answer had no way", "error", err) // its client has lost its way too, or asks another
		}
	})
}

func (w *Worker) connected(nc *nats.Conn) {
	w.mu.Lock()
	w.fault = ""
	w.mu.Unlock()
	w.log.Info("nats connected", "broker", nc.ConnectedServerName(), "address", nc.ConnectedAddr())
}

func (w *Worker) disconnected(nc *nats.Conn, err error) {
	if nc.IsClosed() { // by Leave
		return
	}
	w.mu.Lock()
	w.lost++
	w.mu.Unlock()
	w.failed(nc, err)
}

// failed logs each fault once, and not each attempt: there are ten a second.
func (w *Worker) failed(_ *nats.Conn, err error) {
	if err == nil {
		err = errors.New("the connection was closed")
	}
	w.mu.Lock()
	known := w.fault == err.Error()
	w.fault = err.Error()
	w.mu.Unlock()
	if !known {
		w.log.Warn("nats away: trying again", "error", err)
	}
}

// Connected reports whether the broker is there.
func (w *Worker) Connected() bool { return w.nc.IsConnected() }

// Leave takes the worker out of the queue group, so that the broker sends new requests to others, has the node answer what has
// arrived, and closes the connection once the answers are sent. The error says that ctx was done before.
func (w *Worker) Leave(ctx context.Context) error {
	defer w.nc.Close()
	err := w.service.Stop()
	if err == nil && w.Connected() {
		err = w.settle(ctx)
	}
	err = errors.Join(err, w.node.Drain(ctx))
	if w.Connected() {
		err = errors.Join(err, w.nc.FlushWithContext(ctx))
	}
	return err
}

// settle returns when the node has everything that the broker sent before it knew that this worker leaves.
func (w *Worker) settle(ctx context.Context) error {
	if err := w.nc.FlushWithContext(ctx); err != nil {
		return err
	}
	done := make(chan struct{})
	if err := w.nc.Barrier(func() { close(done) }); err != nil {
		return err
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
