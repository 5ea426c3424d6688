// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/prometheus/client_golang/prometheus"

	"fount/cmd/fountd/internal/config"
	"fount/cmd/fountd/internal/fleetnode"
	"fount/cmd/fountd/internal/hasher"
	"fount/cmd/fountd/internal/natsnode"
	"fount/internal/fleet"
	"fount/password"
)

// A membership is this process's part in a fleet. It is nil without --nats, and its methods then do nothing.
type membership struct {
	node   *fleetnode.Node
	broker *natsnode.Broker // nil: elsewhere
	worker *natsnode.Worker
	log    *slog.Logger
}

// spareCalls are requests beside those that may wait for a hash: those that are being hashed, opened or refused.
const spareCalls = 1024

// join makes this process a worker, with a broker of its own if the configuration says so. A broker elsewhere may be away.
func join(c *config.Config, hasher *hasher.Hasher, keys []fleet.Key, log *slog.Logger) (m *membership, err error) {
	if c.NATS == "" {
		return nil, nil
	}
	m = &membership{log: log}
	defer func() {
		if err != nil && m.broker != nil {
			m.broker.Stop()
		}
	}()
	estimates := func() password.Estimates { return hasher.Pool().Estimates() }
	if m.node, err = fleetnode.New(fleetnode.Options{Hasher: hasher, Policy: c.Policy, Estimates: estimates, Calls: c.Queue + spareCalls}, keys...); err != nil {
		return nil, err
	}
	o := natsnode.Options{Node: m.node, Subject: fleet.Subject(c.NATSSubject), CA: c.NATSCA, Build: version(), Log: log}
	if o.NKey, err = c.WorkerNKey(os.Getenv); err != nil {
		return nil, fmt.Errorf("nats-nkey: %w", err)
	}
	if o.Creds, err = c.WorkerCreds(os.Getenv); err != nil {
		return nil, fmt.Errorf("nats-creds: %w", err)
	}
	if c.NATS != config.Embedded {
		o.URL = c.NATS
	} else {
		if m.broker, err = natsnode.Start(brokerOptions(c, log)); err != nil {
			return nil, err
		}
		o.Broker = m.broker
		log.Info("broker", "address", m.broker.Address(), "cluster", m.broker.ClusterAddress())
	}
	if m.worker, err = natsnode.Join(o); err != nil {
		return nil, err
	}
	log.Info("worker", "subject", c.NATSSubject, "keys", ids(keys))
	return m, nil
}

func brokerOptions(c *config.Config, log *slog.Logger) natsnode.BrokerOptions {
	return natsnode.BrokerOptions{Listen: c.NATSListen, Cluster: c.NATSCluster, Routes: c.NATSRoutes, File: c.NATSConfig, Log: log}
}

// ids are the names of keys, for logs.
func ids(keys []fleet.Key) string {
	text := ""
	for i, k := range keys {
		if i > 0 {
			text += " "
		}
		text += k.ID.String()
	}
	return text
}

// change puts other keys and another policy in force, and what the broker's file says now.
func (m *membership) change(c *config.Config, keys []fleet.Key) error {
	if m == nil {
		return nil
	}
	m.node.Change(c.Policy, keys...)
	if m.broker != nil {
		return m.broker.Reload(brokerOptions(c, m.log))
	}
	return nil
}

// state is a line for /readyz.
func (m *membership) state() string {
	switch {
	case m == nil:
		return ""
	case m.worker.Connected():
		return "nats: connected\n"
	}
	return "nats: away\n"
}

// metrics are those of the fleet.
func (m *membership) metrics() []prometheus.Collector {
	if m == nil {
		return nil
	}
	return []prometheus.Collector{m.worker}
}

// leave answers what has arrived and leaves the fleet.
func (m *membership) leave(ctx context.Context) error {
	if m == nil {
		return nil
	}
	err := m.worker.Leave(ctx)
	if m.broker != nil {
		m.broker.Stop()
	}
	return err
}
