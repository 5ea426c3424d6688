// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountprometheus

import (
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"fount/telemetry/internal/metrics"
)

// Each value has its own series' labels, also where a scrape has other series than the first, or in another order; of many
// scrapes at once, and below a registry that adds labels.
func TestSeriesKeepTheirLabels(t *testing.T) {
	values := map[string]float64{"a": 1, "b": 2, "c": 3, "d": 4}
	scrapes := [][]string{{"a", "b", "c"}, {"c", "b", "a"}, {"b"}, {"d", "a"}, {"a", "c"}, {"a", "d", "b", "c"}}
	var next atomic.Int64
	family := metrics.Family[[]string]{
		Name: "name", Help: "help", Kind: metrics.Gauge, Labels: []string{"label"},
		Of: func(names []string, o *metrics.Output) {
			for _, n := range names {
				o.Number(values[n], metrics.Values{n})
			}
		},
	}
	read := func() ([]string, time.Time) { return scrapes[int(next.Add(1)-1)%len(scrapes)], time.Time{} }
	c := newCollector([]metrics.Family[[]string]{family}, read, prometheus.Labels{"pool": "logins"})
	registry := prometheus.NewRegistry()
	prometheus.WrapRegistererWith(prometheus.Labels{"job": "test"}, registry).MustRegister(c)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 * len(scrapes) {
				families, err := registry.Gather()
				if err != nil || len(families) != 1 {
					t.Errorf("%v, %v", families, err)
					return
				}
				for _, m := range families[0].Metric {
					has := labelsOf(m)
					want := map[string]string{"job": "test", "pool": "logins", "label": has["label"]}
					if v, ok := values[has["label"]]; !ok || m.Gauge.GetValue() != v || !maps.Equal(has, want) {
						t.Errorf("%v is %v", has, m.Gauge.GetValue())
					}
				}
			}
		})
	}
	all.Wait()
}

func labelsOf(m *dto.Metric) map[string]string {
	has := map[string]string{}
	for _, l := range m.Label {
		has[l.GetName()] = l.GetValue()
	}
	return has
}
