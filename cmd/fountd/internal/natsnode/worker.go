// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package natsnode joins a worker to its fleet over NATS: it keeps the connection, opens requests, seals what they are answered,
// and leaves in an order that loses none.
package natsnode

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"fount/internal/fleet"
	"fount/remote/natsconn"
)

// Options set up a Worker.
type Options struct {
	// Answer answers a message of the API, and wipes its body.
	Answer func(ctx context.Context, path string, body []byte) (status int, reply []byte)
	Wait   func() time.Duration // until all that the worker has now is done
	Calls  int                  // that may be under way at once, from 1; the next one is refused unopened
	Keys   []fleet.Key          // the fleet's

	Subject fleet.Subject
	URL     string // of the broker, several with commas
	NKey    string // paths of what the broker knows this worker by; "": none
	Creds   string
	CA      string // path of the authorities of the broker's certificate, in PEM; "": the system's
	Build   string // this program's version, for whoever asks
	Log     *slog.Logger
}

// A Worker is this process's place in its fleet. Its methods may be called from any goroutine.
type Worker struct {
	node    *node
	subject fleet.Subject
	nc      *nats.Conn
	service micro.Service      // the queue group
	own     *nats.Subscription // the subject of this worker alone
	log     *slog.Logger

	again chan struct{} // has news published at once
	stop  chan struct{} // closed when they no longer shall be
	quiet chan struct{} // closed when they no longer are

	late time.Duration // how late a client may hear of something

	up atomic.Bool // the broker is there; nats.go's own look waits while it dials

	mu     sync.Mutex
	faults map[string]bool // those that were logged since the connection was there
	lost   uint64
	slow   map[*nats.Subscription]uint64 // messages dropped, when last known: by own, and by micro's once nats.go says that it drops
}

// Join connects, and keeps trying for ever if the broker is away. The error is one of the options'.
func Join(o Options) (*Worker, error) {
	w := &Worker{node: newNode(o), subject: o.Subject, log: o.Log, faults: map[string]bool{}, slow: map[*nats.Subscription]uint64{}, again: make(chan struct{}, 1), stop: make(chan struct{}), quiet: make(chan struct{}), late: fleet.NewsEvery}
	options, err := w.options(o)
	if err != nil {
		return nil, fmt.Errorf("nats: %w", err)
	}
	if w.nc, err = nats.Connect(o.URL, options...); err != nil {
		return nil, fmt.Errorf("nats: %w", err)
	}
	if err := w.listen(o.Build); err != nil {
		w.nc.Close()
		return nil, fmt.Errorf("nats: %w", err)
	}
	go w.tell()
	return w, nil
}

func (w *Worker) options(o Options) ([]nats.Option, error) {
	all := append(natsconn.Options(), nats.Name(serviceName+" "+o.Build),
		nats.ConnectHandler(w.connected), nats.ReconnectHandler(w.connected),
		nats.DisconnectErrHandler(w.disconnected), nats.ReconnectErrHandler(w.failed),
		nats.ErrorHandler(w.erred))
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

// listen makes the worker a micro service, which answers PING, INFO and STATS, and takes what is sent to it alone.
func (w *Worker) listen(build string) (err error) {
	w.service, err = micro.AddService(w.nc, micro.Config{
		Name:         serviceName,
		Version:      "2.0.0", // of the messages
		Description:  "verifies and hashes passwords; requests are sealed to the fleet's key",
		Metadata:     map[string]string{"build": build, "worker": w.node.id.String()},
		StatsHandler: func(*micro.Endpoint) any { return w.node.counts() },
	})
	if err != nil {
		return err
	}
	shared := micro.HandlerFunc(func(r micro.Request) { w.receive(r.Data(), r.Reply()) })
	if err := w.service.AddEndpoint("any", shared, micro.WithEndpointSubject(w.subject.Any()), micro.WithEndpointQueueGroup(fleet.Group)); err != nil {
		return err
	}
	w.own, err = w.nc.Subscribe(w.subject.Worker(w.node.id), func(m *nats.Msg) { w.receive(m.Data, m.Reply) })
	w.mu.Lock()
	w.slow[w.own] = 0
	w.mu.Unlock()
	return err
}

// receive hands a message to the node. The answer does not go by micro's Respond, which is for handlers that answer before they
// return.
func (w *Worker) receive(message []byte, to string) {
	w.node.handle(message, func(reply []byte) {
		if err := w.nc.Publish(to, reply); err != nil {
			w.log.Debug("an answer had no way", "error", err) // its client has lost its way too, or asks another
		}
	})
}

// tell publishes the worker's news, at once when the broker has come back.
func (w *Worker) tell() {
	defer close(w.quiet)
	tick := time.NewTicker(fleet.NewsEvery)
	defer tick.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
		case <-w.again:
		}
		w.publish(w.node.news())
	}
}

