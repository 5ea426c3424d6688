// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The figures of docs/results/login.md, which says what they are. Tests write them in Go's benchmark format to the end of the file
// that FOUNT_FIGURES names, and skip without it.

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"fount/examples/login/internal/hashing"
	"fount/examples/login/internal/store"
	"fount/password"
)

var seconds = flag.Int("seconds", 60, "for how many seconds a load of TestLoad and its like lasts")

func wantFigures(t *testing.T) {
	t.Helper()
	if os.Getenv("FOUNT_FIGURES") == "" {
		t.Skip("FOUNT_FIGURES names no file to write")
	}
}

func appendFigures(t *testing.T, format string, a ...any) {
	t.Helper()
	t.Logf(format, a...)
	f, err := os.OpenFile(os.Getenv("FOUNT_FIGURES"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, format+"\n", a...); err != nil {
		t.Fatal(err)
	}
}

const users = 1000 // of the service

// loaded is the policy of the services that are compared. Bcrypt takes little memory, so that the ways without a queue live to be measured.
const loaded = "bcrypt,cost=10"

// fill stores users who all have the same password.
func fill(t *testing.T, database, policy string) {
	t.Helper()
	var p password.Policy
	if err := p.UnmarshalText([]byte(policy)); err != nil {
		t.Fatal(err)
	}
	hash, err := password.Hash(p, []byte(right))
	if err != nil {
		t.Fatal(err)
	}
	all := make([]store.User, users)
	for i := range all {
		all[i] = store.User{Email: fmt.Sprintf("user%d@example.org", i), Hash: hash}
	}
	db, err := store.Open(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Import(t.Context(), all); err != nil {
		t.Fatal(err)
	}
}

// serveLoad starts the service on its cores. Requests of k6 say where they come from.
func serveLoad(t *testing.T, database, way, policy string) target {
	t.Helper()
	var p *process
	onCores(t, serviceCores(), func() {
		p = launch(t, "--database", database, "--hash", way, "--policy", policy, "--proxy", "127.0.0.0/8")
	})
	return target{url: p.url, pid: p.Process.Pid, field: "email"}
}

// capacity returns how many sign-ins a second a service answers to clients of which each has one at a time.
func capacity(t *testing.T, s target) float64 {
	t.Helper()
	const seconds = 8
	set := serviceCores()
	m, _ := s.k6(t, "login.js", fmt.Sprintf("CLOSED=%d", 10*set.Count()), fmt.Sprintf("SECONDS=%d", seconds), fmt.Sprintf("USERS=%d", users))
	answered := m.count("login_answered")
	if answered == 0 {
		t.Fatal("k6 counted no sign-in that was answered")
	}
	return answered / seconds
}

// TestLoad loads the service with multiples of what the pool can do on the same database: the first figure of each line.
func TestLoad(t *testing.T) {
	wantFigures(t)
	databases(t, func(t *testing.T, database string) {
		for _, cores := range []string{"apart", "together"} {
			t.Run(cores, func(t *testing.T) {
				apart = cores == "apart"
				limit, filled := 0.0, false
				for _, way := range []string{hashing.Pool, hashing.Semaphore, hashing.Naive} {
					t.Run(way, func(t *testing.T) {
						for _, times := range []float64{2, 4, 1, 0.5} {
							t.Run(strconv.FormatFloat(times, 'g', -1, 64), func(t *testing.T) {
								if !filled {
									fill(t, database, loaded)
									filled = true
								}
								if limit == 0 {
									t.Run("capacity", func(t *testing.T) { limit = capacity(t, serveLoad(t, database, hashing.Pool, loaded)) })
								}
								s := serveLoad(t, database, way, loaded)
								appendFigures(t, "BenchmarkLogin/%s 1 %s", figureName(t), s.underLoad(t, limit, times))
							})
						}
					})
				}
			})
		}
	})
}

// figureName gives the parts of the test's name their keys.
func figureName(t *testing.T) string {
	part := strings.Split(t.Name(), "/")
	return fmt.Sprintf("database=%s/cores=%s/hash=%s/load=%s", part[1], part[2], part[3], part[4])
}

const (
	orders  = 20               // requests a second for /me
	healing = 10 * time.Second // how long a service has to be as it was before a load
)

// underLoad loads a service and returns its figures.
func (s target) underLoad(t *testing.T, capacity, times float64) string {
	t.Helper()
	idle := s.idle(t)
	before := s.clock()
	began := time.Now()
	seen := s.visits(t.Context(), time.Duration(*seconds)*time.Second)
	m, k6Cores := s.k6(t, "login.js", fmt.Sprintf("RATE=%.1f", times*capacity), fmt.Sprintf("ME=%d", orders),
		fmt.Sprintf("SECONDS=%d", *seconds), fmt.Sprintf("USERS=%d", users))
	took, after := 100*time.Since(began).Seconds(), s.clock()
	if after.service == 0 {
		t.Error("the service has ended under load")
	}
	end := time.UnixMilli(int64(m["ends"].Values["value"]))
	normal := normalAfter(seen, idle, end, healing)

	answered, late := m.count("login_answered"), m.count("login_late")
	goodput := answered / float64(*seconds)
	return fmt.Sprintf("%.1f capacity/s %.1f offered/s %.1f goodput/s %.3f goodput/capacity %.4f late/admitted "+
		"%.0f answer-p50-ms %.0f answer-p99-ms %.1f refusal-p50-ms %.1f refusal-p99-ms %.1f me-p50-ms %.1f me-p99-ms %.0f me-late %.0f failed "+
		"%.0f peak-MiB %.2f normal-s %.2f service-cores %.2f k6-cores %.2f machine-cores %.2f stolen-cores",
		capacity, times*capacity, goodput, goodput/capacity, late/max(1, late+answered),
		m.at("login_answered", "med"), m.at("login_answered", "p(99)"), m.at("login_refused", "med"), m.at("login_refused", "p(99)"),
		m.at("me_answered", "med"), m.at("me_answered", "p(99)"), m.count("me_late"), m.count("login_failed")+m.count("me_failed"),
		s.peakMiB(), normal.Seconds(), (after.service-before.service)/took, k6Cores, (after.machine-before.machine)/took, (after.stolen-before.stolen)/took)
}
