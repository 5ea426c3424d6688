// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package top watches a process by the metrics that it serves for Prometheus. metrics.go reads a
// sample of them, interval.go says what happened between two samples, view.go makes lines of that,
// and screen.go shows the lines on a terminal.
package top

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"fount/cmd/internal/lab/show"
)

// Limits of one answer of the process.
const (
	answerTimeout = 10 * time.Second // Prometheus's default too
	maxBytes      = 16 << 20         // after decompression
)

// A Source is a process that serves its metrics. It must not be used by several goroutines.
type Source struct {
	Address string // in messages
	url     string
	client  http.Client
}

// NewSource returns the process at address: HOST:PORT, a URL, or a Unix socket as unix:PATH. Unless
// a URL has a path of its own, the metrics are at /metrics. The error completes "ADDRESS ".
func NewSource(address string) (*Source, error) {
	transport := &http.Transport{MaxResponseHeaderBytes: 64 << 10, MaxIdleConns: 1}
	s := &Source{Address: address, client: http.Client{Transport: transport, Timeout: answerTimeout}}

	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		s.url = "http://localhost/metrics"
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", strings.TrimPrefix(path, "//"))
		}
		return s, nil
	}

	isURL := strings.Contains(address, "://")
	if !isURL {
		address = "http://" + address
	}

	u, err := url.Parse(address)
	isWeb := err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
	if !isWeb || !isURL && u.Port() == "" {
		return nil, errors.New("is no HOST:PORT, http URL or unix:PATH; use for example 127.0.0.1:9464")
	}

	if u.Path == "" || u.Path == "/" {
		u.Path = "/metrics"
	}

	s.url = u.String()
	if u.User != nil {
		s.Address = u.Redacted()
	}
	return s, nil
}

// A sample has the metrics of one answer. Its names are another process's, and may have any
// characters.
type sample struct {
	at     time.Time
	mode   string // of fount's random values
	values map[series]float64
	times  map[series]histogram
	top    []principal // the heaviest of a fountd, in order
}

// A principal is one of fountd's, by the ID that fountd shows.
type principal struct {
	ID     string  `json:"id"`
	Weight float64 `json:"weight_ms"`
}

// A series is a metric of a pool, "" for the process, summed over its other labels.
type series struct{ name, pool, outcome, reason string }

// A histogram maps the upper end of a bucket, in seconds, to the number of times up to it.
type histogram map[float64]float64

// read returns the metrics of the process now.
func (s *Source) read(ctx context.Context) (*sample, error) {
	page, err := s.get(ctx, s.url)
	if err != nil {
		return nil, err
	}
	defer page.Close()

	sample, err := parse(http.MaxBytesReader(nil, page, maxBytes))
	if err != nil {
		return nil, innermost(err)
	}
	if _, ok := sample.values[series{name: "fount_random_reseeds_total"}]; !ok {
		return nil, errors.New("no metrics of fount's; serve them with fount/telemetry/prometheus")
	}

	sample.top = s.principals(ctx)
	return sample, nil
}

// get returns a page of the process.
func (s *Source) get(ctx context.Context, url string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}

	response, err := s.client.Do(request)
	if err != nil {
		return nil, innermost(err)
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		return nil, fmt.Errorf("no metrics: HTTP status %d", response.StatusCode)
	}
	return response.Body, nil
}

// principals returns the heaviest principals if the process is a fountd, else nil.
func (s *Source) principals(ctx context.Context) []principal {
	root, isUsual := strings.CutSuffix(s.url, "/metrics")
	if !isUsual {
		return nil
	}

	page, err := s.get(ctx, root+"/v1/top")
	if err != nil {
		return nil
	}
	defer page.Close()

	var answer struct{ Principals []principal }
	if err := json.NewDecoder(io.LimitReader(page, 16<<10)).Decode(&answer); err != nil {
		return nil
	}
	return answer.Principals
}

