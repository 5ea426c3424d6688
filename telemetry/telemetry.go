// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package telemetry makes one report of what fount does in this process: the library's status, the Go scheduler's lateness and
// a password pool's figures, as JSON whose names and units do not change. It collects nothing by itself and is no metrics
// library. Package expvar publishes it by expvar.Func, and docs/telemetry.md explains each figure.
package telemetry

import (
	"math"
	"runtime"
	"runtime/metrics"
	"time"

	"fount"
	"fount/password"
)

// Version is the report's. It grows when a field changes its name, unit or meaning, and not when fields are added.
const Version = 1

// A Report is a snapshot. Times are in seconds, sizes in bytes. It is complete from the start: what has not happened yet is
// there with 0. A pointer is nil, null in JSON, for what this machine does not tell.
type Report struct {
	Version int     `json:"version"`
	Time    float64 `json:"time_seconds"` // of the snapshot, since 1970

	// BucketBounds is where the buckets of all histograms end, but for the last, which has no end.
	BucketBounds []float64 `json:"bucket_bounds_seconds"`

	Library  fount.StatusReport `json:"library"`
	Runtime  Runtime            `json:"runtime"`
	Password *Password          `json:"password"` // nil without a pool
}

// Runtime is about the whole process.
type Runtime struct {
	GOMAXPROCS int    `json:"gomaxprocs"`
	Goroutines uint64 `json:"goroutines"`

	// Lateness counts how long goroutines were ready before they ran: each waits as long, whatever it does. Each duration is
	// in its bucket or the next one; the runtime knows no sum.
	Lateness Counts `json:"lateness"`
}

// Counts are durations by bucket.
type Counts struct {
	Count  uint64   `json:"count"`
	Counts []uint64 `json:"counts"` // one more than BucketBounds
}

// A Histogram counts durations.
type Histogram struct {
	Count  uint64   `json:"count"`
	Sum    float64  `json:"sum_seconds"`
	Counts []uint64 `json:"counts"` // one more than BucketBounds
}

// Password is password.Stats in seconds. Counts never fall, and start with the pool.
type Password struct {
	Start float64 `json:"start_seconds"` // when the pool was made, since 1970

	Classes map[string]Class `json:"classes"` // by password.Class: "sign_in" and "rehash"
	Hashes  []Hashes         `json:"hashes"`  // by algorithm and cost, at most 71

	Workers     int   `json:"workers"`
	Busy        int   `json:"workers_busy"`
	Memory      int64 `json:"memory_bytes"`
	MemoryInUse int64 `json:"memory_in_use_bytes"`

	MaxWait float64 `json:"max_wait_seconds"`
	Backlog float64 `json:"backlog_seconds"` // until all that waits and runs is done

	Lanes          []uint64    `json:"lanes"` // turns of workers by how many hashes they did at once
	Top            []Principal `json:"top"`   // the principals with the most calls in the last minutes
	ObserverPanics uint64      `json:"observer_panics"`
}

// A Class is what became of the calls of one class. Started is the sum of InFlight and the counts of all Outcomes.
type Class struct {
	Started  uint64             `json:"started"`
	InFlight uint64             `json:"in_flight"`
	Queued   int                `json:"queued"`   // hashes that wait for a worker
	Running  int                `json:"running"`  // hashes that a worker has
	Filler   uint64             `json:"filler"`   // hashes that were compared with nothing, for Options.Stored
	Outcomes map[string]Outcome `json:"outcomes"` // by password.Outcome, all
	Wait     Histogram          `json:"wait"`     // in the queue, of the answered
	Service  Histogram          `json:"service"`  // with a worker, of the answered
}

// An Outcome is what is known of the calls that ended with it.
type Outcome struct {
	Count   uint64            `json:"count"`
	Reasons map[string]uint64 `json:"reasons"` // by password.Reason, all that the outcome has
	Total   Histogram         `json:"total"`   // from the beginning to the end of the call
}

// Hashes is how long the hashes of one algorithm and cost waited and took.
type Hashes struct {
	Algorithm string    `json:"algorithm"`
	Cost      string    `json:"cost"`
	Wait      Histogram `json:"wait"`
	Service   Histogram `json:"service"`
	Alone     float64   `json:"alone_seconds"` // one by itself, as estimated
	Drain     float64   `json:"drain_seconds"` // a worker's time for one while others wait
}

