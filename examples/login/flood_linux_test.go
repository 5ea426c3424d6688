// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Figures of the README's first service, and of honest users beside a flood: see load_linux_test.go.

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fount/examples/login/internal/hashing"
	"fount/password"
)

// TestLoadQuickStart loads the service of README.md's first screen with multiples of what it can do itself, alone and beside two processes that
// want all the time of a core each. Clients have an address each; "behind a proxy" all have one, and the service was not told.
func TestLoadQuickStart(t *testing.T) {
	wantFigures(t)
	program := buildQuickStart(t)
	hash, err := password.Hash(password.Default(), []byte(right))
	if err != nil {
		t.Fatal(err)
	}
	for _, beside := range []string{"apart", "together", "together+busy", "apart+proxy"} {
		t.Run(beside, func(t *testing.T) {
			apart = beside == "apart" || beside == "apart+proxy"
			var s target
			onCores(t, serviceCores(), func() {
				s.pid, s.url = startQuickStart(t, program, hash)
			})
			s.field = "user"
			if beside != "apart+proxy" {
				s.flags = []string{"--local-ips", "127.0.1.1-127.0.1.250"}
			}
			limit := capacity(t, s)
			if beside == "together+busy" {
				spin(t)
			}
			for _, times := range []float64{1, 2, 4} {
				t.Run(strconv.FormatFloat(times, 'g', -1, 64), func(t *testing.T) {
					appendFigures(t, "BenchmarkQuickStart/cores=%s/load=%g 1 %s", beside, times, s.underLoad(t, limit, times))
				})
			}
		})
	}
}

// spin has a process for each core of the machine that wants all its time, until the test ends.
func spin(t *testing.T) {
	t.Helper()
	for i := range runtime.NumCPU() {
		var set unix.CPUSet
		set.Set(i)
		cmd := exec.Command("sh", "-c", "while :; do :; done")
		var err error
		onCores(t, set, func() { err = cmd.Start() })
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			cmd.Process.Kill()
			cmd.Wait()
		})
	}
}

// TestFlood has 20 honest users ask for 0.3 of what the service can do, beside a flood of wrong passwords at ten times that.
func TestFlood(t *testing.T) {
	wantFigures(t)
	apart = true
	const honest, share, times = 20, 0.3, 10
	database := filepath.Join(t.TempDir(), "login.db")
	fill(t, database, loaded)
	limit := 0.0
	for _, f := range []struct {
		name, network  string
		bots, accounts int
		times          float64
		busy           bool
		known          string // not empty: the honest users have signed in before
	}{
		{"none", "203.0.113.", 1, users, 0.01, false, ""},
		{"one-address", "203.0.113.", 1, users, times, false, ""},
		{"one-address+busy", "203.0.113.", 1, users, times, true, ""},
		{"250-addresses", "203.0.113.", 250, users, times, false, ""},
		{"250-addresses-one-account", "203.0.113.", 250, 1, times, false, ""},
		{"250-addresses-one-account-known", "203.0.113.", 250, 1, times, false, "yes"},
		{"250-addresses-one-IPv6-network", "2001:db8::", 250, users, times, false, ""},
	} {
		t.Run(f.name, func(t *testing.T) {
			if limit == 0 {
				t.Run("capacity", func(t *testing.T) { limit = capacity(t, serveLoad(t, database, hashing.Pool, loaded)) })
			}
			s := serveLoad(t, database, hashing.Pool, loaded)
			if f.busy {
				spin(t)
			}
			before, began := s.clock(), time.Now()
			m, k6Cores := s.k6(t, "flood.js", fmt.Sprintf("RATE=%.1f", share*limit), fmt.Sprintf("HONEST=%d", honest), fmt.Sprintf("FLOOD=%.1f", f.times*limit),
				"NETWORK="+f.network, fmt.Sprintf("BOTS=%d", f.bots), fmt.Sprintf("ACCOUNTS=%d", f.accounts), fmt.Sprintf("SECONDS=%d", *seconds), "KNOWN="+f.known)
			took, after := 100*time.Since(began).Seconds(), s.clock()
			in := m.count("honest_answered")
			all := in + m.count("honest_refused") + m.count("honest_limited") + m.count("honest_late") + m.count("honest_failed")
			appendFigures(t, "BenchmarkFlood/from=%s 1 %.1f capacity/s %.0f honest %.3f in-time %.3f refused %.3f limited %.3f late "+
				"%.0f answer-p50-ms %.0f answer-p99-ms %.0f flood %.1f guesses/s %.1f flood-limited/s %.1f flood-refused/s %.0f failed %.2f service-cores %.2f k6-cores %.2f machine-cores %.2f stolen-cores",
				f.name, limit, all, in/all, m.count("honest_refused")/all, m.count("honest_limited")/all, m.count("honest_late")/all,
				m.at("honest_answered", "med"), m.at("honest_answered", "p(99)"), f.times*limit*float64(*seconds),
				m.count("flood_wrong")/float64(*seconds), m.count("flood_limited")/float64(*seconds), m.count("flood_refused")/float64(*seconds),
				m.count("honest_failed")+m.count("flood_failed"), (after.service-before.service)/took, k6Cores,
				(after.machine-before.machine)/took, (after.stolen-before.stolen)/took)
		})
	}
}
