// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

// A worker's place in a fleet, over NATS.

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"

	"fount/cmd/fountd/internal/config"
	"fount/cmd/fountd/internal/server"
	"fount/cmd/internal/version"
	"fount/internal/fleet"
	"fount/remote/api"
	"fount/remote/natsconn"
)

// spareCalls may be hashed, opened or refused beside those that wait for a hash.
const spareCalls = 1024

// A worker opens what a broker brings, has it answered, and seals the replies. A nil one is none.
type worker struct {
	id      fleet.WorkerID
	subject fleet.Subject
	answer  func(ctx context.Context, path string, body []byte) (status int, reply []byte)
	wait    func() time.Duration // until all that the worker has now is done
	log     *slog.Logger

	nc          *nats.Conn
	shared, own *nats.Subscription // of the queue group, and of this worker alone
	up          atomic.Bool        // the broker is there; nats.go's own look waits while it dials
	away        *server.Bounded
	stop        chan struct{} // ends the news

	keys     atomic.Pointer[map[fleet.KeyID]fleet.Key]
	leaving  atomic.Bool   // so say the news
	closing  atomic.Bool   // requests are refused
	inFlight chan struct{} // has room for as many requests as may be under way

	requests *prometheus.CounterVec
}

// newWorker returns one that has not joined, for most requests at once.
func newWorker(subject string, most int, keys []fleet.Key, log *slog.Logger) *worker {
	w := &worker{
		id: fleet.NewWorkerID(), subject: fleet.Subject(subject), inFlight: make(chan struct{}, most), log: log, stop: make(chan struct{}),
		away: server.NewBounded(log, "nats away: trying again"),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fountd_fleet_requests_total", Help: "Requests of the fleet that have ended, by what became of them.",
		}, []string{"outcome"}),
	}
	for _, outcome := range []string{"answered", "overloaded", "expired", "failed", "busy", "unreadable"} {
		w.requests.WithLabelValues(outcome)
	}
	w.setKeys(keys)
	return w
}

// metrics are those of the fleet.
func (w *worker) metrics() []prometheus.Collector {
	if w == nil {
		return nil
	}
	connected := prometheus.GaugeOpts{Name: "fountd_nats_connected", Help: "1 while the broker is there, 0 while it is away."}
	return []prometheus.Collector{w.requests, prometheus.NewGaugeFunc(connected, func() float64 {
		if w.up.Load() {
			return 1
		}
		return 0
	})}
}

// state is a line for /readyz.
func (w *worker) state() string {
	switch {
	case w == nil:
		return ""
	case w.up.Load():
		return "nats: connected\n"
	}
	return "nats: away\n"
}

// setKeys replaces the fleet's keys.
func (w *worker) setKeys(keys []fleet.Key) {
	if w == nil {
		return
	}
	m := map[fleet.KeyID]fleet.Key{}
	for _, k := range keys {
		m[k.ID] = k
	}
	w.keys.Store(&m)
}

// join connects, now or when the broker comes back. The error is one of the settings'.
func (w *worker) join(c *config.Config) error {
	options, err := w.options(c)
	if err != nil {
		return err
	}
	if w.nc, err = nats.Connect(c.NATS, options...); err != nil {
		return fmt.Errorf("nats: %w", err)
	}
	receive := func(m *nats.Msg) { w.receive(m.Data, m.Reply) }
	if w.shared, err = w.nc.QueueSubscribe(w.subject.Any(), fleet.Group, receive); err == nil {
		w.own, err = w.nc.Subscribe(w.subject.Worker(w.id), receive)
	}
	if err != nil {
		w.nc.Close()
		return fmt.Errorf("nats: %w", err)
	}
	go w.tell()
	return nil
}

