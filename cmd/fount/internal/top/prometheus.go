// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

// What a Prometheus endpoint serves as text.

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// ours are the metrics that are read: those of fount's, and the one that tells a restart.
var ours = [][]byte{[]byte("fount_"), []byte("process_start_time_seconds ")}

// readPrometheus reads fount's metrics. The others are left out before they are parsed: they may be many, and wrong.
func readPrometheus(body io.Reader) (*sample, error) {
	text, others, err := onlyOurs(body)
	if err != nil {
		return nil, err
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("not Prometheus's text (%w)", err)
	}
	if families["fount_random_reseeds_total"] == nil {
		return nil, fmt.Errorf("no metrics of fount's among %d lines", others)
	}
	s := &sample{}
	pools := make(map[string]*pool)
	for name, family := range families {
		for _, m := range family.Metric {
			labels := make(map[string]string)
			for _, l := range m.Label {
				labels[l.GetName()] = l.GetValue()
			}
			if set := metrics[name]; set != nil {
				set(s, m, labels)
			} else if set := poolMetrics[name]; set != nil {
				name := labels["pool"]
				if pools[name] == nil {
					if len(pools) == mostPools {
						return nil, errPools
					}
					pools[name] = &pool{name: name}
				}
				set(pools[name], m, labels)
			}
		}
	}
	if err := s.lateness.check(); err != nil {
		return nil, err
	}
	for _, p := range pools {
		for _, c := range p.classes {
			if err := errors.Join(c.wait.check(), c.answer.check()); err != nil {
				return nil, err
			}
		}
		s.pools = append(s.pools, *p)
	}
	slices.SortFunc(s.pools, func(a, b pool) int { return cmp.Compare(a.name, b.name) })
	slices.Sort(s.cutOff)
	return s, nil
}

// onlyOurs returns the lines about fount's metrics, and how many others there are.
func onlyOurs(body io.Reader) (text []byte, others int, err error) {
	lines := bufio.NewReaderSize(body, 64<<10)
	for {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, 0, errors.New("not Prometheus's text (a line has more than 64 KiB)")
		}
		name := bytes.TrimPrefix(bytes.TrimPrefix(line, []byte("# HELP ")), []byte("# TYPE "))
		if slices.ContainsFunc(ours, func(prefix []byte) bool { return bytes.HasPrefix(name, prefix) }) {
			text = append(text, line...)
		} else if len(line) > 0 {
			others++
		}
		if err == io.EOF {
			if len(text) > 0 && text[len(text)-1] != '\n' {
				return nil, 0, errors.New("the text breaks off")
			}
			return text, others, nil
		}
		if err != nil {
			return nil, 0, err
		}
	}
}

// number is the value of a counter or gauge, 0 for what is none.
func number(m *dto.Metric) float64 {
	v := m.GetGauge().GetValue() + m.GetCounter().GetValue() + m.GetUntyped().GetValue()
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return bound(v)
}

// classic is a histogram by its classic buckets.
func classic(m *dto.Metric) histogram {
	h := histogram{}
	below := 0.0
	for _, b := range m.GetHistogram().GetBucket() {
		n := float64(b.GetCumulativeCount())
		if !math.IsInf(b.GetUpperBound(), 0) && !math.IsNaN(b.GetUpperBound()) {
			h.bounds = append(h.bounds, b.GetUpperBound())
			h.counts = append(h.counts, math.Max(n-below, 0))
			below = n
		}
	}
	h.counts = append(h.counts, math.Max(float64(m.GetHistogram().GetSampleCount())-below, 0))
	return h
}

// metrics are those of the process.
var metrics = map[string]func(*sample, *dto.Metric, map[string]string){
	"process_start_time_seconds": func(s *sample, m *dto.Metric, _ map[string]string) { s.start = number(m) },
	"fount_random_mode": func(s *sample, m *dto.Metric, labels map[string]string) {
		if number(m) == 1 {
			s.mode = labels["mode"]
		}
	},
	"fount_random_window_bytes":        func(s *sample, m *dto.Metric, _ map[string]string) { s.window = number(m) },
	"fount_random_reseeds_total":       func(s *sample, m *dto.Metric, _ map[string]string) { s.reseeds = number(m) },
	"fount_random_redone_total":        func(s *sample, m *dto.Metric, _ map[string]string) { s.redone = number(m) },
	"fount_scheduler_lateness_seconds": func(s *sample, m *dto.Metric, _ map[string]string) { s.lateness = classic(m) },
	"fount_random_source_cut_off": func(s *sample, m *dto.Metric, labels map[string]string) {
		if number(m) == 1 {
			s.cutOff = append(s.cutOff, labels["source"])
		}
	},
}

// A setter keeps what a series says of a pool.
type setter func(*pool, *dto.Metric, map[string]string)

// poolMetrics are those of a pool.
var poolMetrics = map[string]setter{
	"fount_password_calls_submitted_total": ofClass(func(c *class) *float64 { return &c.started }),
	"fount_password_calls_in_flight":       ofClass(func(c *class) *float64 { return &c.inFlight }),
	"fount_password_hashes_queued":         ofClass(func(c *class) *float64 { return &c.queued }),
	"fount_password_hashes_running":        ofClass(func(c *class) *float64 { return &c.running }),
	"fount_password_calls_total": func(p *pool, m *dto.Metric, labels map[string]string) {
		p.of(labels["class"]).ended[ending{labels["outcome"], labels["reason"]}] = number(m)
	},
	"fount_password_wait_seconds": func(p *pool, m *dto.Metric, labels map[string]string) {
		p.of(labels["class"]).wait = classic(m)
	},
	"fount_password_duration_seconds": func(p *pool, m *dto.Metric, labels map[string]string) {
		p.of(labels["class"]).answer = classic(m)
	},
	"fount_password_workers":                     ofPool(func(p *pool) *float64 { return &p.workers }),
	"fount_password_workers_busy":                ofPool(func(p *pool) *float64 { return &p.busy }),
	"fount_password_memory_limit_bytes":          ofPool(func(p *pool) *float64 { return &p.memory }),
	"fount_password_memory_in_use_bytes":         ofPool(func(p *pool) *float64 { return &p.memoryInUse }),
	"fount_password_max_wait_seconds":            ofPool(func(p *pool) *float64 { return &p.maxWait }),
	"fount_password_backlog_seconds":             ofPool(func(p *pool) *float64 { return &p.backlog }),
	"fount_password_overloads_total":             ofPool(func(p *pool) *float64 { return &p.overloads }),
	"fount_password_cpu_throttled_seconds_total": perhaps(func(p *pool) **float64 { return &p.throttled }),
	"fount_password_cpu_steal_seconds_total":     perhaps(func(p *pool) **float64 { return &p.steal }),
	"fount_password_cpu_pressure_seconds_total":  perhaps(func(p *pool) **float64 { return &p.pressure }),
	"fount_password_overloaded":                  func(p *pool, m *dto.Metric, _ map[string]string) { p.overloaded = number(m) == 1 },
}

func ofPool(field func(*pool) *float64) setter {
	return func(p *pool, m *dto.Metric, _ map[string]string) { *field(p) = number(m) }
}

func ofClass(field func(*class) *float64) setter {
	return func(p *pool, m *dto.Metric, labels map[string]string) { *field(p.of(labels["class"])) = number(m) }
}

// perhaps is for what some machines do not tell.
func perhaps(field func(*pool) **float64) setter {
	return func(p *pool, m *dto.Metric, _ map[string]string) {
		v := number(m)
		*field(p) = &v
	}
}
