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
	"fount/cmd/fountd/internal/hasher"
	"fount/cmd/fountd/internal/natsnode"
	"fount/cmd/fountd/internal/server"
	"fount/internal/fleet"
)

// A membership is this process's part in a fleet. It is nil without --nats, and its methods then do nothing.
type membership struct {
	worker *natsnode.Worker
}

// spareCalls are requests beside those that may wait for a hash: those that are being hashed, opened or refused.
const spareCalls = 1024

// join makes this process a worker. The broker may be away.
func join(c *config.Config, hasher *hasher.Hasher, keys []fleet.Key, log *slog.Logger) (*membership, error) {
	if c.NATS == "" {
		return nil, nil
	}
	o := natsnode.Options{
		Answer: func(ctx context.Context, path string, body []byte) (int, []byte) {
			return server.Answer(ctx, hasher, path, body)
		},
		Wait:  hasher.Wait,
		Calls: c.Queue + spareCalls, Keys: keys,
		Subject: fleet.Subject(c.NATSSubject), URL: c.NATS, CA: c.NATSCA, Build: version(), Log: log,
	}
	var err error
	if o.NKey, err = c.WorkerNKey(os.Getenv); err != nil {
		return nil, fmt.Errorf("nats-nkey: %w", err)
	}
	if o.Creds, err = c.WorkerCreds(os.Getenv); err != nil {
		return nil, fmt.Errorf("nats-creds: %w", err)
	}
	w, err := natsnode.Join(o)
	if err != nil {
		return nil, err
	}
	log.Info("worker", "subject", c.NATSSubject, "keys", ids(keys))
	return &membership{w}, nil
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

// change puts other keys in force.
func (m *membership) change(keys []fleet.Key) {
	if m != nil {
		m.worker.SetKeys(keys)
	}
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
	return m.worker.Leave(ctx)
}