// A Principal is one of those with the most calls, under the name that Pool.PrincipalID returns.
type Principal struct {
	ID    string `json:"id"`
	Calls uint64 `json:"calls"`
	Error uint64 `json:"error"` // Calls may be too high by this
}

// Read returns a report of this process and of pool, which may be nil. It may be called from any goroutine, delays no draw and
// no hash, and takes up to a third of a millisecond with 64 kinds of hashes.
func Read(pool *password.Pool) Report {
	r := Report{
		Version: Version, Time: seconds(time.Now()), BucketBounds: password.HistogramBounds(),
		Library: fount.Status(), Runtime: readRuntime(),
	}
	if pool != nil {
		p := passwordOf(pool.Stats())
		r.Password = &p
	}
	return r
}

func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

func passwordOf(s password.Stats) Password {
	p := Password{
		Start:   seconds(s.Start),
		Classes: make(map[string]Class), Hashes: make([]Hashes, 0, len(s.Hashes)),
		Workers: s.Workers, Busy: s.Busy, Memory: s.Memory, MemoryInUse: s.MemoryInUse,
		MaxWait: s.MaxWait.Seconds(), Backlog: s.Wait.Seconds(),
		Lanes: s.Lanes, Top: make([]Principal, 0, len(s.Top)), ObserverPanics: s.ObserverPanics,
	}
	p.Classes["sign_in"], p.Classes["rehash"] = classOf(s.SignIn), classOf(s.Rehash)
	for _, h := range s.Hashes {
		p.Hashes = append(p.Hashes, Hashes{
			h.Algorithm, h.Cost, histogramOf(h.Wait), histogramOf(h.Service), h.Alone.Seconds(), h.Drain.Seconds(),
		})
	}
	for _, t := range s.Top {
		p.Top = append(p.Top, Principal(t))
	}
	return p
}

func classOf(c password.ClassStats) Class {
	class := Class{
		Started: c.Calls.Started, InFlight: c.Calls.InFlight, Queued: c.Queued, Running: c.Running, Filler: c.Filler,
		Outcomes: make(map[string]Outcome), Wait: histogramOf(c.Calls.Wait), Service: histogramOf(c.Calls.Service),
	}
	for _, o := range c.Calls.Outcomes {
		one := Outcome{Count: o.Count, Reasons: make(map[string]uint64), Total: histogramOf(o.Total)}
		for _, r := range o.Reasons {
			one.Reasons[r.Reason.String()] = r.Count
		}
		class.Outcomes[o.Outcome.String()] = one
	}
	return class
}

func histogramOf(h password.Histogram) Histogram {
	return Histogram{h.Count, h.Sum.Seconds(), h.Counts}
}

// Password returns h with the methods of a password.Histogram.
func (h Histogram) Password() password.Histogram {
	return password.Histogram{Count: h.Count, Sum: time.Duration(math.Round(h.Sum * 1e9)), Counts: h.Counts}
}

// Password returns c with the methods of a password.Histogram, whose Sum is 0.
func (c Counts) Password() password.Histogram {
	return password.Histogram{Count: c.Count, Counts: c.Counts}
}

func readRuntime() Runtime {
	samples := []metrics.Sample{{Name: "/sched/latencies:seconds"}, {Name: "/sched/goroutines:goroutines"}}
	metrics.Read(samples)
	r := Runtime{GOMAXPROCS: runtime.GOMAXPROCS(0), Lateness: Counts{Counts: make([]uint64, password.HistogramBuckets)}}
	if samples[0].Value.Kind() == metrics.KindFloat64Histogram {
		r.Lateness = rebin(samples[0].Value.Float64Histogram())
	}
	if samples[1].Value.Kind() == metrics.KindUint64 {
		r.Goroutines = samples[1].Value.Uint64()
	}
	return r
}

// rebin counts the runtime's durations in our buckets: each of its buckets in the first of ours that ends no earlier.
func rebin(h *metrics.Float64Histogram) Counts {
	bounds := password.HistogramBounds()
	c := Counts{Counts: make([]uint64, len(bounds)+1)}
	i := 0
	for j, n := range h.Counts {
		for i < len(bounds) && bounds[i] < h.Buckets[j+1] {
			i++
		}
		c.Counts[i] += n
		c.Count += n
	}
	return c
}
