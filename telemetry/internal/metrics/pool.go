// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package metrics

import "fount/password"

var (
	class     = []string{"class"}
	algorithm = []string{"algorithm"}
)

// Pool is what is told of a pool.
var Pool = []Family[*password.Stats]{
	{
		"fount_password_calls_submitted_total",
		"Calls of Verify and Hash that have begun: the demand. At every moment they are the sum of calls and calls_in_flight.",
		Counter, class,
		byClass(func(o *Output, class string, c *password.ClassStats) { o.number(float64(c.Calls.Started), class) }),
	},
	{
		"fount_password_calls_total",
		"Calls that have ended, by what became of them and why.",
		Counter, []string{"class", "outcome", "reason"},
		byClass(func(o *Output, class string, c *password.ClassStats) {
			for _, ended := range c.Calls.Outcomes {
				outcome := ended.Outcome.String()
				for _, r := range ended.Reasons {
					o.number(float64(r.Count), class, outcome, r.Reason.String())
				}
			}
		}),
	},
	{
		"fount_password_calls_answered_total",
		"Goodput: calls that ended with match, mismatch, unknown or hashed, in the deadline of their context.",
		Counter, class,
		byClass(func(o *Output, class string, c *password.ClassStats) {
			var n uint64
			for _, ended := range c.Calls.Outcomes {
				if ended.Outcome.Answered() {
					n += ended.Count
				}
			}
			o.number(float64(n), class)
		}),
	},
	{
		"fount_password_calls_in_flight",
		"Calls that have begun and not ended.",
		Gauge, class,
		byClass(func(o *Output, class string, c *password.ClassStats) { o.number(float64(c.Calls.InFlight), class) }),
	},
	{
		"fount_password_hashes_queued",
		"Hashes that wait for a worker.",
		Gauge, class,
		byClass(func(o *Output, class string, c *password.ClassStats) { o.number(float64(c.Queued), class) }),
	},
	{
		"fount_password_hashes_running",
		"Hashes that a worker has.",
		Gauge, class,
		byClass(func(o *Output, class string, c *password.ClassStats) { o.number(float64(c.Running), class) }),
	},
	{
		"fount_password_wait_seconds",
		"How long answered calls stood in the queue.",
		Histogram, class,
		byClass(func(o *Output, class string, c *password.ClassStats) { o.durations(LongCalls, c.Calls.Wait, class) }),
	},
	{
		"fount_password_service_seconds",
		"How long answered calls were with a worker.",
		Histogram, class,
		byClass(func(o *Output, class string, c *password.ClassStats) { o.durations(LongCalls, c.Calls.Service, class) }),
	},
	{
		"fount_password_duration_seconds",
		"How long answered calls took in all: wait, service, and the time until their goroutines ran on.",
		Histogram, class,
		byClass(func(o *Output, class string, c *password.ClassStats) {
			o.durations(LongCalls, c.Calls.Answered(), class)
		}),
	},
	{
		"fount_password_refusal_duration_seconds",
		"How long calls took that were refused, at once or later (outcomes refused and dropped).",
		Histogram, class,
		byClass(func(o *Output, class string, c *password.ClassStats) {
			refused, dropped := c.Calls.Of(password.OutcomeRefused), c.Calls.Of(password.OutcomeDropped)
			o.durations(LongCalls, refused.Total.Add(dropped.Total), class)
		}),
	},
	{
		"fount_password_hash_service_seconds",
		"How long hashes of an algorithm were with a worker, whatever their cost.",
		Histogram, algorithm,
		func(s *password.Stats, o *Output) {
			for algorithm, a := range s.Algorithms() {
				o.durations(LongCalls, a.Service, algorithm.String())
			}
		},
	},
	{
		"fount_password_workers",
		"Workers in force, without the reserve.",
		Gauge, nil,
		func(s *password.Stats, o *Output) { o.number(float64(s.Workers)) },
	},
	{
		"fount_password_workers_busy",
		"Workers that have a hash.",
		Gauge, nil,
		func(s *password.Stats, o *Output) { o.number(float64(s.Busy)) },
	},
	{
		"fount_password_memory_limit_bytes",
		"What running hashes may hold together.",
		Gauge, nil,
		func(s *password.Stats, o *Output) { o.number(float64(s.Memory)) },
	},
	{
		"fount_password_memory_in_use_bytes",
		"What running hashes hold.",
		Gauge, nil,
		func(s *password.Stats, o *Output) { o.number(float64(s.MemoryInUse)) },
	},
	{
		"fount_password_max_wait_seconds",
		"The longest that a call may wait for a worker.",
		Gauge, nil,
		func(s *password.Stats, o *Output) { o.number(s.MaxWait.Seconds()) },
	},
	{
		"fount_password_backlog_seconds",
		"Until all that waits and runs now is done, as estimated.",
		Gauge, nil,
		func(s *password.Stats, o *Output) { o.number(s.Wait.Seconds()) },
	},
	{
		"fount_password_busiest_principal_calls",
		"Calls of the principal with the most in the last minutes, who stays unnamed; older ones count less.",
		Gauge, nil,
		func(s *password.Stats, o *Output) {
			var most uint64
			for _, p := range s.Top {
				most = max(most, p.Calls)
			}
			o.number(float64(most))
		},
	},
	{
		"fount_password_observer_panics_total",
		"Panics of Options.Observe.",
		Counter, nil,
		func(s *password.Stats, o *Output) { o.number(float64(s.ObserverPanics)) },
	},
}

// classes are where a snapshot has them, without a copy.
var classes = []struct {
	name string
	of   func(*password.Stats) *password.ClassStats
}{
	{"sign_in", func(s *password.Stats) *password.ClassStats { return &s.SignIn }},
	{"rehash", func(s *password.Stats) *password.ClassStats { return &s.Rehash }},
}

// byClass has f put out the series of each class.
func byClass(f func(o *Output, class string, c *password.ClassStats)) func(*password.Stats, *Output) {
	return func(s *password.Stats, o *Output) {
		for _, class := range classes {
			f(o, class.name, class.of(s))
		}
	}
}
