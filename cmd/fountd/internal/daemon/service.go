// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

// The start, the signals and the end. reload.go has what a reload changes.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/prometheus/client_golang/prometheus"

	"fount/cmd/fountd/internal/config"
	"fount/cmd/fountd/internal/server"
	"fount/cmd/internal/policytext"
	"fount/password"
)

// A service is fountd while it runs.
type service struct {
	args  []string
	lines *logWriter
	log   *slog.Logger

	config *config.Config // in force, as are
	files  files          // the files that it names

	rings []*password.KeyRing // all that were made: each stays in locked memory until the process ends

	pool      *server.Pool
	tls       *certificates
	server    *server.Server
	worker    *worker // nil without --nats
	listeners []listener
	keyInfo   *prometheus.GaugeVec
}

// What fountd holds beside its pools, in bytes. Above the sum the collector runs more often:
// otherwise connections that come and go in thousands leave twice as much.
const (
	ownMemory  = 32 << 20
	connMemory = 32 << 10 // of each connection that MaxConns allows
)

// run serves until SIGTERM or SIGINT, or until a listener fails.
func run(c *config.Config, args []string, lines *logWriter) error {
	if err := harden(); err != nil {
		return err
	}

	// signal.Notify drops signals for a full channel. One that waits is enough.
	hangups := make(chan os.Signal, 1)
	ends := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE) // a log without a reader must not end the process

	s := &service{args: args, lines: lines, log: slog.New(slog.NewTextHandler(lines, nil)), config: c}
	defer func() {
		for _, l := range s.listeners {
			l.Close() // removes a Unix socket, if the server has not
		}
	}()
	if err := s.start(); err != nil {
		return err
	}

	// Until here they end the process at once, also where it waits for a file.
	signal.Notify(ends, syscall.SIGTERM)
	if !signal.Ignored(os.Interrupt) { // a shell ignores it for background jobs
		signal.Notify(ends, os.Interrupt)
	}
	return s.serve(hangups, ends)
}

// start opens the listeners, and makes the pool, the server and the worker.
func (s *service) start() error {
	c := s.config
	read, err := s.read(c)
	if err != nil {
		return err
	}

	s.tls = read.tls
	if err := s.listen(); err != nil {
		return err
	}
	debug.SetMemoryLimit(ownMemory + int64(len(s.listeners)*c.MaxConns)*connMemory)

	s.pool, err = server.NewPool(read.options)
	if err != nil {
		return err
	}
	if c.NATS != "" {
		s.worker = newWorker(c.NATSSubject, c.Queue+spareCalls, read.fleet, s.log)
	}
	s.keyInfo = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "fountd_key_info", Help: "1 for each pepper and key of the fleet that is in force, by its ID.",
	}, []string{"kind", "id"})

	metrics := append(s.worker.metrics(), s.keyInfo, s.tls.endMetric(), s.lines.dropped)
	s.server = server.New(server.Options{
		Pool:          s.pool,
		MaxConns:      c.MaxConns,
		MaxHandshakes: c.MaxHandshakes,
		Idle:          c.Idle,
		Log:           s.log,
		State:         s.worker.state,
		Allows:        s.tls.allows,
	}, read.policy, metrics...)

	if err := s.worker.join(c, s.server.Answer, s.pool.Wait); err != nil {
		return err
	}
	s.use(read)
	return nil
}

// serve serves, and reloads at each hangup, until one of ends comes.
func (s *service) serve(hangups, ends <-chan os.Signal) error {
	failed := make(chan error, len(s.listeners))
	for _, l := range s.listeners {
		go func() {
			if l.admin {
				failed <- s.server.ServeAdmin(l)
			} else {
				failed <- s.server.Serve(l, l.tls)
			}
		}()
		s.log.Info("serving", "address", l.String())
	}
	s.log.Info("ready", "policy", policytext.Of(s.config.Policy))
	s.notify(daemon.SdNotifyReady)
	go s.feedWatchdog()

	var drained <-chan struct{} // nil unless a SIGHUP waits for a pool that was replaced
	for {
		select {
		case err := <-failed:
			return errors.Join(err, s.drain())
		case sig := <-ends:
			s.log.Info("draining", "signal", sig.String(), "at_most", s.config.Drain)
			return s.drain()
		case <-hangups:
			drained = s.pool.Drained()
		case <-drained:
			drained = nil
			s.reload()
		}
	}
}

// drain ends the service. Calls in progress get the time of --drain, and a later Ctrl-C ends the
// process at once. A second SIGTERM changes nothing: service managers send it twice, and SIGKILL if
// draining takes too long.
func (s *service) drain() error {
	s.notify(daemon.SdNotifyStopping)
	defer time.AfterFunc(time.Second, func() { signal.Reset(os.Interrupt) }).Stop() // until then one may be a parent's copy
	ctx, cancel := context.WithTimeout(context.Background(), s.config.Drain)
	defer cancel()

	left := make(chan error)
	go func() { left <- s.worker.leave(ctx) }()

	// One after the other: the pool is closed last, as the others' calls need it.
	err := errors.Join(
		s.server.Shutdown(ctx),
		<-left,
		s.pool.Close(ctx),
	)
	switch {
	case err == nil:
		s.log.Info("drained")
	case ctx.Err() != nil: // which err says, in more words
		return fmt.Errorf("calls left unanswered after --drain %v", s.config.Drain)
	}
	return err
}

func (s *service) notify(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		s.log.Warn("the service manager was not told", "error", err)
	}
}

// feedWatchdog tells the service manager that fountd is alive, if it wants to hear that
// (WatchdogSec), as long as the pool answers, as a request for health asks it to.
func (s *service) feedWatchdog() {
	limit, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		s.log.Warn("the service manager's watchdog is not fed", "error", err)
	}
	if limit <= 0 {
		return
	}

	for range time.Tick(limit / 3) {
		s.pool.Wait()
		s.notify(daemon.SdNotifyWatchdog)
	}
}
