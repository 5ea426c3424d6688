// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What goes to a log: one line when an overload begins, one when it has ended; and an Observation's attributes.

import (
	"context"
	"log/slog"

	"fount/password/internal/sched"
)

// A recorder writes the lines, and remembers how an overload began.
type recorder struct {
	logger *slog.Logger
	before ClassStats
}

// overload is the scheduler's notice, one at a time.
func (p *Pool) overload(began bool, s sched.Stats) {
	st := p.statsOf(s)
	r := &p.record
	logger := r.logger
	if logger == nil {
		logger = slog.Default()
	}
	total := st.Total()
	if began {
		r.before = total
		logger.LogAttrs(context.Background(), slog.LevelWarn, "password pool overloaded",
			slog.Int("depth", total.Queued),
			slog.Duration("wait", st.Wait),
			slog.Int("workers", st.Workers),
			slog.String("advice", advice(st, RefusedFor{})))
		return
	}
	logger.LogAttrs(context.Background(), slog.LevelInfo, "password pool no longer overloaded",
		slog.Int("depth", total.Queued),
		slog.Duration("wait", st.Wait),
		slog.Duration("lasted", st.Overload),
		slog.Uint64("refused", total.Refused-r.before.Refused),
		slog.Uint64("dropped", total.Dropped-r.before.Dropped),
		slog.String("advice", advice(st, since(total.RefusedFor, r.before.RefusedFor))))
}

func since(now, then RefusedFor) RefusedFor {
	return RefusedFor{
		Deadline: now.Deadline - then.Deadline,
		Queue:    now.Queue - then.Queue,
		Share:    now.Share - then.Share,
	}
}

// advice says what to look at first. docs/runbook.md has the same in full.
func advice(s Stats, refused RefusedFor) string {
	switch {
	case refused.Share > refused.Deadline+refused.Queue:
		return "one principal asks for most: see Stats.Top, and limit it in front of the pool"
	case refused.Queue > refused.Deadline:
		return "the queue is full before MaxWait: raise Options.Queue"
	case s.MemoryInUse > 0 && s.Memory-s.MemoryInUse < s.MemoryInUse/int64(max(s.Busy, 1)) && s.Busy < s.Workers:
		return "memory runs out before the workers do: raise Options.Memory"
	}
	return "more logins than these workers can hash: see Stats.Top for a flood, add cores or machines"
}

// LogValue returns what slog logs of an Observation: the group op, class, outcome, reason, algorithm, cost, wait, service,
// lanes, total. Algorithm and cost are there if Algorithm is known, service and lanes if a worker had the call. Err is not:
// a context's cause may say anything, and outcome and reason say enough.
func (o Observation) LogValue() slog.Value {
	attrs := make([]slog.Attr, 0, 10)
	attrs = append(attrs,
		slog.String("op", o.Op), slog.String("class", o.Class.String()),
		slog.String("outcome", o.Outcome.String()), slog.String("reason", o.Reason.String()))
	if o.Algorithm != 0 {
		attrs = append(attrs, slog.String("algorithm", o.Algorithm.String()), slog.String("cost", o.Cost()))
	}
	attrs = append(attrs, slog.Duration("wait", o.Wait))
	if o.Lanes > 0 {
		attrs = append(attrs, slog.Duration("service", o.Service), slog.Int("lanes", o.Lanes))
	}
	return slog.GroupValue(append(attrs, slog.Duration("total", o.Total))...)
}