func (w *Worker) publish(news []byte) {
	if !w.Connected() {
		return
	}
	if err := w.nc.Publish(w.subject.News(), news); err != nil {
		w.log.Debug("news had no way", "error", err)
	}
}

func (w *Worker) connected(nc *nats.Conn) {
	w.up.Store(true)
	w.mu.Lock()
	clear(w.faults)
	w.mu.Unlock()
	select {
	case w.again <- struct{}{}:
	default:
	}
	w.log.Info("nats connected", "broker", nc.ConnectedServerName(), "address", nc.ConnectedAddr())
}

func (w *Worker) disconnected(nc *nats.Conn, err error) {
	w.up.Store(false)
	if nc.IsClosed() { // by Leave
		return
	}
	w.mu.Lock()
	w.lost++
	w.mu.Unlock()
	w.failed(nc, err)
}

func (w *Worker) failed(_ *nats.Conn, err error) {
	if err == nil {
		err = errors.New("the connection was closed")
	}
	w.complain(slog.LevelWarn, "nats away: trying again", err)
}

// erred is called with what has no caller to return it to.
func (w *Worker) erred(_ *nats.Conn, s *nats.Subscription, err error) {
	if errors.Is(err, nats.ErrSlowConsumer) { // when it begins to drop
		w.mu.Lock()
		n := uint64(1) // at least
		if now, err := s.Dropped(); err == nil {
			n = uint64(now)
		}
		w.slow[s] = max(w.slow[s], n)
		w.mu.Unlock()
	}
	w.complain(slog.LevelError, "nats", err)
}

// dropped is how many messages nats.go has dropped because too many waited: 500,000 or 64 MB of a subscription.
func (w *Worker) dropped() (sum uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for s, n := range w.slow {
		if now, err := s.Dropped(); err == nil { // a subscription that has ended does not say
			n = max(n, uint64(now))
			w.slow[s] = n
		}
		sum += n
	}
	return sum
}

// maxFaults is how many faults are logged until the connection is there again: one for each of a few brokers, and how they went.
const maxFaults = 8

// complain logs each fault once, and not each attempt or each of the news: there are ten a second, of each broker.
func (w *Worker) complain(level slog.Level, message string, err error) {
	w.mu.Lock()
	known := w.faults[err.Error()] || len(w.faults) == maxFaults
	if !known {
		w.faults[err.Error()] = true
	}
	w.mu.Unlock()
	if !known {
		w.log.Log(context.Background(), level, message, "error", err)
	}
}

// Connected reports whether the broker is there.
func (w *Worker) Connected() bool { return w.up.Load() }

// SetKeys replaces the fleet's keys.
func (w *Worker) SetKeys(keys []fleet.Key) { w.node.setKeys(keys) }

// Leave says that the worker drains and takes it out of the queue group, so that new requests go to others; has the node answer
// what has arrived or is on its way; and closes the connection once the answers are sent. The error says that ctx was done while
// requests were in flight. It is called once.
func (w *Worker) Leave(ctx context.Context) error {
	defer w.nc.Close()
	close(w.stop)
	<-w.quiet // so that no other news come behind those that it drains
	w.node.leaves()
	w.publish(w.node.news())
	w.dropped() // before the subscriptions end, and do not say
	err := errors.Join(w.service.Stop(), w.settle(ctx))
	w.linger(ctx)
	err = errors.Join(err, w.node.drain(ctx))
	w.dropped()
	// Until here the node refused what was sent to this worker alone, so that no client waited for it.
	return errors.Join(err, w.own.Drain(), w.settle(ctx))
}

// linger lets the node go on with what clients send to this worker alone before they have heard that it drains: it returns when
// none has come for a while, after ten of those, or when ctx is done.
func (w *Worker) linger(ctx context.Context) {
	tick := time.NewTicker(w.late)
	defer tick.Stop()
	received := w.node.counts().Received
	for i := 0; i < 10 && w.Connected(); i++ {
		select {
		case <-tick.C:
			w.publish(w.node.news()) // again: a reply made before the first may have come behind it
		case <-ctx.Done():
			return
		}
		before := received
		if received = w.node.counts().Received; received == before {
			return
		}
	}
}

// settle returns when the broker has all that was sent until now, and the node all that the broker sent before it knew. With a
// broker that goes away there is nothing to wait for, and once ctx is done no time: what is in flight then, the node's Drain says.
func (w *Worker) settle(ctx context.Context) error {
	if !w.Connected() {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, time.Minute) // nats.go wants a deadline; a silent broker is given up long before
	defer cancel()
	if err := w.nc.FlushWithContext(within); err != nil {
		if !w.Connected() || ctx.Err() != nil {
			return nil
		}
		return err
	}
	done := make(chan struct{})
	if err := w.nc.Barrier(func() { close(done) }); err != nil {
		return err
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
	return nil
}
