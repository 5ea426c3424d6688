// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package trial

// A worker, and what it says of itself.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A Worker is one fountd.
type Worker struct {
	Name  string
	Cores float64 // its quota

	fleet  *Fleet
	place  place
	socket string

	mu      sync.Mutex
	process *process
	stopped bool
	past    Report // of processes that were killed: what was known last
	last    Report // of the one that runs
}

// A State is what a worker does.
type State string

// The states.
const (
	Up      State = "up"
	Stopped State = "stopped" // by SIGSTOP
	Down    State = "down"
)

// State may be called from any goroutine.
func (w *Worker) State() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.process == nil || !w.process.alive():
		return Down
	case w.stopped:
		return Stopped
	}
	return Up
}

// Start starts the worker, and returns when it is ready.
func (w *Worker) Start() error {
	p, err := w.fleet.starter.process(w.fleet.flags(w), w.fleet.env, w.place, "msg=ready")
	if err != nil {
		return fmt.Errorf("worker %s: %w", w.Name, err)
	}
	w.mu.Lock()
	w.process, w.stopped = p, false
	w.last.InFlight = 0
	w.past.Add(w.last)
	w.last = Report{}
	w.mu.Unlock()
	if err := p.wait(); err != nil {
		return fmt.Errorf("worker %s: %w", w.Name, err)
	}
	return nil
}

// Kill kills the worker, as kill -9 does.
func (w *Worker) Kill() {
	if p := w.running(); p != nil {
		p.kill()
	}
}

// Terminate has the worker drain, as SIGTERM does, and returns when it has ended: an error if it left calls unanswered.
func (w *Worker) Terminate() error {
	p := w.running()
	if p == nil {
		return fmt.Errorf("worker %s is down", w.Name)
	}
	if err := p.signal(syscall.SIGTERM); err != nil {
		return err
	}
	<-p.ended
	if p.err != nil {
		return fmt.Errorf("worker %s: %w: %s", w.Name, p.err, p.last())
	}
	return nil
}

// Stop has the worker stand still, or go on.
func (w *Worker) Stop(still bool) error {
	p := w.running()
	if p == nil {
		return fmt.Errorf("worker %s is down", w.Name)
	}
	s := syscall.SIGCONT
	if still {
		s = syscall.SIGSTOP
	}
	w.mu.Lock()
	w.stopped = still
	w.mu.Unlock()
	return p.signal(s)
}

func (w *Worker) running() *process {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.process == nil || !w.process.alive() {
		return nil
	}
	return w.process
}

// Log is the last that the worker has logged.
func (w *Worker) Log() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.process == nil {
		return ""
	}
	return w.process.last()
}

// A Report is what a worker counts: requests of the fleet as fleetnode.Stats does, and calls of its pool.
type Report struct {
	InFlight   uint64 `json:"in_flight"`
	Answered   uint64 `json:"answered"`
	Overloaded uint64 `json:"overloaded"`
	Expired    uint64 `json:"expired"`
	Canceled   uint64 `json:"canceled"`
	Failed     uint64 `json:"failed"`
	Busy       uint64 `json:"busy"`
	Late       uint64 `json:"late"`
	Repeated   uint64 `json:"repeated"`
	Unreadable uint64 `json:"unreadable"`

	Dropped   uint64        `json:"dropped"`  // by the pool, after it had admitted them
	GivenUp   uint64        `json:"given_up"` // expired or canceled in the pool, after it had admitted them
	Finished  uint64        `json:"finished"` // answered by the pool
	Time      time.Duration `json:"cpu_ns"`   // of a processor
	Throttled time.Duration `json:"throttled_ns"`
}

// Received is how many requests came.
func (r Report) Received() uint64 {
	return r.InFlight + r.Answered + r.Overloaded + r.Expired + r.Canceled + r.Failed + r.Busy + r.Late + r.Repeated + r.Unreadable
}

// counts are the fields that only grow while a process runs.
func (r *Report) counts() []*uint64 {
	return []*uint64{&r.Answered, &r.Overloaded, &r.Expired, &r.Canceled, &r.Failed, &r.Busy, &r.Late, &r.Repeated, &r.Unreadable, &r.Dropped, &r.GivenUp, &r.Finished}
}

