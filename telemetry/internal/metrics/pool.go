// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package metrics

import (
	"time"

	"fount/password"
)

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
		byClass(func(o *Output, class string, c *password.Calls) {
			o.number(float64(ended(c)+uint64(c.Queued+c.Running)), class)
		}),
	},
	{
		"fount_password_calls_total",
		"Calls that have ended, by what became of them and why.",
		Counter, []string{"class", "outcome", "reason"},
		byClass(func(o *Output, class string, c *password.Calls) {
			for _, e := range c.Ended {
				o.number(float64(e.Count), class, e.Outcome.String(), e.Reason.String())
			}
		}),
	},
	{
		"fount_password_calls_answered_total",
		"Goodput: calls that ended with match, mismatch, unknown or hashed, in the deadline of their context.",
		Counter, class,
		byClass(func(o *Output, class string, c *password.Calls) {
			o.number(float64(c.Total.Count()), class)
		}),
	},
	{
		"fount_password_calls_in_flight",
		"Calls that have begun and not ended.",
		Gauge, class,
		byClass(func(o *Output, class string, c *password.Calls) { o.number(float64(c.Queued+c.Running), class) }),
	},
	{
		"fount_password_hashes_queued",
		"Hashes that wait for a worker.",
		Gauge, class,
		byClass(func(o *Output, class string, c *password.Calls) { o.number(float64(c.Queued), class) }),
	},
	{
		"fount_password_hashes_running",
		"Hashes that a worker has.",
		Gauge, class,
		byClass(func(o *Output, class string, c *password.Calls) { o.number(float64(c.Running), class) }),
	},
	{
		"fount_password_wait_seconds",
		"How long answered calls stood in the queue.",
		Histogram, class,
		byClass(func(o *Output, class string, c *password.Calls) { o.durations(LongCalls, c.Wait, class) }),
	},
	{
		"fount_password_service_seconds",
		"How long answered calls were with a worker.",
		Histogram, class,
		byClass(func(o *Output, class string, c *password.Calls) { o.durations(LongCalls, c.Service, class) }),
	},
	{
		"fount_password_duration_seconds",
		"How long answered calls took in all: wait and service.",
		Histogram, class,
		byClass(func(o *Output, class string, c *password.Calls) {
			o.durations(LongCalls, c.Total, class)
		}),
	},
	{
		"fount_password_hash_service_seconds",
		"How long hashes of an algorithm were with a worker, whatever their cost.",
		Histogram, algorithm,
		func(s *password.Stats, o *Output) {
			for _, a := range algorithms {
				var sum password.Histogram
				for _, h := range s.Hashes {
					if h.Algorithm == a {
						sum = sum.Add(h.Service)
					}
				}
				o.durations(LongCalls, sum, a)
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
		"fount_password_busiest_principal_seconds",
		"Machine time that the heaviest principal, who stays unnamed, has in the queue and had in the last seconds.",
		Gauge, nil,
		func(s *password.Stats, o *Output) {
			var most time.Duration
			for _, p := range s.Top {
				most = max(most, p.Weight)
			}
			o.number(most.Seconds())
		},
	},
}

// ended are all calls that have.
func ended(c *password.Calls) (n uint64) {
	for _, e := range c.Ended {
		n += e.Count
	}
	return n
}

// algorithms are all, also those of which no hash has come.
var algorithms = func() (names []string) {
	for a := password.Bcrypt; a.String() != password.Algorithm(0).String(); a++ {
		names = append(names, a.String())
	}
	return names
}()

// classes are where a snapshot has them, without a copy.
var classes = []struct {
	name string
	of   func(*password.Stats) *password.Calls
}{
	{"sign_in", func(s *password.Stats) *password.Calls { return &s.SignIns }},
	{"rehash", func(s *password.Stats) *password.Calls { return &s.Upgrades }},
}

// byClass has f put out the series of each class.
func byClass(f func(o *Output, class string, c *password.Calls)) func(*password.Stats, *Output) {
	return func(s *password.Stats, o *Output) {
		for _, class := range classes {
			f(o, class.name, class.of(s))
		}
	}
}
