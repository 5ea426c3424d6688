// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountprometheus

// A real Prometheus scrapes an overloaded pool, and its answers are held against what the callers
// saw.

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"fount/internal/test/require"
	"fount/password"
)

var loadTime = flag.Duration("load", 15*time.Second, "how long TestServer overloads the pool")

// A server is a Prometheus that scrapes once a second.
type server struct {
	url    string
	output strings.Builder
}

func startServer(t *testing.T, target string) *server {
	t.Helper()
	program, err := exec.LookPath("prometheus")
	if err != nil {
		require.Skip(t, "prometheus", err.Error())
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") // a free port
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf("global: {scrape_interval: 1s}\nscrape_configs: [{job_name: fount, static_configs: [{targets: [%q]}]}]\n", target)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &server{url: "http://" + address}
	cmd := exec.Command(program, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+address, "--log.level=warn")
	cmd.Stdout, cmd.Stderr = &s.output, &s.output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Log(s.output.String())
		}
	})
	return s
}

// ask returns the values of an instant query by their labels, without pool, job and instance.
func (s *server) ask(query string) (map[string]float64, error) {
	response, err := http.Get(s.url + "/api/v1/query?query=" + url.QueryEscape(query))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var answer struct {
		Error string
		Data  struct {
			Result []struct {
				Metric map[string]string
				Value  [2]any
			}
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, fmt.Errorf("%s: %s", query, answer.Error)
	}
	values := map[string]float64{}
	for _, r := range answer.Data.Result {
		text, _ := r.Value[1].(string)
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: value %v", query, r.Value)
		}
		values[r.Metric["outcome"]] = v
	}
	return values, nil
}

func (s *server) want(t *testing.T, query string) map[string]float64 {
	t.Helper()
	values, err := s.ask(query)
	if err != nil || len(values) == 0 {
		t.Fatalf("%s: %v, %v", query, values, err)
	}
	return values
}

// until asks until the only value is want.
func (s *server) until(t *testing.T, query string, want float64) {
	t.Helper()
	var (
		values map[string]float64
		err    error
	)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if values, err = s.ask(query); err == nil && len(values) == 1 && values[""] == want {
			return
		}
	}
	t.Fatalf("%s is %v, %v; want %v", query, values, err, want)
}

// overload sends sign-ins at three times what the pool can do, of 100 clients with a second of
// patience. It returns how many were answered, and how many of those callers ran on after their
// deadline.
func overload(t *testing.T, pool *password.Pool, stored string, d time.Duration) (answered, late int) {
	var capacity float64
	for _, h := range pool.Stats().Hashes {
		capacity = float64(pool.Stats().Workers) / h.Drain.Seconds()
	}
	var (
		mu    sync.Mutex
		all   sync.WaitGroup
		next  = time.Now()
		until = next.Add(d)
	)
	for i := 0; next.Before(until); i++ {
		time.Sleep(time.Until(next))
		next = next.Add(time.Duration(rand.ExpFloat64() / (3 * capacity) * 1e9))
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_, err := pool.Verify(ctx, password.Login{Principal: fmt.Sprint(i % 100)}, []byte("right"), stored)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				answered++
				if ctx.Err() != nil {
					late++
				}
			}
		})
	}
	all.Wait()
	return answered, late
}

func TestServer(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this overloads a pool for 15 s, and needs Prometheus")
	}
	var (
		mu       sync.Mutex
		waits    []time.Duration // of the answered
		outcomes = map[string]float64{}
	)
	pool := newPool(t, func(o *password.Options) {
		o.Policy.Cost, o.Policy.Limits.Time = 8, time.Second
		o.Observe = func(_ context.Context, seen password.Observation) {
			mu.Lock()
			defer mu.Unlock()
			outcomes[seen.Outcome.String()]++
			if !seen.Upgrade && (seen.Outcome == password.OutcomeMatch || seen.Outcome == password.OutcomeHashed) {
				waits = append(waits, seen.Wait)
			}
		}
	})
	reg := prometheus.NewRegistry()
	reg.MustRegister(NewCollector(pool, "logins"), NewProcessCollector())
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))
	web := httptest.NewServer(mux)
	defer web.Close()
	target := strings.TrimPrefix(web.URL, "http://")
	s := startServer(t, target)
	s.until(t, "sum(fount_password_calls_submitted_total)", 0) // there before the first call

	stored, err := pool.Hash(t.Context(), password.Login{}, []byte("right"))
	if err != nil {
		t.Fatal(err)
	}
	answered, late := overload(t, pool, stored, *loadTime)
	submitted := 0.0
	for _, n := range outcomes {
		submitted += n
	}
	slices.Sort(waits)
	p99 := waits[int(math.Ceil(0.99*float64(len(waits))))-1]
	t.Logf("callers: %v submitted, %v; %d answered sign-ins, %d of them back after their deadline; p99 of the wait %v",
		submitted, outcomes, answered, late, p99)

	s.until(t, "sum(fount_password_calls_submitted_total)", submitted)
	s.until(t, "sum(fount_password_calls_total)", submitted)
	s.until(t, `sum(fount_password_calls_answered_total{class="sign_in"})`, float64(answered+1))
	for outcome, n := range s.want(t, "sum by (outcome) (fount_password_calls_total)") {
		if n != outcomes[outcome] {
			t.Errorf("%v %s by Prometheus, %v by the observer", n, outcome, outcomes[outcome])
		}
	}
	got := s.want(t, `histogram_quantile(0.99, fount_password_wait_seconds_bucket{class="sign_in"})`)[""]
	if octaves := math.Abs(math.Log2(got / p99.Seconds())); !(octaves <= 1) {
		t.Errorf("p99 of the wait is %v s by Prometheus, %v by the observer: %.2f octaves apart", got, p99, octaves)
	}
	for _, query := range []string{
		"sum(max_over_time(fount_password_hashes_queued[10m])) > 0", "sum(increase(fount_password_calls_submitted_total[10m])) > 0",
		"sum(fount_random_mode) == 1", "fount_random_reseeds_total > 0",
	} {
		s.want(t, query)
	}
}
