// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountprometheus

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"fount/password"
)

// A page counts what is written to it.
type page struct {
	header http.Header
	bytes  int
}

func (p *page) Header() http.Header { return p.header }
func (p *page) WriteHeader(int)     {}
func (p *page) Write(b []byte) (int, error) {
	p.bytes += len(b)
	return len(b), nil
}

// What a scrape costs of a pool that has seen 1 or 64 kinds of hashes: its collectors alone, the registry with them, and the page.
func BenchmarkScrape(b *testing.B) {
	for _, kinds := range []int{1, 64} {
		b.Run(fmt.Sprintf("kinds=%d", kinds), func(b *testing.B) { benchmarkScrape(b, kinds) })
	}
}

func benchmarkScrape(b *testing.B, kinds int) {
	pool := newPool(b, nil)
	for i := 1; i < kinds; i++ {
		stored, err := password.Hash(password.Policy{Algorithm: password.PBKDF2SHA256, Iterations: i}, []byte("x"))
		if err != nil {
			b.Fatal(err)
		}
		pool.Verify(context.Background(), password.Login{}, []byte("x"), stored)
	}
	if n := len(pool.Stats().Hashes); n != kinds {
		b.Fatalf("%d kinds", n)
	}
	collect := func(c prometheus.Collector) func(*testing.B) {
		return func(b *testing.B) {
			metrics := make(chan prometheus.Metric, 1000) // as the registry has
			b.ReportAllocs()
			for b.Loop() {
				c.Collect(metrics)
				for len(metrics) > 0 {
					<-metrics
				}
			}
		}
	}
	reg := prometheus.NewRegistry()
	c, err := Register(reg, pool, "logins")
	if err != nil {
		b.Fatal(err)
	}
	process, err := Register(reg, nil, "")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("Stats", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			pool.Stats()
		}
	})
	b.Run("Collect/pool", collect(c))
	b.Run("Collect/process", collect(process))
	b.Run("Gather", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := reg.Gather(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, accept := range map[string]string{
		"text":     "text/plain;version=0.0.4",
		"protobuf": "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited",
	} {
		b.Run("Page/"+name, func(b *testing.B) {
			handler := promhttp.HandlerFor(reg, promhttp.HandlerOpts{})
			request := httptest.NewRequest("GET", "/metrics", nil)
			request.Header.Set("Accept", accept)
			p := &page{header: http.Header{}}
			b.ReportAllocs()
			scrapes := 0
			for b.Loop() {
				handler.ServeHTTP(p, request)
				scrapes++
			}
			b.ReportMetric(float64(p.bytes)/float64(scrapes), "page-bytes")
		})
	}
}
