// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

// A member of a fleet, which gets requests over NATS.

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

// spareCalls is how many calls may be under way beside those that the queue holds.
const spareCalls = 1024

// An answerer answers a request, as server.Server.Answer does.
type answerer func(ctx context.Context, path string, body []byte) (status int, reply []byte)

// A worker decrypts requests from a broker and encrypts the replies. If nil, fountd has no fleet.
type worker struct {
	id      fleet.WorkerID
	subject fleet.Subject
	answer  answerer
	wait    func() time.Duration
	log     *slog.Logger

	nc          *nats.Conn
	shared, own *nats.Subscription // of the queue group, and of this worker alone
	connected   atomic.Bool        // nc.IsConnected blocks while nc dials
	lost        *server.RareLog    // logs a lost connection

	keys     atomic.Pointer[map[fleet.KeyID]fleet.Key]
	draining atomic.Bool // as the news say

	maxCalls atomic.Int64 // requests that may be in flight; a long one counts for several
	calls    atomic.Int64 // requests in flight

	requests *prometheus.CounterVec
}

// newWorker returns a worker for at most maxCalls requests at once. It has not joined its fleet.
func newWorker(subject string, maxCalls int, keys []fleet.Key, log *slog.Logger) *worker {
	requests := prometheus.CounterOpts{Name: "fountd_fleet_requests_total", Help: "Requests of the fleet that have ended, by what became of them."}
	w := &worker{
		id:       fleet.NewWorkerID(),
		subject:  fleet.Subject(subject),
		log:      log,
		lost:     server.NewRareLog(log, "nats away: trying again"),
		requests: prometheus.NewCounterVec(requests, []string{"outcome"}),
	}
	w.setMaxCalls(maxCalls)
	for _, outcome := range []string{"answered", "overloaded", "expired", "failed", "busy", "unreadable"} {
		w.requests.WithLabelValues(outcome)
	}
	w.setKeys(keys)
	return w
}

// join connects, now or when the broker is reachable, and has answer answer requests. wait returns
// how long the pool's queue takes. Only wrong settings are an error.
func (w *worker) join(c *config.Config, answer answerer, wait func() time.Duration) error {
	if w == nil {
		return nil
	}
	w.answer = answer
	w.wait = wait
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

	go func() {
		for range time.Tick(fleet.NewsEvery) {
			w.publish()
		}
	}()
	return nil
}

func (w *worker) options(c *config.Config) ([]nats.Option, error) {
	connected := func(nc *nats.Conn) {
		w.connected.Store(true)
		w.log.Info("nats connected", "broker", nc.ConnectedServerName(), "address", nc.ConnectedAddr())
	}
	disconnected := func(nc *nats.Conn, err error) {
		w.connected.Store(false)
		if !nc.IsClosed() { // by leave
			w.lost.Add("error", cmp.Or(err, nats.ErrConnectionClosed))
		}
	}
	faults := server.NewRareLog(w.log, "nats")
	all := append(natsconn.Options(),
		nats.Name("fountd "+version.This().String()),
		nats.ConnectHandler(connected),
		nats.ReconnectHandler(connected),
		nats.DisconnectErrHandler(disconnected),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { w.lost.Add("error", err) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { faults.Add("error", err) }),
	)

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

// receive handles a request in a new goroutine.
func (w *worker) receive(request []byte, to string) {
	n := int64(1 + len(request)>>12) // the room is one of bytes, too: 4 KiB for each
	if w.calls.Add(n) > w.maxCalls.Load() {
		w.calls.Add(-n)
		w.requests.WithLabelValues("busy").Inc()
		w.send(to, fleet.Busy.Reply())
		return
	}

	go func() {
		defer w.calls.Add(-n)
		w.send(to, w.reply(request))
	}()
}

// reply returns the reply to a request.
func (w *worker) reply(request []byte) []byte {
	r, refusal := fleet.Open(*w.keys.Load(), request)
	if refusal != 0 {
		w.requests.WithLabelValues("unreadable").Inc()
		return refusal.Reply()
	}
	defer r.Wipe()

	status, body := w.answer(context.Background(), paths[r.Op], r.Body)
	w.requests.WithLabelValues(cmp.Or(outcomes[status], "failed")).Inc()
	reply, err := r.Seal(status, body)
	if err != nil { // the reply is too long
		reply, _ = r.Seal(http.StatusInternalServerError, api.NewProblem(api.ReasonInternal, "", 0).JSON())
	}
	return reply
}

var paths = map[fleet.Op]string{fleet.Verify: api.PathVerify, fleet.Hash: api.PathHash}

var outcomes = map[int]string{
	http.StatusOK:                  "answered",
	http.StatusUnprocessableEntity: "answered",
	http.StatusServiceUnavailable:  "overloaded",
	http.StatusGatewayTimeout:      "expired",
}

// publish publishes the worker's news once, from which clients choose a worker.
func (w *worker) publish() {
	if w.connected.Load() {
		w.send(w.subject.News(), fleet.News{Worker: w.id, Draining: w.draining.Load(), Wait: w.wait()}.Append(nil))
	}
}

func (w *worker) send(to string, message []byte) {
	w.nc.Publish(to, message) // fails without a broker: the client asks another
}

// leave takes the worker out of the queue group. It still answers requests to this worker until
// clients have heard the news, and then refuses them, so that clients ask another worker. It
// returns an error if ctx is done while requests are in flight, and none for a broker that hangs.
func (w *worker) leave(ctx context.Context) error {
	if w == nil {
		return nil
	}
	defer w.nc.Close()

	w.draining.Store(true)
	w.publish()
	w.shared.Drain()
	if w.connected.Load() {
		select {
		case <-time.After(fleet.NewsQuiet):
		case <-ctx.Done():
		}
	}

	w.setMaxCalls(0)
	for ; w.calls.Load() > 0; time.Sleep(time.Millisecond) {
		if ctx.Err() != nil {
			return fmt.Errorf("requests of the fleet in flight: %w", ctx.Err())
		}
	}

	w.own.Drain()
	if w.connected.Load() {
		if err := w.nc.FlushTimeout(time.Second); err != nil {
			w.log.Warn("the broker does not confirm the last replies", "error", err)
		}
	}
	return nil
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

// setMaxCalls changes how many requests may be in flight. Those that are stay.
func (w *worker) setMaxCalls(n int) {
	if w != nil {
		w.maxCalls.Store(int64(n))
	}
}

// metrics returns the metrics of the fleet.
func (w *worker) metrics() []prometheus.Collector {
	if w == nil {
		return nil
	}
	connected := prometheus.GaugeOpts{Name: "fountd_nats_connected", Help: "1 while the broker is there, 0 while it is away."}
	return []prometheus.Collector{w.requests, prometheus.NewGaugeFunc(connected, func() float64 {
		if w.connected.Load() {
			return 1
		}
		return 0
	})}
}

// state returns a line for /readyz.
func (w *worker) state() string {
	switch {
	case w == nil:
		return ""
	case w.connected.Load():
		return "nats: connected\n"
	}
	return "nats: away\n"
}
