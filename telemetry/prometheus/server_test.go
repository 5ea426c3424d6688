// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountprometheus

// A real Prometheus scrapes a pool, and its answers are held against what the callers saw.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"fount/internal/test/freeport"
	"fount/internal/test/require"
	"fount/password"
)

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
	address := freeport.New(t)
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

// Prometheus has all series before the first call, and then what became of each.
func TestServer(t *testing.T) {
	t.Parallel() // it waits
	pool := newPool(t, nil)
	reg := prometheus.NewRegistry()
	reg.MustRegister(NewCollector(pool, "logins"), NewProcessCollector())
	web := httptest.NewServer(promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))
	defer web.Close()
	s := startServer(t, strings.TrimPrefix(web.URL, "http://"))
	s.until(t, "sum(fount_password_calls_submitted_total)", 0)
	stored, err := pool.Hash(t.Context(), password.Login{}, []byte("right"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"hashed": 1, "match": 30, "mismatch": 20, "unknown": 10, "invalid": 5}
	for i := range 30 {
		pool.Verify(t.Context(), password.Login{}, []byte("right"), stored)
		if i < 20 {
			pool.Verify(t.Context(), password.Login{}, []byte("wrong"), stored)
		}
		if i < 10 {
			pool.Verify(t.Context(), password.Login{}, []byte("right"), "")
		}
		if i < 5 {
			pool.Verify(t.Context(), password.Login{}, []byte("right"), "!")
		}
	}
	s.until(t, "sum(fount_password_calls_total)", 66)
	s.until(t, `sum(fount_password_calls_answered_total{class="sign_in"})`, 61)
	for outcome, n := range s.want(t, "sum by (outcome) (fount_password_calls_total) > 0") {
		if n != want[outcome] {
			t.Errorf("%v %s by Prometheus, want %v", n, outcome, want[outcome])
		}
	}
	for _, query := range []string{
		`histogram_quantile(0.99, fount_password_wait_seconds_bucket{class="sign_in"}) < 20`,
		"sum(increase(fount_password_calls_submitted_total[10m])) > 0", "sum(fount_random_mode) == 1", "fount_random_reseeds_total > 0",
	} {
		s.want(t, query)
	}
}
