// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import "log/slog"

// LogValue returns what slog logs of an Observation: the group op, upgrade, outcome, reason, algorithm, cost, wait, service,
// lanes, total. Algorithm and cost are there if Algorithm is known, service and lanes if a worker had the call. Err is not:
// a context's cause may say anything, and outcome and reason say enough.
func (o Observation) LogValue() slog.Value {
	attrs := make([]slog.Attr, 0, 10)
	attrs = append(attrs,
		slog.String("op", o.Op), slog.Bool("upgrade", o.Upgrade),
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
