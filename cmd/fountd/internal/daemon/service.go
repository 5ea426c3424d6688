// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/prometheus/client_golang/prometheus"

	"fount/cmd/fountd/internal/config"
	"fount/cmd/fountd/internal/server"
	"fount/cmd/internal/policytext"
	"fount/internal/fleet"
	"fount/password"
	"fount/password/legacy"
	"fount/remote/api"
)

// A service is fountd while it runs.
type service struct {
	args    []string
	lines   *logWriter
	log     *slog.Logger
	config  *config.Config
	ring    *password.KeyRing // in locked memory until the process ends
	formats *password.Formats // of what named says
	named   string
	pool    *server.Pool
	tls     *certificates
	server  *server.Server
	worker  *worker  // nil without --nats
	shown   []string // the fingerprints of the peppers in use
	inUse   *prometheus.GaugeVec
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
	defer signal.Stop(hangups)
	defer signal.Stop(ends)

	log := slog.New(slog.NewTextHandler(lines, nil))
	s := &service{args: args, lines: lines, log: log, config: c}
	listeners, err := s.start()
	if err != nil {
		for _, l := range listeners {
			l.Close()
		}
		return err
	}

	// Until here they end the process at once, also where it waits for a file.
	signal.Notify(ends, syscall.SIGTERM)
	if !signal.Ignored(os.Interrupt) { // a shell ignores it for background jobs
		signal.Notify(ends, os.Interrupt)
	}

	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() { failed <- s.serve(l) }()
		log.Info("serving", "address", l.String())
	}
	log.Info("ready", "policy", policytext.Of(c.Policy))
	notify(log, daemon.SdNotifyReady)
	go s.feedWatchdog()

	var drained <-chan struct{} // nil unless a SIGHUP waits for a pool that was replaced
	for {
		select {
		case err := <-failed:
			return errors.Join(err, s.drain())
		case sig := <-ends:
			log.Info("draining", "signal", sig.String(), "at_most", s.config.Drain)
			return s.drain()
		case <-hangups:
			drained = s.pool.Drained()
		case <-drained:
			drained = nil
			s.reload()
		}
	}
}

func (s *service) serve(l listener) error {
	if l.admin {
		return s.server.ServeAdmin(l)
	}
	return s.server.Serve(l, l.tls)
}

// start makes the pool, the server and the worker, and opens the listeners, which the caller closes
// after an error.
func (s *service) start() (listeners []listener, err error) {
	c := s.config
	in, err := s.read(c)
	if err != nil {
		return nil, err
	}

	s.tls = in.tls
	if listeners, err = s.listen(); err != nil {
		return listeners, err
	}
	debug.SetMemoryLimit(ownMemory + int64(len(listeners)*c.MaxConns)*connMemory)

	if s.pool, err = server.NewPool(in.options); err != nil {
		return listeners, err
	}
	s.inUse = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "fountd_key_info", Help: "1 for each pepper and key of the fleet that is in force, by its ID.",
	}, []string{"kind", "id"})
	if c.NATS != "" {
		s.worker = newWorker(c.NATSSubject, c.Queue+spareCalls, in.fleet, s.log)
	}
	s.server = server.New(server.Options{
		Pool:          s.pool,
		MaxConns:      c.MaxConns,
		MaxHandshakes: c.MaxHandshakes,
		Idle:          c.Idle,
		Log:           s.log,
		State:         s.worker.state,
		Allows:        s.tls.allows,
	}, in.policy, append(s.worker.metrics(), s.inUse, s.tls.endMetric(), s.lines.dropped)...)

	if s.worker != nil {
		s.worker.answer = s.server.Answer
		s.worker.wait = s.pool.Wait
		if err := s.worker.join(c); err != nil {
			return listeners, errors.Join(err, s.pool.Close(context.Background()))
		}
	}
	s.showKeys(in)
	return listeners, nil
}

// An input holds the contents of the files that a configuration names.
type input struct {
	options password.Options
	policy  api.Policy
	fleet   []fleet.Key
	tls     *certificates
}

func (s *service) read(c *config.Config) (in input, err error) {
	peppers, err := c.ReadPeppers()
	if err != nil {
		return in, err
	}
	defer config.Wipe(peppers)
	in.policy = api.Policy{Policy: policytext.Of(c.Policy), KeyIDs: []string{}, Legacy: c.Legacy}
	for _, k := range peppers {
		in.policy.KeyIDs = append(in.policy.KeyIDs, config.Fingerprint(k))
	}

	in.options = password.Options{Policy: c.Policy, Workers: c.Workers, Memory: c.Memory, Queue: c.Queue, MaxWait: c.MaxWait}
	in.options.Policy.Markers = c.Markers
	if in.options.Policy.Keys, err = s.keys(peppers); err != nil {
		return in, err
	}
	if in.options.Policy.Formats, err = s.formatsOf(c); err != nil {
		return in, err
	}
	if in.options.Stored, err = c.ReadStored(in.options.Policy); err != nil {
		return in, err
	}

	if in.fleet, err = c.ReadFleetKeys(); err != nil {
		return in, err
	}
	in.tls, err = newCertificates(c)
	return in, err
}

