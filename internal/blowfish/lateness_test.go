// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package blowfish

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"fount/internal/turn"
)

// BenchmarkLateness says what the rest of the process suffers while every P
// hashes: how late a goroutine is that wants to run each millisecond, and how long
// runtime.GC takes. One operation is 5 s of it; -benchtime 1x is enough. The runs
// without yields are its control.
func BenchmarkLateness(b *testing.B) {
	b.Run("nothing", func(b *testing.B) { lateness(b, nil) })
	b.Run("x_crypto", func(b *testing.B) { lateness(b, compareXCrypto(b)) })
	for _, k := range []int{1, MaxLanes} {
		b.Run(fmt.Sprint("lanes=", k), func(b *testing.B) { lateness(b, runLanes(k)) })
		b.Run(fmt.Sprintf("lanes=%d/without_yields", k), func(b *testing.B) {
			yield = func(*turn.Turn) {}
			defer func() { yield = (*turn.Turn).Yield }()
			lateness(b, runLanes(k))
		})
	}
}

// runLanes returns a worker that runs k lanes again and again.
func runLanes(k int) func(stop *atomic.Bool) {
	return func(stop *atomic.Bool) {
		e, r := New(), seeded(7)
		var lanes []*Lane
		for range k {
			lanes = append(lanes, randomLane(r, 12))
		}
		for !stop.Load() {
			e.Run(benchCost, lanes)
		}
	}
}

func compareXCrypto(b *testing.B) func(stop *atomic.Bool) {
	password := []byte("123456789012")
	encoded, err := bcrypt.GenerateFromPassword(password, benchCost)
	if err != nil {
		b.Fatal(err)
	}
	return func(stop *atomic.Bool) {
		for !stop.Load() {
			bcrypt.CompareHashAndPassword(encoded, password)
		}
	}
}

// lateness runs work on every P for a while and reports.
func lateness(b *testing.B, work func(stop *atomic.Bool)) {
	const beat, between = time.Millisecond, 97 * time.Millisecond
	var stop atomic.Bool
	var workers sync.WaitGroup
	if work != nil {
		for range runtime.GOMAXPROCS(0) {
			workers.Go(func() { work(&stop) })
		}
	}
	var late, collections []time.Duration
	var probes sync.WaitGroup
	end := time.Now().Add(time.Duration(b.N) * 5 * time.Second)
	probes.Go(func() {
		for due := time.Now(); due.Before(end); due = due.Add(beat) {
			time.Sleep(time.Until(due))
			late = append(late, time.Since(due)) // a beat that is missed counts, with its own lateness
		}
	})
	probes.Go(func() {
		for time.Now().Before(end) {
			time.Sleep(between)
			began := time.Now()
			runtime.GC()
			collections = append(collections, time.Since(began))
		}
	})
	probes.Wait()
	stop.Store(true)
	workers.Wait()
	b.ReportMetric(milliseconds(late, 0.5), "late-p50-ms")
	b.ReportMetric(milliseconds(late, 0.99), "late-p99-ms")
	b.ReportMetric(milliseconds(collections, 0.5), "gc-p50-ms")
	b.ReportMetric(milliseconds(collections, 0.99), "gc-p99-ms")
	b.ReportMetric(milliseconds(collections, 1), "gc-max-ms")
	b.ReportMetric(0, "ns/op")
}

// milliseconds returns the q-quantile of the durations.
func milliseconds(d []time.Duration, q float64) float64 {
	slices.Sort(d)
	i := int(math.Ceil(q*float64(len(d)))) - 1
	return float64(d[max(i, 0)]) / 1e6
}
