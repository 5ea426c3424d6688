// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Load made by k6, with the scripts in load, and what it does to a service.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A target is a service under load.
type target struct {
	url   string
	pid   int
	field string   // of the form, with the user's name
	flags []string // of k6
}

// metrics are what k6 has measured: those of a trend are count, med, p(99) and max.
type metrics map[string]struct{ Values map[string]float64 }

func (m metrics) count(name string) float64         { return m[name].Values["count"] }
func (m metrics) at(trend, quantile string) float64 { return m[trend].Values[quantile] }

// k6 runs a script with variables, each NAME=VALUE, and returns what it measured and how many cores it took.
func (s target) k6(t *testing.T, script string, variables ...string) (m metrics, cores float64) {
	t.Helper()
	args := append([]string{"run", "--quiet", "--address", "", "-e", "URL=" + s.url, "-e", "FIELD=" + s.field, "-e", "PASSWORD=" + right}, s.flags...)
	for _, v := range variables {
		args = append(args, "-e", v)
	}
	cmd := exec.CommandContext(t.Context(), "k6", append(args, "load/"+script)...)
	cmd.Env = append(os.Environ(), "K6_NO_USAGE_REPORT=true")
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	began := time.Now()
	var err error
	onCores(t, clientCores(), func() { err = cmd.Start() })
	if err == nil {
		err = cmd.Wait()
	}
	if err != nil {
		t.Fatalf("k6, which go install go.k6.io/k6@v1.8.1 installs: %v\n%s", err, log.Bytes())
	}
	if err := json.Unmarshal(out.Bytes(), &m); err != nil {
		t.Fatalf("k6: %v: %s", err, out.Bytes())
	}
	if n := m.count("dropped_iterations"); n > 0 {
		t.Errorf("k6 did not start %v requests", n)
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return m, used.Seconds() / time.Since(began).Seconds()
}

// apart says that the service has half of the machine's cores to itself, and the database and k6 the others. Else they share all.
var apart bool

func serviceCores() (set unix.CPUSet) { return half(0) }
func clientCores() (set unix.CPUSet)  { return half(1) }

func half(which int) (set unix.CPUSet) {
	for i := range runtime.NumCPU() {
		if !apart || i*2/runtime.NumCPU() == which {
			set.Set(i)
		}
	}
	return set
}

// onCores has the processes that f starts run on a set of cores.
func onCores(t *testing.T, set unix.CPUSet, f func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		t.Fatal(err)
	}
	defer unix.SchedSetaffinity(0, &before)
	f()
}

// A clock is the processor time that was used since the machine or the process began, in ticks of 10 ms.
// That of a service which has ended is 0.
type clock struct{ service, machine, stolen float64 }

func (s target) clock() (c clock) {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.pid))
	_, after, _ := strings.Cut(string(stat), ") ")
	if f := strings.Fields(after); len(f) > 12 && f[0] != "Z" { // a zombie has ended
		c.service = number(f[11]) + number(f[12])
	}
	stat, _ = os.ReadFile("/proc/stat")
	f := strings.Fields(string(stat[:bytes.IndexByte(stat, '\n')]))
	for i, name := range f[1:] {
		switch i {
		case 3, 4, 8, 9: // idle, iowait; guests are counted twice
		case 7:
			c.stolen = number(name)
		default:
			c.machine += number(name)
		}
	}
	return c
}

func number(s string) float64 {
	n, _ := strconv.ParseFloat(s, 64)
	return n
}

// peakMiB is the most memory that the process had resident.
func (s target) peakMiB() float64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid))
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kib, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	return number(kib) / 1024
}

// A visit is a sign-in and a request for /me, by a client that waits for a second.
type visit struct {
	began     time.Time
	login, me time.Duration
	ok        bool
}

var hasty = &http.Client{Timeout: time.Second}

func (s target) visit() visit {
	v := visit{began: time.Now()}
	answer, err := hasty.PostForm(s.url+"/login", url.Values{s.field: {"user0@example.org"}, "password": {right}})
	if err != nil {
		return v
	}
	answer.Body.Close()
	v.login = time.Since(v.began)
	request, err := http.NewRequest("GET", s.url+"/me", nil)
	if err != nil {
		return v
	}
	for _, c := range answer.Cookies() {
		request.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
	}
	began := time.Now()
	me, err := hasty.Do(request)
	if err != nil {
		return v
	}
	me.Body.Close()
	v.me = time.Since(began)
	v.ok = answer.StatusCode == http.StatusOK && me.StatusCode == http.StatusOK
	return v
}

// visits begins to visit the service after a while.
func (s target) visits(ctx context.Context, after time.Duration) <-chan visit {
	seen := make(chan visit, 1000) // more than there are until somebody reads them
	go func() {
		pause := time.NewTimer(after)
		for {
			select {
			case <-pause.C:
				seen <- s.visit()
				pause.Reset(20 * time.Millisecond)
			case <-ctx.Done():
				return
			}
		}
	}()
	return seen
}

// idle returns the longest times of a few visits to a service that does nothing else.
func (s target) idle(t *testing.T) (longest visit) {
	t.Helper()
	for range 5 {
		v := s.visit()
		if !v.ok {
			t.Fatalf("%s: an idle service does not answer", s.url)
		}
		longest.login, longest.me = max(longest.login, v.login), max(longest.me, v.me)
	}
	return longest
}

// normalAfter returns how long after the load's end the first of three visits in a row began that took at most twice as long as with an idle
// service, or 10 ms longer. It gives up after a while.
func normalAfter(seen <-chan visit, idle visit, end time.Time, patience time.Duration) time.Duration {
	normal := func(d, idle time.Duration) bool { return d <= max(2*idle, idle+10*time.Millisecond) }
	var good []visit
	for v := range seen {
		switch {
		case v.began.Sub(end) > patience:
			return patience
		case v.began.Before(end):
		case !v.ok || !normal(v.login, idle.login) || !normal(v.me, idle.me):
			good = nil
		default:
			if good = append(good, v); len(good) == 3 {
				return good[0].began.Sub(end)
			}
		}
	}
	return patience
}
