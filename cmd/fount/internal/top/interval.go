// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

import (
	"strings"
	"time"
)

// An interval is the time between two samples of a process. Where the process began in it, or was not
// seen before, it has no length: rates are 0, and quantiles are those since the process began.
type interval struct {
	was, is *sample
	length  time.Duration
}

// intervalOf returns the interval that ends with is. If there was no sample before, was is nil.
func intervalOf(was, is *sample) interval {
	if was == nil || is.isRestartedSince(was) {
		return interval{was: new(sample), is: is}
	}
	return interval{was: was, is: is, length: is.at.Sub(was.at)}
}

// rate returns by how much a counter of a pool rose a second.
func (i interval) rate(pool, name string) float64 {
	return i.perSecond(i.was.of(pool, name), i.is.of(pool, name))
}

// perSecond returns the rise from was to is a second. It is 0 for a counter that fell, as that
// began anew.
func (i interval) perSecond(was, is float64) float64 {
	if i.length <= 0 || is < was {
		return 0
	}
	return (is - was) / i.length.Seconds()
}

// An outcome is how calls end, and why if they were refused. Calls that compared or made a hash are
// answered.
type outcome struct{ name, reason string }

var answered = outcome{name: "answered"}

// outcomes returns the rates at which calls of a pool end.
func (i interval) outcomes(pool string) map[outcome]float64 {
	rates := make(map[outcome]float64)
	for key, n := range i.is.values {
		if key.name != "fount_password_calls_total" || key.pool != pool {
			continue
		}

		o := outcome{name: key.outcome, reason: strings.TrimPrefix(key.reason, "none")}
		switch o.name {
		case "match", "mismatch", "unknown", "hashed":
			o = answered
		}
		rates[o] += i.perSecond(i.was.values[key], n)
	}
	return rates
}

// quantiles returns the quantiles of a histogram in the interval. Each is the upper end of a bucket,
// up to twice the true value.
func (i interval) quantiles(pool, name string) string {
	key := series{name: name, pool: pool}
	is := i.is.times[key]
	was := i.was.times[key]
	return "p50 " + is.quantile(0.5, was) + "  p99 " + is.quantile(0.99, was)
}
