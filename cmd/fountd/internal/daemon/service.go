// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/coreos/go-systemd/v22/daemon"

	"fount/cmd/fountd/internal/config"
	"fount/cmd/fountd/internal/hasher"
	"fount/cmd/fountd/internal/server"
	"fount/internal/policytext"
	"fount/password"
	"fount/password/legacy"
	"fount/remote/api"
)

// A service is fountd while it runs.
type service struct {
	args   []string
	log    *slog.Logger
	config *config.Config
	keys   keys
	hasher *hasher.Hasher
	tls    *certificates
	server *server.Server
	fleet  *membership
}

// run serves until SIGTERM or SIGINT, or until a listener fails.
func run(c *config.Config, args []string, log *slog.Logger) error {
	if err := harden(); err != nil {
		return err
	}
	// A channel drops what it has no room for. SIGHUP has its own: one that waits stands for all, and none keeps SIGTERM out.
	hangups, ends := make(chan os.Signal, 1), make(chan os.Signal, 2)
	signal.Notify(hangups, syscall.SIGHUP)
	signal.Notify(ends, syscall.SIGTERM)
	if !signal.Ignored(os.Interrupt) { // as it is in a shell's background job
		signal.Notify(ends, os.Interrupt)
	}
	defer signal.Stop(hangups)
	defer signal.Stop(ends)

	s := &service{args: args, log: log, config: c}
	options, policy, err := s.options(c)
	if err != nil {
		return err
	}
	fleetKeys, err := c.ReadFleetKeys(os.Getenv)
	if err != nil {
		return err
	}
	if s.tls, err = newCertificates(c, s.log); err != nil {
		return err
	}
	listeners, err := s.listen()
	if err != nil {
		return err
	}
	if s.hasher, err = hasher.New(options); err != nil {
		closeAll(listeners)
		return err
	}
	if s.fleet, err = join(c, s.hasher, fleetKeys, log); err != nil {
		closeAll(listeners)
		return errors.Join(err, s.hasher.Close(context.Background()))
	}
	s.server = server.New(server.Options{
		Hasher: s.hasher, MaxConns: fit(c.MaxConns, len(listeners), log), Idle: c.Idle, Log: log, AccessLog: c.AccessLog,
		State: s.fleet.state, Metrics: s.fleet.metrics(), Allows: s.tls.allows,
	}, policy)

	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() { failed <- s.server.Serve(l.Listener, l.tls) }()
		log.Info("serving", "address", l.String())
	}
	log.Info("ready", "policy", policytext.Of(c.Policy))
	s.judge(options.Policy)
	notify(log, daemon.SdNotifyReady)
	for {
		select {
		case err := <-failed:
			return errors.Join(err, s.drain(ends))
		case sig := <-ends:
			log.Info("draining", "signal", sig.String(), "at_most", s.config.Drain)
			return s.drain(ends)
		case <-hangups:
			s.reload()
		}
	}
}

// options are the hasher's, by the configuration.
func (s *service) options(c *config.Config) (o password.Options, policy api.Policy, err error) {
	o = password.Options{
		Policy: c.Policy, Stored: c.Samples, Workers: c.Workers, Memory: c.Memory, Queue: c.Queue, MaxWait: c.MaxWait,
	}
	if o.Policy.Keys, err = s.keys.ring(c); err != nil {
		return o, policy, err
	}
	o.Policy.Markers = c.Markers
	if c.Legacy {
		o.Policy.Formats = legacy.All()
	}
	policy = describe(o.Policy)
	if len(c.Peppers) > 0 {
		policy.KeyID = c.Peppers[0].ID
	}
	return o, policy, nil
}

// judge warns of a policy that a slip of units makes too cheap, by one hash of it.
func (s *service) judge(p password.Policy) {
	encoded, err := password.Hash(p, []byte("policy"))
	if err != nil {
		return // calls say so
	}
	if info, err := password.Inspect(encoded); err == nil && info.BelowOWASP {
		s.log.Warn("the policy is below OWASP's minimum: use it for tests only", "policy", policytext.Of(p), "algorithm", info.Name)
	}
}

// describe has those figures of a policy that its algorithm uses.
func describe(p password.Policy) api.Policy {
	d := api.Policy{Algorithm: p.Algorithm.String(), MaxPassword: p.MaxPassword}
	if d.MaxPassword == 0 {
		d.MaxPassword = 1024
	}
	switch p.Algorithm {
	case password.Bcrypt:
		d.Cost = p.Cost
		if p.Keys == nil {
			d.MaxPassword = 72 // of a new hash
		}
	case password.Scrypt:
		d.Cost, d.BlockSize, d.Parallelism = p.Cost, max(p.BlockSize, 1), max(p.Parallelism, 1)
		if p.BlockSize == 0 {
			d.BlockSize = 8
		}
	case password.PBKDF2SHA256, password.PBKDF2SHA512:
		d.Iterations = p.Iterations
	default:
		d.Memory, d.Iterations, d.Parallelism = p.Memory, p.Iterations, max(p.Parallelism, 1)
	}
	return d
}

// reload reads the settings again. After an error those that are in force stay.
func (s *service) reload() {
	notify(s.log, reloading())
	defer notify(s.log, daemon.SdNotifyReady)
	if err := s.tryReload(); err != nil {
		s.log.Error("not reloaded: the settings before it stay in force", "error", err)
	}
}

func (s *service) tryReload() error {
	c, err := config.Load(s.args, os.Environ())
	if err != nil {
		return err
	}
	options, policy, err := s.options(c)
	if err != nil {
		return err
	}
	fleetKeys, err := c.ReadFleetKeys(os.Getenv)
	if err != nil {
		return err
	}
	next, err := newCertificates(c, s.log)
	if err != nil {
		return err
	}
	if err := s.tls.replaceable(next); err != nil {
		return err
	}
	replaced, err := s.hasher.Change(options)
	if err != nil {
		return err
	}
	s.fleet.change(fleetKeys)
	s.tls.replace(next)
	s.server.Change(policy, c.AccessLog)
	live, restart := s.config.Changed(c)
	if len(restart) > 0 {
		s.log.Warn("settings that a restart alone changes", "settings", strings.Join(restart, " "))
	}
	s.config = c
	s.log.Info("reloaded", "changed", strings.Join(live, " "), "new_pool", replaced, "policy", policytext.Of(c.Policy))
	s.judge(options.Policy)
	return nil
}

// drain ends the service: calls in progress have the time of --drain, or until another signal.
func (s *service) drain(ends <-chan os.Signal) error {
	notify(s.log, daemon.SdNotifyStopping)
	ctx, cancel := context.WithTimeout(context.Background(), s.config.Drain)
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-ends:
			cancel()
		case <-stop:
		}
	}()
	left := make(chan error, 1)
	go func() { left <- s.fleet.leave(ctx) }()
	err := errors.Join(s.server.Shutdown(ctx), <-left, s.hasher.Close(ctx))
	if ctx.Err() != nil && err != nil {
		return fmt.Errorf("calls were left unanswered after --drain %v", s.config.Drain)
	}
	if err == nil {
		s.log.Info("drained")
	}
	return err
}

func notify(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("the service manager was not told", "error", err)
	}
}
