// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

// A worker's place in a fleet, over NATS: it opens requests, seals what they are answered, and leaves in an order that loses none.

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"

	"fount/cmd/fountd/internal/config"
	"fount/cmd/fountd/internal/server"
	"fount/internal/fleet"
	"fount/remote/api"
	"fount/remote/natsconn"
)

// spareCalls are requests beside those that may wait for a hash: those that are being hashed, opened or refused.
const spareCalls = 1024

// A worker opens what a broker brings, has it answered, and seals the replies. A nil one is none.
type worker struct {
	id      fleet.WorkerID
	subject fleet.Subject
	answer  func(ctx context.Context, path string, body []byte) (status int, reply []byte) // which wipes body
	wait    func() time.Duration                                                           // until all that the worker has now is done
	most    int                                                                            // requests at once
	log     *slog.Logger

	nc          *nats.Conn
	shared, own *nats.Subscription // of the queue group, and of the subject of this worker alone
	up          atomic.Bool        // the broker is there; nats.go's own look waits while it dials
	away        *server.Bounded
	stop        chan struct{} // ends the news

	keys    atomic.Pointer[map[fleet.KeyID]fleet.Key]
	leaving atomic.Bool // so say the news

	mu       sync.Mutex
	inFlight int
	closing  bool           // requests are refused
	open     sync.WaitGroup // those in flight

	requests *prometheus.CounterVec
	lost     prometheus.Counter
}

// newWorker returns one that has not joined.
func newWorker(subject string, most int, keys []fleet.Key, log *slog.Logger) *worker {
	w := &worker{
		id: fleet.NewWorkerID(), subject: fleet.Subject(subject), most: most, log: log, stop: make(chan struct{}),
		away: server.NewBounded(log, "nats away: trying again"),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fountd_fleet_requests_total", Help: "Requests of the fleet that have ended, by what became of them.",
		}, []string{"outcome"}),
		lost: prometheus.NewCounter(prometheus.CounterOpts{Name: "fountd_nats_connections_lost_total", Help: "Connections to the broker that were lost."}),
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
	return []prometheus.Collector{w.requests, w.lost,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "fountd_fleet_requests_in_flight", Help: "Requests of the fleet under way."}, func() float64 {
			w.mu.Lock()
			defer w.mu.Unlock()
			return float64(w.inFlight)
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "fountd_nats_connected", Help: "1 while the broker is there, 0 while it is away."}, func() float64 {
			if w.up.Load() {
				return 1
			}
			return 0
		}),
	}
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

// setKeys replaces the fleet's keys. Requests to a key that is gone are refused from then on.
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

// join connects, and keeps trying for ever if the broker is away. The error is one of the settings'.
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
			w.lost.Inc()
			w.away.Add("error", cmp.Or(err, nats.ErrConnectionClosed))
		}
	}
	faults := server.NewBounded(w.log, "nats")
	all := append(natsconn.Options(), nats.Name("fountd "+version()),
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
	if c.NATSCreds != "" {
		path, err := config.SecretPath(c.NATSCreds)
		if err != nil {
			return nil, fmt.Errorf("nats-creds: %w", err)
		}
		all = append(all, nats.UserCredentials(path))
	}
	if c.NATSCA != "" {
		all = append(all, nats.RootCAs(c.NATSCA))
	}
	return all, nil
}

// tell publishes the worker's news.
func (w *worker) tell() {
	for tick := time.Tick(fleet.NewsEvery); ; {
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
	if err := w.nc.Publish(to, message); err != nil { // the client has lost its way too, or asks another
		w.log.Debug("a message had no way", "error", err)
	}
}

// receive takes in a request and returns at once: the work is done on a goroutine.
func (w *worker) receive(request []byte, to string) {
	if refusal := w.enter(); refusal != 0 {
		w.requests.WithLabelValues("busy").Inc()
		w.send(to, refusal.Reply())
		return
	}
	go func() {
		defer w.done()
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

// enter counts a request, or says why it can't be admitted; 0: it is.
func (w *worker) enter() fleet.Refusal {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.closing:
		return fleet.Closing
	case w.inFlight == w.most:
		return fleet.Busy
	}
	w.inFlight++
	w.open.Add(1)
	return 0
}

func (w *worker) done() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.inFlight--
	w.open.Done()
}

// leave says that the worker drains and takes it out of the queue group; goes on with what clients send to this worker alone until they
// have heard that; refuses what comes then, so that they ask another; and closes the connection once all answers are sent. The error says
// that ctx was done while requests were in flight. It is called once.
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
	w.mu.Lock()
	w.closing = true
	w.mu.Unlock()
	idle := make(chan struct{})
	go func() {
		w.open.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-ctx.Done():
		return fmt.Errorf("requests of the fleet in flight: %w", ctx.Err())
	}
	w.own.Drain()
	if w.up.Load() {
		return w.nc.FlushTimeout(time.Second)
	}
	return nil
}
