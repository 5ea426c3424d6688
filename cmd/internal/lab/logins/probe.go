// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// What the rest of the process notices: how late things done on schedule are.

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"fount/cmd/internal/lab/measure"
)

// A probe does something at each tick and records how long after the tick it was done. A tick that
// passes while another is late counts too, with its own lateness.
type probe struct {
	every time.Duration
	start time.Time
	do    func() error

	mu   sync.Mutex
	late *measure.Histogram
	next int64 // tick
	over bool
	err  error
}

func newProbe(every time.Duration, do func() error) *probe {
	return &probe{every: every, start: time.Now(), do: do, late: newTimes()}
}

// run ticks until stop.
func (p *probe) run() {
	due := time.Duration(0)
	for more := true; more; {
		time.Sleep(due - time.Since(p.start))
		began := time.Since(p.start)
		err := p.do()
		due, more = p.mark(began, time.Since(p.start), err)
	}
}

// mark records the ticks up to began as done at now, and returns the next.
func (p *probe) mark(began, now time.Duration, err error) (due time.Duration, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return 0, false
	}

	if err != nil {
		p.err = err
		p.over = true
		return 0, false
	}

	for due = p.every * time.Duration(p.next); due <= began; due += p.every {
		p.late.Add(now - due)
		p.next++
	}
	return due, true
}

// stop ends the probe and returns what it saw. Ticks that are overdue count with their age.
func (p *probe) stop() (Summary, error) {
	now := time.Since(p.start)
	_, _ = p.mark(now, now, nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	return summary(p.late), p.err
}

// Ticks of the two probes. A tick or a request that wakes a core takes up to 100 µs of it, which
// counts as the hashes': together they take 1 or 2 % of a core.
const (
	heartbeatEvery = 5 * time.Millisecond
	endpointEvery  = 25 * time.Millisecond
)

// probes are a heartbeat and a cheap HTTP endpoint with its client, all in this process.
type probes struct {
	heartbeat, endpoint *probe
	hangUp              func()
	running             sync.WaitGroup
}

func startProbes() (*probes, error) {
	get, hangUp, err := listen()
	if err != nil {
		return nil, fmt.Errorf("the HTTP endpoint to watch: %w", err)
	}

	p := &probes{
		heartbeat: newProbe(heartbeatEvery, func() error { return nil }),
		endpoint:  newProbe(endpointEvery, get),
		hangUp:    hangUp,
	}

	p.running.Go(p.heartbeat.run)
	p.running.Go(p.endpoint.run)
	return p, nil
}

// stop ends both, and returns how late the heartbeat and the endpoint were.
func (p *probes) stop() (heartbeat, endpoint Summary, err error) {
	heartbeat, _ = p.heartbeat.stop()
	endpoint, err = p.endpoint.stop()
	p.hangUp()
	p.running.Wait()
	return heartbeat, endpoint, err
}

// listen serves a page on the loopback interface. get fetches it over one connection.
func listen() (get func() error, hangUp func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}

	server := &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler:           http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") }),
	}
	go server.Serve(l)

	client := &http.Client{Transport: &http.Transport{}}
	get = func() error {
		response, err := client.Get("http://" + l.Addr().String())
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, response.Body)
		return errors.Join(err, response.Body.Close())
	}

	hangUp = func() {
		server.Close()
		client.CloseIdleConnections()
	}
	return get, hangUp, nil
}
