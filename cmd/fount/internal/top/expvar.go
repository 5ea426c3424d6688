// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

// What package expvar serves at /debug/vars.

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"fount/password"
	"fount/telemetry"
)

// A report is what is used of a telemetry.Report.
type report struct {
	Version int       `json:"version"`
	Time    float64   `json:"time_seconds"`
	Bounds  []float64 `json:"bucket_bounds_seconds"`
	Library struct {
		Mode    string  `json:"mode"`
		Window  float64 `json:"window_bytes"`
		Reseeds uint64  `json:"reseeds"`
		Redone  uint64  `json:"redone"`
		Sources []struct {
			Name string `json:"name"`
			Why  string `json:"why"`
		} `json:"sources"`
	} `json:"library"`
	Runtime  telemetry.Runtime   `json:"runtime"`
	Password *telemetry.Password `json:"password"`
}

// readExpvar reads all variables of the page that are reports: a pool each. The process's own figures are in every report; those
// of the first are taken.
func readExpvar(body io.Reader) (*sample, error) {
	var page map[string]json.RawMessage
	if err := json.NewDecoder(body).Decode(&page); err != nil {
		return nil, fmt.Errorf("not expvar's JSON (%w)", err)
	}
	var s *sample
	names := slices.Sorted(maps.Keys(page))
	for _, name := range names {
		if !isReport(page[name]) {
			continue
		}
		var r report
		if err := json.Unmarshal(page[name], &r); err != nil {
			return nil, fmt.Errorf("variable %q is no report that can be read (%w)", name, err)
		}
		if r.Version != telemetry.Version {
			return nil, fmt.Errorf("variable %q is a report of version %d; this program reads version %d", name, r.Version, telemetry.Version)
		}
		if s == nil {
			s = r.process()
			if err := s.lateness.check(); err != nil {
				return nil, fmt.Errorf("variable %q: %w", name, err)
			}
		}
		if r.Password != nil {
			p, err := r.pool(name)
			if err != nil {
				return nil, fmt.Errorf("variable %q: %w", name, err)
			}
			if len(s.pools) == mostPools {
				return nil, errPools
			}
			s.pools = append(s.pools, p)
		}
	}
	if s == nil {
		return nil, fmt.Errorf("no variable of fount's%s", among(names))
	}
	return s, nil
}

// among says what there is instead.
func among(names []string) string {
	if len(names) == 0 {
		return ""
	}
	more := ""
	if n := len(names) - 3; n > 0 {
		names, more = names[:3], fmt.Sprintf(" and %d more", n)
	}
	return ", but " + strings.Join(names, ", ") + more
}

// isReport tells a report from other variables by its fields.
func isReport(value json.RawMessage) bool {
	var r struct {
		Version *json.RawMessage `json:"version"`
		Bounds  *json.RawMessage `json:"bucket_bounds_seconds"`
		Library *json.RawMessage `json:"library"`
	}
	return json.Unmarshal(value, &r) == nil && r.Version != nil && r.Bounds != nil && r.Library != nil
}

func (r *report) process() *sample {
	s := &sample{
		clock: r.Time, mode: r.Library.Mode, window: r.Library.Window,
		reseeds: float64(r.Library.Reseeds), redone: float64(r.Library.Redone),
		lateness: r.histogram(r.Runtime.Lateness.Counts),
		procs:    float64(r.Runtime.GOMAXPROCS), goroutine: float64(r.Runtime.Goroutines),
	}
	for _, source := range r.Library.Sources {
		if strings.HasPrefix(source.Why, "cut off") {
			s.cutOff = append(s.cutOff, source.Name)
		}
	}
	return s
}

func (r *report) histogram(counts []uint64) histogram {
	h := histogram{bounds: r.Bounds, counts: make([]float64, len(counts))}
	for i, n := range counts {
		h.counts[i] = float64(n)
	}
	return h
}

func (r *report) pool(name string) (pool, error) {
	w := r.Password
	p := pool{
		name: name, start: w.Start,
		workers: float64(w.Workers), busy: float64(w.Busy), memory: float64(w.Memory), memoryInUse: float64(w.MemoryInUse),
		maxWait: w.MaxWait, backlog: w.Backlog,
		overloaded: w.Overload > 0, overload: &w.Overload, overloads: float64(w.Overloads),
		throttled: &w.Throttled, steal: w.Steal, pressure: w.Pressure,
	}
	for name, from := range w.Classes {
		c := p.of(name)
		c.started, c.inFlight = float64(from.Started), float64(from.InFlight)
		c.queued, c.running = float64(from.Queued), float64(from.Running)
		c.wait = r.histogram(from.Wait.Counts)
		if err := c.wait.check(); err != nil {
			return p, err
		}
		for outcome, o := range from.Outcomes {
			for reason, n := range o.Reasons {
				c.ended[ending{outcome, reason}] = float64(n)
			}
			total := r.histogram(o.Total.Counts)
			if err := total.check(); err != nil {
				return p, err
			}
			if answered[outcome] {
				c.answer = c.answer.plus(total)
			}
		}
	}
	return p, nil
}

// answered are the outcomes that the caller asked for.
var answered = map[string]bool{
	password.OutcomeMatch.String(): true, password.OutcomeMismatch.String(): true,
	password.OutcomeUnknown.String(): true, password.OutcomeHashed.String(): true,
}