// Add adds what another process has counted.
func (r *Report) Add(o Report) {
	other := o.counts()
	for i, n := range r.counts() {
		*n += *other[i]
	}
	r.InFlight += o.InFlight
	r.Time += o.Time
}

// since is what was counted after o, which another process may have counted.
func (r Report) since(o Report) Report {
	if o.Received() > r.Received() || o.Time > r.Time {
		return r
	}
	other := o.counts()
	for i, n := range r.counts() {
		*n -= min(*n, *other[i])
	}
	r.InFlight = 0
	r.Time -= o.Time
	return r
}

// Report asks the worker. It may be called from any goroutine.
func (w *Worker) Report(ctx context.Context) (Report, error) {
	p := w.running()
	if p == nil {
		return Report{}, fmt.Errorf("worker %s is down", w.Name)
	}
	text, err := w.metrics(ctx)
	if err != nil {
		return Report{}, err
	}
	r, err := readReport(text)
	if err != nil {
		return r, fmt.Errorf("worker %s: %w", w.Name, err)
	}
	r.Time = processorTime(p.cmd.Process.Pid)
	if g := w.place.group; g != nil {
		r.Throttled = g.throttled()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if p == w.process {
		w.last = r
	}
	return r, nil
}

// Total is what the worker's processes have counted, those that were killed as far as it is known.
func (w *Worker) Total() Report {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.last
	r.Add(w.past)
	return r
}

// metrics are what the worker publishes.
func (w *Worker) metrics(ctx context.Context) (string, error) {
	t := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", w.socket)
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://fountd/metrics", nil)
	if err != nil {
		return "", err
	}
	answer, err := t.RoundTrip(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return string(text), err
}

// series are Prometheus's names of a Report's fields, each the sum of the samples with the label.
var series = []struct {
	name, label string
	of          func(*Report) *uint64
}{
	{"fountd_fleet_requests_in_flight", "", func(r *Report) *uint64 { return &r.InFlight }},
	{"fountd_fleet_requests_total", `outcome="answered"`, func(r *Report) *uint64 { return &r.Answered }},
	{"fountd_fleet_requests_total", `outcome="overloaded"`, func(r *Report) *uint64 { return &r.Overloaded }},
	{"fountd_fleet_requests_total", `outcome="expired"`, func(r *Report) *uint64 { return &r.Expired }},
	{"fountd_fleet_requests_total", `outcome="canceled"`, func(r *Report) *uint64 { return &r.Canceled }},
	{"fountd_fleet_requests_total", `outcome="failed"`, func(r *Report) *uint64 { return &r.Failed }},
	{"fountd_fleet_requests_total", `outcome="busy"`, func(r *Report) *uint64 { return &r.Busy }},
	{"fountd_fleet_requests_total", `outcome="late"`, func(r *Report) *uint64 { return &r.Late }},
	{"fountd_fleet_requests_total", `outcome="repeated"`, func(r *Report) *uint64 { return &r.Repeated }},
	{"fountd_fleet_requests_total", `outcome="unreadable"`, func(r *Report) *uint64 { return &r.Unreadable }},
	{"fount_password_calls_total", `outcome="dropped"`, func(r *Report) *uint64 { return &r.Dropped }},
	{"fount_password_calls_total", `outcome="expired"`, func(r *Report) *uint64 { return &r.GivenUp }},
	{"fount_password_calls_total", `outcome="canceled"`, func(r *Report) *uint64 { return &r.GivenUp }},
	{"fount_password_calls_answered_total", "", func(r *Report) *uint64 { return &r.Finished }},
}

// readReport reads Prometheus's text format.
func readReport(text string) (r Report, err error) {
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		name, rest, labelled := strings.Cut(lines.Text(), "{")
		labels, value, _ := strings.Cut(rest, "} ")
		if !labelled {
			name, value, _ = strings.Cut(lines.Text(), " ")
		}
		for _, s := range series {
			if s.name == name && strings.Contains(labels, s.label) {
				x, err := strconv.ParseFloat(value, 64)
				if err != nil {
					return r, fmt.Errorf("metrics: %w", err)
				}
				*s.of(&r) += uint64(x)
			}
		}
	}
	return r, nil
}
