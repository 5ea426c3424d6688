// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fountprometheus exposes fount's figures to Prometheus: what becomes of passwords, and how random values are made.
// docs/telemetry.md has a row for each metric.
//
// All figures are read when Prometheus scrapes, from one snapshot of the pool: draws and hashes pay nothing. Every series is
// there from the first scrape, with 0, so rate() misses no first event. Their number does not depend on what clients send:
// labels are the pool's name, class, algorithm, outcome and reason, and never a principal or a cost. A pool has some 400 series
// with classic buckets, and the process 60.
//
// Histograms are native and classic at once. Native ones have buckets a fifth (19 %) apart, from 61 µs to 128 s, and what
// takes longer is counted as up to 152 s. Prometheus reads them with its option for native histograms; otherwise it reads the
// classic buckets, which are an octave apart.
package fountprometheus

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"

	"fount/password"
	"fount/telemetry"
	"fount/telemetry/internal/metrics"
)

// Register registers pool with reg, under a name that becomes the label "pool" of all its series: two pools of one registry
// need two names. The first pool also registers what concerns the whole process, random values and the scheduler's lateness;
// a nil pool registers just that.
//
// It returns the collector of the pool, for reg.Unregister before the pool is dropped, or of the process if pool is nil. The
// error is reg's: a prometheus.AlreadyRegisteredError if the name is taken.
//
// Collectors may be read from any goroutine.
func Register(reg prometheus.Registerer, pool *password.Pool, name string) (prometheus.Collector, error) {
	if !utf8.ValidString(name) {
		return nil, fmt.Errorf("fountprometheus: the pool's name is %q; want UTF-8", name)
	}
	process := newCollector(metrics.Process, readProcess, nil)
	err := reg.Register(process)
	registered, already := errors.AsType[prometheus.AlreadyRegisteredError](err)
	switch {
	case err != nil && !already:
		return nil, err
	case pool == nil && already:
		return registered.ExistingCollector, nil
	case pool == nil:
		return process, nil
	}
	read := func() (*password.Stats, time.Time) {
		s := pool.Stats()
		return &s, s.Start
	}
	c := newCollector(metrics.Pool, read, prometheus.Labels{"pool": name})
	if err := reg.Register(c); err != nil {
		return nil, err
	}
	return c, nil
}

// readProcess does not know since when its figures count.
func readProcess() (*telemetry.Report, time.Time) {
	r := telemetry.Read()
	return &r, time.Time{}
}
