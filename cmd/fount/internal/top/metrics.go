// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package top watches a process by the figures that it serves for Prometheus: metrics.go reads
// them, view.go makes lines of two answers, screen.go shows these on a terminal.
package top

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// What a process may do to its reader is bounded.
const (
	patience  = 10 * time.Second // for all of one answer, as Prometheus waits
	mostBytes = 16 << 20         // of one answer, unpacked
)

// A Source is a process that serves its metrics. It is used by one goroutine.
type Source struct {
	Address string // as messages name it
	url     string
	client  http.Client
}

// NewSource returns the process at address: HOST:PORT, a URL, or a Unix socket as unix:PATH. Unless
// a URL has a path of its own, the metrics are at /metrics. The error completes "ADDRESS ".
func NewSource(address string) (*Source, error) {
	transport := &http.Transport{MaxResponseHeaderBytes: 64 << 10, MaxIdleConns: 1}
	s := &Source{Address: address, client: http.Client{Transport: transport, Timeout: patience}}
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		s.url = "http://localhost/metrics"
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", strings.TrimPrefix(path, "//"))
		}
		return s, nil
	}
	if !strings.Contains(address, "://") {
		if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
			return nil, errors.New("is no HOST:PORT, URL or unix:PATH; use for example 127.0.0.1:9090")
		}
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("is no URL of http or https; use for example http://127.0.0.1:9090/metrics")
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/metrics"
	}
	if s.url = u.String(); u.User != nil {
		s.Address = u.Redacted()
	}
	return s, nil
}

// A sample is what one answer says. Names in it are another process's, and may hold anything.
type sample struct {
	at     time.Time
	mode   string // of fount's random values
	values map[series]float64
	times  map[series]histogram
}

// A series is a metric of a pool, "" for the process, summed over its other labels.
type series struct{ name, pool, outcome, reason string }

// A histogram has how many times were at most so many seconds.
type histogram map[float64]float64

// Read returns what the process says now. The error says what is there instead.
func (s *Source) read(ctx context.Context) (*sample, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "text/plain;version=0.0.4")
	response, err := s.client.Do(request)
	if err != nil {
		return nil, innermost(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("no metrics: HTTP status %d", response.StatusCode)
	}
	text, err := onlyOurs(http.MaxBytesReader(nil, response.Body, mostBytes))
	if err != nil {
		return nil, innermost(err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("no metrics: %w", err)
	}
	if families["fount_random_reseeds_total"] == nil {
		return nil, errors.New("no metrics of fount's; serve them with fount/telemetry/prometheus")
	}
	return sampleOf(families), nil
}

// innermost is the cause without what was tried, which the caller knows.
func innermost(err error) error {
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return fmt.Errorf("no answer within %v", patience)
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if system, ok := errors.AsType[*os.SyscallError](err); ok {
		err = system.Err
	}
	return err
}

// onlyOurs returns the lines about fount's metrics. Others, which may be wrong, are not parsed.
func onlyOurs(body io.Reader) (text []byte, err error) {
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		name := bytes.TrimPrefix(bytes.TrimPrefix(lines.Bytes(), []byte("# HELP ")), []byte("# TYPE "))
		if bytes.HasPrefix(name, []byte("fount_")) || bytes.HasPrefix(name, []byte("process_start_time_seconds ")) {
			text = append(append(text, lines.Bytes()...), '\n')
		}
	}
	return text, lines.Err()
}

func sampleOf(families map[string]*dto.MetricFamily) *sample {
	s := &sample{at: time.Now(), values: make(map[series]float64), times: make(map[series]histogram)}
	for name, family := range families {
		for _, m := range family.Metric {
			label := make(map[string]string)
			for _, l := range m.Label {
				label[l.GetName()] = l.GetValue()
			}
			key := series{name, label["pool"], label["outcome"], label["reason"]}
			value := m.GetGauge().GetValue() + m.GetCounter().GetValue() + m.GetUntyped().GetValue()
			if math.IsNaN(value) || math.IsInf(value, 0) {
				continue
			}
			s.values[key] += value
			if name == "fount_random_mode" && value == 1 {
				s.mode = label["mode"]
			}
			if m.Histogram != nil && s.times[key] == nil {
				s.times[key] = make(histogram)
			}
			for _, b := range m.GetHistogram().GetBucket() {
				s.times[key][b.GetUpperBound()] += float64(b.GetCumulativeCount())
			}
		}
	}
	return s
}

// pools are the names of the pools.
func (s *sample) pools() (names []string) {
	for key := range s.values {
		if key.name == "fount_password_workers" {
			names = append(names, key.pool)
		}
	}
	slices.Sort(names)
	return names
}

// of is the value of a series of the pool, or of the process.
func (s *sample) of(pool, name string) float64 { return s.values[series{name: name, pool: pool}] }

// anew reports whether the process began between two samples, and counts from 0.
func (s *sample) anew(was *sample) bool {
	const start, reseeds = "process_start_time_seconds", "fount_random_reseeds_total"
	moved := s.of("", start) - was.of("", start)
	// The start is computed from the time of boot, which moves with the clock.
	return moved > 2 || moved < -2 || s.of("", reseeds) < was.of("", reseeds)
}

// quantile is the end of the bucket in which the share q of the times since was ends, if any.
func (h histogram) quantile(q float64, was histogram) (seconds float64, ok bool) {
	ends := slices.Sorted(maps.Keys(h))
	if len(ends) == 0 {
		return 0, false
	}
	last := ends[len(ends)-1]
	total := h[last] - was[last]
	for i, end := range ends {
		if n := h[end] - was[end]; n > 0 && n >= q*total {
			return ends[max(0, min(i, len(ends)-2))], true // the last has no end
		}
	}
	return 0, false
}