func (w *worker) options(c *config.Config) ([]nats.Option, error) {
	connected := func(nc *nats.Conn) {
		w.up.Store(true)
		w.log.Info("nats connected", "broker", nc.ConnectedServerName(), "address", nc.ConnectedAddr())
	}
	disconnected := func(nc *nats.Conn, err error) {
		w.up.Store(false)
		if !nc.IsClosed() { // by leave
			w.away.Add("error", cmp.Or(err, nats.ErrConnectionClosed))
		}
	}
	faults := server.NewBounded(w.log, "nats")
	all := append(natsconn.Options(), nats.Name("fountd "+version.This().String()),
		nats.ConnectHandler(connected), nats.ReconnectHandler(connected), nats.DisconnectErrHandler(disconnected),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { w.away.Add("error", err) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { faults.Add("error", err) }))
	if c.NATSNKey != "" {
		path, err := config.SecretPath(c.NATSNKey)
		if err != nil {
			return nil, fmt.Errorf("nats-nkey: %w", err)
		}
		nkey, err := nats.NkeyOptionFromSeed(path)
		if err != nil {
			return nil, fmt.Errorf("nats-nkey %s: %w", path, err)
		}
		all = append(all, nkey)
	}
	if c.NATSCA != "" {
		all = append(all, nats.RootCAs(c.NATSCA))
	}
	return all, nil
}

// tell publishes the worker's news.
func (w *worker) tell() {
	tick := time.Tick(fleet.NewsEvery)
	for {
		select {
		case <-w.stop:
			return
		case <-tick:
			w.publish()
		}
	}
}

// publish tells clients what they must know of the worker to choose it.
func (w *worker) publish() {
	if w.up.Load() {
		w.send(w.subject.News(), fleet.News{Worker: w.id, Draining: w.leaving.Load(), Wait: w.wait()}.Append(nil))
	}
}

func (w *worker) send(to string, message []byte) {
	w.nc.Publish(to, message) // fails without a broker: the client asks another
}

// receive takes in a request and returns at once.
func (w *worker) receive(request []byte, to string) {
	busy := w.closing.Load()
	if !busy {
		select {
		case w.inFlight <- struct{}{}:
		default:
			busy = true
		}
	}
	if busy {
		w.requests.WithLabelValues("busy").Inc()
		w.send(to, fleet.Busy.Reply())
		return
	}
	go func() {
		defer func() { <-w.inFlight }()
		call, refusal := fleet.Open(*w.keys.Load(), request)
		if refusal != 0 {
			w.requests.WithLabelValues("unreadable").Inc()
			w.send(to, refusal.Reply())
			return
		}
		defer call.Wipe()
		status, body := w.answer(context.Background(), paths[call.Op], call.Body)
		w.requests.WithLabelValues(cmp.Or(outcomes[status], "failed")).Inc()
		reply, err := call.Seal(status, body)
		if err != nil { // a reply that no message holds
			reply, _ = call.Seal(http.StatusInternalServerError, api.NewProblem(api.ReasonInternal, "", 0).JSON())
		}
		w.send(to, reply)
	}()
}

var paths = map[fleet.Op]string{fleet.Verify: api.PathVerify, fleet.Hash: api.PathHash}

var outcomes = map[int]string{
	http.StatusOK: "answered", http.StatusUnprocessableEntity: "answered", http.StatusServiceUnavailable: "overloaded", http.StatusGatewayTimeout: "expired",
}

// leave takes the worker out of the queue group. It answers what clients send to it alone until
// they have heard the news, and then refuses, so that they ask another. The error says that ctx was
// done while requests were in flight.
func (w *worker) leave(ctx context.Context) error {
	if w == nil {
		return nil
	}
	defer w.nc.Close()
	defer close(w.stop)
	w.leaving.Store(true)
	w.publish()
	w.shared.Drain()
	if w.up.Load() {
		select {
		case <-time.After(fleet.NewsQuiet):
		case <-ctx.Done():
		}
	}
	w.closing.Store(true)
	for range cap(w.inFlight) { // who holds all places is alone
		select {
		case w.inFlight <- struct{}{}:
		case <-ctx.Done():
			return fmt.Errorf("requests of the fleet in flight: %w", ctx.Err())
		}
	}
	w.own.Drain()
	if w.up.Load() {
		return w.nc.FlushTimeout(time.Second)
	}
	return nil
}