// innermost returns the cause of err, without the address, which the caller knows.
func innermost(err error) error {
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return fmt.Errorf("no answer within %v", answerTimeout)
	}
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		err = cause
	}
	return err
}

// parse reads the lines about fount's metrics in Prometheus' text format 0.0.4. Others, which may
// be wrong, are not looked at. The format's library would make the program a tenth larger.
func parse(body io.Reader) (*sample, error) {
	s := &sample{at: time.Now(), values: make(map[series]float64), times: make(map[series]histogram)}
	lines := bufio.NewScanner(body)

	for lines.Scan() {
		line := lines.Text()
		if !strings.HasPrefix(line, "fount_") && !strings.HasPrefix(line, "process_start_time_seconds ") {
			continue
		}
		if !s.add(line) {
			return nil, fmt.Errorf("no metrics: %.80q is no name{label=\"value\"} and number", line)
		}
	}
	return s, lines.Err()
}

// add adds what a line says, and reports whether it is one of the format: a name, labels between
// braces, a number, and perhaps a time.
func (s *sample) add(line string) bool {
	name := line
	rest := ""
	if end := strings.IndexAny(line, "{ "); end >= 0 {
		name = line[:end]
		rest = line[end:]
	}

	labels, rest, ok := cutLabels(rest)
	if !ok {
		return false
	}

	number, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return false
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return true
	}

	key := series{name: name, pool: labels["pool"], outcome: labels["outcome"], reason: labels["reason"]}
	if end, err := strconv.ParseFloat(labels["le"], 64); err == nil {
		key.name = strings.TrimSuffix(name, "_bucket")
		if s.times[key] == nil {
			s.times[key] = make(histogram)
		}
		s.times[key][end] += value
		return true
	}

	s.values[key] += value
	if name == "fount_random_mode" && value == 1 {
		s.mode = labels["mode"]
	}
	return true
}

// cutLabels returns the labels at the start of text, if it has any, and what follows them.
func cutLabels(text string) (labels map[string]string, rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, "{")
	if !ok {
		return nil, text, true
	}

	labels = make(map[string]string)
	for !strings.HasPrefix(rest, "}") {
		key, value, _ := strings.Cut(rest, "=")
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil {
			return nil, "", false
		}
		labels[strings.TrimSpace(key)], _ = strconv.Unquote(quoted)
		rest = strings.TrimLeft(value[len(quoted):], ", ")
	}
	return labels, rest[1:], true
}

// pools returns the names of the pools.
func (s *sample) pools() (names []string) {
	for key := range s.values {
		if key.name == "fount_password_workers" {
			names = append(names, key.pool)
		}
	}
	slices.Sort(names)
	return names
}

// of returns the value of a series of a pool, or, if that is "", of the process.
func (s *sample) of(pool, name string) float64 { return s.values[series{name: name, pool: pool}] }

// isRestartedSince reports whether the process began after another sample, and counts from 0.
func (s *sample) isRestartedSince(was *sample) bool {
	const start, reseeds = "process_start_time_seconds", "fount_random_reseeds_total"
	moved := s.of("", start) - was.of("", start)
	hasMoved := math.Abs(moved) > 2 // it is computed from the time of boot, which moves with the clock
	return hasMoved || s.of("", reseeds) < was.of("", reseeds)
}

// quantile returns the end of the bucket in which the share q of the times since was ends: at most
// that, or, in the last bucket, more than the end of the one before. It returns - if there is none.
func (h histogram) quantile(q float64, was histogram) string {
	ends := slices.Sorted(maps.Keys(h))
	countTo := func(end float64) float64 { return h[end] - was[end] }

	at := slices.IndexFunc(ends, func(end float64) bool {
		all := countTo(ends[len(ends)-1])
		return countTo(end) > 0 && countTo(end) >= q*all
	})

	switch {
	case at < 0:
		return "-"
	case !math.IsInf(ends[at], 1):
		return "<= " + show.Seconds(ends[at])
	case at > 0:
		return "> " + show.Seconds(ends[at-1])
	}
	return "-"
}