// formatsOf returns the formats of c: those of all makers, and of each named one all that it
// writes. If c names the same as before, they are the same, as a policy is compared by them.
func (s *service) formatsOf(c *config.Config) (formats *password.Formats, err error) {
	named := fmt.Sprint(c.Legacy, c.Forms)
	if s.formats != nil && s.named == named {
		return s.formats, nil
	}

	var list []password.Format
	if c.Legacy {
		list = legacy.List()
	}
	for _, name := range c.Forms {
		form, err := legacy.Form(name)
		if err != nil {
			return nil, err
		}
		list = append(list, form)
	}

	if s.formats, err = password.NewFormats(list...); err == nil {
		s.named = named
	}
	return s.formats, err
}

// keys returns the ring of these peppers, or nil if there are none.
func (s *service) keys(peppers []password.Key) (*password.KeyRing, error) {
	if len(peppers) == 0 {
		return nil, nil
	}
	if s.ring.EqualKeys(peppers...) {
		return s.ring, nil
	}

	ring, err := password.NewKeyRing(peppers[0], peppers[1:]...)
	if err == nil {
		s.ring = ring
	}
	return ring, err
}

// showKeys logs which peppers and fleet keys are in use, so that servers can be compared.
func (s *service) showKeys(in input) {
	s.inUse.Reset()
	s.shown = in.policy.KeyIDs
	for _, id := range in.policy.KeyIDs {
		s.inUse.WithLabelValues("pepper", id).Set(1)
	}

	var keys []string
	for _, k := range in.fleet {
		keys = append(keys, k.ID.String())
		s.inUse.WithLabelValues("fleet", k.ID.String()).Set(1)
	}

	s.log.Info("in use", "peppers", strings.Join(in.policy.KeyIDs, " "), "fleet_keys", strings.Join(keys, " "))
	go warnIfWeak(s.pool.Current(), in.options.Policy, s.log)
}

// warnIfWeak makes one hash, within the pool's memory, and warns if the policy is too cheap,
// perhaps by a mistake in units.
func warnIfWeak(pool *password.Pool, p password.Policy, log *slog.Logger) {
	encoded, err := pool.Hash(context.Background(), password.Login{Upgrade: true}, []byte("policy"))
	if err != nil {
		return // calls will report it
	}
	if warning := policytext.Weakness(p, encoded); warning != "" {
		log.Warn(warning)
	}
}

// reload reads the settings again. After an error the old ones stay in force.
func (s *service) reload() {
	notify(s.log, reloading())
	defer notify(s.log, daemon.SdNotifyReady)
	if err := s.tryReload(); err != nil {
		s.log.Error("not reloaded: the old settings stay in force", "error", err)
	}
}

func (s *service) tryReload() error {
	c, err := config.Load(s.args)
	if err != nil {
		return err
	}
	in, err := s.read(c)
	if err != nil {
		return err
	}
	if err := checkFingerprints(s.shown, in.policy.KeyIDs); err != nil {
		return err
	}
	if err := s.tls.checkReplace(in.tls); err != nil {
		return err
	}

	newPool, err := s.pool.Change(in.options)
	if err != nil {
		return err
	}
	s.worker.setKeys(in.fleet)
	s.worker.setMaxCalls(c.Queue + spareCalls)
	newTLS := s.tls.replace(in.tls)
	s.server.Change(in.policy)

	live, restart := s.config.Changed(c)
	if len(restart) > 0 {
		s.log.Warn("settings that only a restart changes", "settings", strings.Join(restart, " "))
	}
	s.config = c
	s.log.Info("reloaded", "settings", cmp.Or(strings.Join(live, " "), "as before"), "new_pool", newPool, "new_certificates", newTLS, "policy", policytext.Of(c.Policy))
	s.showKeys(in)
	return nil
}

// checkFingerprints returns an error if a pepper gets another secret under its old ID: no password
// would match the hashes with that ID.
func checkFingerprints(now, next []string) error {
	for _, is := range now {
		for _, id := range next {
			sameID := id[:len(id)-8] == is[:len(is)-8]
			if sameID && id != is {
				return fmt.Errorf("pepper %s would be %s: give the new secret a new ID, or restart if no hash has this ID", is, id)
			}
		}
	}
	return nil
}

// copies is how long further interrupts may be copies of the first one that a parent passed on.
const copies = time.Second

// drain ends the service. Calls in progress get the time of --drain, and a later Ctrl-C ends the
// process at once. A second SIGTERM changes nothing: service managers send it twice, and SIGKILL if
// draining takes too long.
func (s *service) drain() error {
	notify(s.log, daemon.SdNotifyStopping)
	defer time.AfterFunc(copies, func() { signal.Reset(os.Interrupt) }).Stop()
	ctx, cancel := context.WithTimeout(context.Background(), s.config.Drain)
	defer cancel()

	left := make(chan error, 2)
	go func() { left <- s.worker.leave(ctx) }()
	go func() { left <- s.server.Shutdown(ctx) }()
	err := errors.Join(<-left, <-left, s.pool.Close(ctx))
	switch {
	case err == nil:
		s.log.Info("drained")
	case ctx.Err() != nil:
		return fmt.Errorf("calls left unanswered after --drain %v", s.config.Drain)
	}
	return err
}

func notify(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("the service manager was not told", "error", err)
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
		notify(s.log, daemon.SdNotifyWatchdog)
	}
}
