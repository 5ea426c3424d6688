// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

import (
	"bytes"
	"compress/gzip"
	"context"
	"expvar"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"fount/lab/show"
	"fount/password"
	"fount/telemetry"
	fountprometheus "fount/telemetry/prometheus"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// newPool returns a small pool, and a hash of the password "right".
func newPool(t *testing.T) (*password.Pool, string) {
	t.Helper()
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4}, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close(context.Background()) })
	stored, err := pool.Hash(t.Context(), password.Login{Class: password.ClassChangePassword}, []byte("right"))
	if err != nil {
		t.Fatal(err)
	}
	return pool, stored
}

// published is the name of the variable of each pool: expvar forgets none.
var published int

// serve publishes pool under both endpoints, on a server of its own.
func serve(t *testing.T, pool *password.Pool, name string) (*httptest.Server, *http.ServeMux) {
	t.Helper()
	mux := http.NewServeMux()
	published++
	variable := fmt.Sprintf("%s%d", name, published)
	expvar.Publish(variable, expvar.Func(func() any { return telemetry.Read(pool) }))
	mux.HandleFunc("/debug/vars", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"cmdline": ["x"], %q: %s, "memstats": {}}`, name, expvar.Get(variable))
	})
	reg := prometheus.NewRegistry()
	if _, err := fountprometheus.Register(reg, pool, name); err != nil {
		t.Fatal(err)
	}
	mux.Handle("/metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server, mux
}

func newWatch(t *testing.T, address string) *Watch {
	t.Helper()
	source, err := NewSource(address)
	if err != nil {
		t.Fatal(err)
	}
	source.patience = time.Minute // this machine may be slow
	w, first, err := NewWatch(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	if first.Interval != 0 || first.Error != "" {
		t.Fatalf("the first frame is of %v s, error %q; want none", first.Interval, first.Error)
	}
	return w
}

// Calls of a real pool, answered and refused, are the same by both endpoints, and what the callers saw.
func TestRealPool(t *testing.T) {
	pool, stored := newPool(t)
	const name = "logins\x1b[31m\u202e" // a name may hold anything
	server, _ := serve(t, pool, name)
	watches := map[string]*Watch{
		"expvar": newWatch(t, server.URL), "prometheus": newWatch(t, server.URL+"/metrics"),
		"by its address": newWatch(t, server.Listener.Addr().String()),
	}
	var (
		mu           sync.Mutex
		all          sync.WaitGroup
		good, others float64
	)
	const calls = 400
	for i := range calls {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := pool.Verify(ctx, password.Login{Principal: fmt.Sprint(i % 7)}, []byte("right"), stored)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				good++
			} else {
				others++
			}
		})
	}
	all.Wait()
	for kind, w := range watches {
		f := w.Next(t.Context())
		if f.Error != "" || len(f.Pools) != 1 || f.Restarted {
			t.Fatalf("%s: %+v", kind, f)
		}
		p := f.Pools[0]
		count := func(r *float64) float64 { return math.Round(*r*f.Interval*1e6) / 1e6 }
		turned := count(p.turnedAway()) + count(p.Expired) + count(p.Canceled)
		if count(p.Demand) != calls || count(p.Goodput) != good || turned != others || p.Name != name {
			t.Errorf("%s: %q: %v calls, %v answered, %v not; the callers saw %d, %v, %v", kind, p.Name, count(p.Demand), count(p.Goodput), turned, calls, good, others)
		}
		if c := p.Classes["sign_in"]; count(c.Demand) != calls || p.Workers != 1 || p.InFlight != 0 || p.MaxWait <= 0 || p.Memory <= 0 {
			t.Errorf("%s: %+v", kind, p)
		}
		if (p.WaitP99 == nil) != (good == 0) || f.Random.Mode == "" || f.Process.LatenessP99 == nil {
			t.Errorf("%s: wait %v, mode %q, lateness %v", kind, p.WaitP99, f.Random.Mode, f.Process.LatenessP99)
		}
		if text := f.Text(); strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
			t.Errorf("%s: %q", kind, text)
		}
	}
}

// A process without a pool has figures too.
func TestNoPool(t *testing.T) {
	server, _ := serve(t, nil, "process")
	for _, path := range []string{"/debug/vars", "/metrics"} {
		w := newWatch(t, server.URL+path)
		if f := w.Next(t.Context()); f.Error != "" || len(f.Pools) != 0 || f.Random.Mode == "" || f.Random.Rate == nil {
			t.Errorf("%s: %+v", path, f)
		}
	}
}

func TestUnixSocket(t *testing.T) {
	pool, _ := newPool(t)
	server, mux := serve(t, pool, "logins")
	server.Close()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Skipf("no Unix sockets here: %v", err) // or the path is too long
	}
	go http.Serve(l, mux)
	defer l.Close()
	for _, address := range []string{path, "unix:" + path, "unix://" + path, "unix!" + path} {
		if f := newWatch(t, address).Next(t.Context()); f.Error != "" || len(f.Pools) != 1 || f.Source != "expvar" {
			t.Errorf("%s: %+v", address, f)
		}
	}
}

// A process that goes away, and comes back as another program, and then as itself, is waited for; all of it is said.
func TestGoneAndBack(t *testing.T) {
	pool, _ := newPool(t)
	server, mux := serve(t, pool, "logins")
	other, _ := newPool(t)
	_, again := serve(t, other, "logins")
	address := server.Listener.Addr().String()
	w := newWatch(t, address)
	server.Close()
	if f := w.Next(t.Context()); f.Error == "" || len(f.Pools) != 0 {
		t.Fatalf("after the end: %+v", f)
	}
	come := func(h http.Handler) (leave func()) {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Skipf("the port was taken meanwhile: %v", err)
		}
		s := &http.Server{Handler: h}
		go s.Serve(l)
		return func() { s.Close() }
	}
	leave := come(http.NotFoundHandler())
	if f := w.Next(t.Context()); !strings.Contains(f.Error, "no figures of fount: /debug/vars: HTTP status 404") {
		t.Fatalf("another program: %+v", f)
	}
	leave()
	leave = come(mux)
	if f := w.Next(t.Context()); f.Error != "" || f.Restarted {
		t.Fatalf("the same pool: %+v", f)
	}
	leave()
	defer come(again)()
	if f := w.Next(t.Context()); f.Error != "" || !f.Restarted {
		t.Fatalf("another pool: %+v, want restarted", f)
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:80": "http://127.0.0.1:80", "[::1]:80": "http://[::1]:80", "host:http": "http://host:http", ":80": "http://localhost:80",
		"http://h": "http://h", "https://h:1/x?y=1": "https://h:1/x?y=1", "unix:/a b": "http://localhost", "/a": "http://localhost",
		"./a": "http://localhost", "a/b": "http://localhost", "unix:a": "http://localhost", "unix!/a": "http://localhost",

		"": "", "host": "", "80": "", "host:": "", "ftp://h": "", "http://": "", "http:///x": "", "unix:": "", "unix!": "", "a:b:c": "",
		"u@h:80": "", "h?x:80": "", "http://[::1": "", "h h:80": "", "\x1b[2J": "",
	} {
		s, err := NewSource(address)
		if (err == nil) != (want != "") || err == nil && s.base.String() != want {
			t.Errorf("%q: %+v, %v; want %q", address, s, err, want)
		}
		if err != nil && !strings.Contains(err.Error(), "use for example ") {
			t.Errorf("%q: %v says not what would be right", address, err)
		}
	}
	if s, err := NewSource("http://user:secret@h/x"); err != nil || strings.Contains(s.Address(), "secret") {
		t.Errorf("%v, %v: a password is shown", s, err)
	}
}

// endless is a body without an end.
type endless struct{ text string }

func (e endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		n += copy(p[n:], e.text)
	}
	return n, nil
}

// What is not fount's is said in one line, and costs little.
func TestOtherServers(t *testing.T) {
	packed := func(w http.ResponseWriter, text string, times int) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		for range times {
			io.WriteString(z, text)
		}
		z.Close()
	}
	both := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
	}
	report := `{"version": %d, "bucket_bounds_seconds": [%s], "library": {}, "runtime": {"lateness": {"counts": [1]}}}`
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"404":        {http.NotFound, "no figures of fount: /debug/vars: HTTP status 404; /metrics: HTTP status 404"},
		"html":       {both("<!DOCTYPE html><title>\x1b[2J"), "/debug/vars: not expvar's JSON (invalid character '<'"},
		"nothing":    {both(""), "/debug/vars: not expvar's JSON (EOF); /metrics: no metrics of fount's among 0 lines"},
		"expvar":     {both(`{"cmdline": [], "memstats": {}, "x\u001b[2J": 1, "y": 2}`), "/debug/vars: no variable of fount's, but cmdline, memstats, x?[2J and 1 more"},
		"metrics":    {both("go_goroutines 7\nup 1\n"), "/metrics: no metrics of fount's among 2 lines"},
		"not text":   {both("fount_random_reseeds_total \x00\n"), "/metrics: not Prometheus's text"},
		"broken off": {both("fount_random_reseeds_total 1"), "/metrics: the text breaks off"},
		"version 2":  {both(`{"f": ` + fmt.Sprintf(report, 2, "") + `}`), `a report of version 2; this program reads version 1`},
		"no buckets": {both(`{"f": ` + fmt.Sprintf(report, 1, "1, 2, 3") + `}`), "a histogram has 3 bounds and 1 buckets; want one more"},
		"negative":   {both(`{"f": {"version": 1, "bucket_bounds_seconds": [], "library": {"reseeds": -1}}}`), "no report that can be read"},
		"many pools": {func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "fount_random_reseeds_total 1\n")
			for i := range 300_000 {
				fmt.Fprintf(w, "fount_password_workers{pool=\"%d\"} 1\n", i)
			}
		}, "/metrics: more than 1000 pools"},
		"many reports": {func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "{")
			for i := range 100_000 {
				fmt.Fprintf(w, `"%d": {"version": 1, "bucket_bounds_seconds": [], "library": {}, "password": {}}, `, i)
			}
			io.WriteString(w, `"": 0}`)
		}, "/debug/vars: more than 1000 pools"},
		"nested":      {both(strings.Repeat(`{"a":`, 1<<20)), "/debug/vars: not expvar's JSON"},
		"a long line": {both("{" + strings.Repeat("x", 1<<20)), "/metrics: not Prometheus's text (a line has more than 64 KiB)"},
		"1 GiB":       {func(w http.ResponseWriter, _ *http.Request) { io.CopyN(w, endless{" "}, 1<<30) }, "its answer is longer than 16 MiB"},
		"1 GiB of text": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/metrics" {
				io.CopyN(w, endless{"fount_x 1\n"}, 1<<30)
			}
		}, "its answer is longer than 16 MiB"},
		"a bomb":   {func(w http.ResponseWriter, _ *http.Request) { packed(w, strings.Repeat(" ", 1<<20), 100) }, "its answer is longer than 16 MiB"},
		"headers":  {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 1<<20)) }, "server response headers exceeded 65536 bytes"},
		"a circle": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/debug/vars", http.StatusFound) }, "stopped after 10 redirects"},
		"an abort": {func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"x": `)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(test.handler)
			defer server.Close()
			source, err := NewSource(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			source.patience = time.Minute // this machine may be slow
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err = NewWatch(t.Context(), source)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, want %q in it", err, test.want)
			}
			if said := err.Error(); len(said) > 900 || strings.ContainsFunc(said, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("the error is no printable line: %q", said)
			}
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 300 {
				t.Errorf("%d MiB allocated", used)
			}
		})
	}
}

// A server that does not answer, or not to the end, is given up, whatever it sends meanwhile.
func TestServersThatHang(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"before": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"within": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"drip by drip": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				io.WriteString(w, " ")
				w.(http.Flusher).Flush()
				time.Sleep(time.Millisecond)
			}
		},
	} {
		server := httptest.NewServer(handler)
		source, err := NewSource(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		source.patience = 50 * time.Millisecond
		if _, _, err := NewWatch(t.Context(), source); err == nil || err.Error() != "no answer within 50ms" {
			t.Errorf("%s: %v, want that there was no answer", name, err)
		}
		server.Close()
	}
}

func FuzzExpvar(f *testing.F) {
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4}, Workers: 1})
	if err != nil {
		f.Fatal(err)
	}
	defer pool.Close(context.Background())
	if expvar.Get("fuzz") == nil { // -count
		expvar.Publish("fuzz", expvar.Func(func() any { return telemetry.Read(pool) }))
	}
	f.Add([]byte(`{"fuzz": ` + expvar.Get("fuzz").String() + `}`))
	f.Add([]byte(`{"a": {"version": 1, "bucket_bounds_seconds": [1], "library": {}, "runtime": {"lateness": {"counts": [1, 2]}}}}`))
	f.Add([]byte(`{"a": {"version": 1, "bucket_bounds_seconds": [], "library": {}, "password": {"cpu_throttled_seconds": -1e308}}}`))
	f.Fuzz(func(t *testing.T, page []byte) { mustShow(t, page, readExpvar) })
}

func FuzzPrometheus(f *testing.F) {
	f.Add([]byte("fount_random_reseeds_total 1\nfount_scheduler_lateness_seconds_bucket{le=\"1\"} 3\nfount_password_workers{pool=\"x\"} 2\n" +
		"fount_password_calls_total{class=\"sign_in\",outcome=\"refused\",pool=\"x\",reason=\"deadline\"} NaN\n"))
	f.Add([]byte("# TYPE fount_password_wait_seconds histogram\nfount_password_wait_seconds_bucket{pool=\"\",class=\"a\",le=\"NaN\"} 3\n" +
		"fount_password_wait_seconds_count{pool=\"\",class=\"a\"} 2\nfount_random_reseeds_total +Inf\n"))
	f.Add([]byte("fount_random_reseeds_total 1\nfount_password_calls_submitted_total{class=\"a\",pool=\"x\"} 1e308\n" +
		"fount_password_calls_submitted_total{class=\"b\",pool=\"x\"} 1e308\n"))
	f.Fuzz(func(t *testing.T, page []byte) { mustShow(t, page, readPrometheus) })
}

// mustShow shows what a page says, in all ways, if it says anything.
func mustShow(t *testing.T, page []byte, read func(io.Reader) (*sample, error)) {
	was, err := read(bytes.NewReader(page))
	if err != nil {
		return
	}
	is, err := read(bytes.NewReader(page))
	if err != nil {
		t.Fatalf("the same page is read once: %v", err)
	}
	was.at, is.at = evening, evening.Add(time.Second)
	frame := between(was, is)
	if frame.Restarted {
		t.Error("the same page restarted")
	}
	nothing := &sample{at: was.at}
	for _, p := range was.pools {
		nothing.pools = append(nothing.pools, pool{name: p.name, throttled: of(-math.MaxFloat64), pressure: new(float64)})
	}
	for _, f := range []Frame{between(nil, was), frame, between(nothing, is), between(is, nothing)} {
		if _, err := f.JSON(); err != nil {
			t.Error(err)
		}
		v := scene(f, f)
		v.Choose(-1)
		for _, wh := range sizes {
			if bad := unfit(v.Lines(evening, time.Second, wh[0], wh[1], show.Style{Unicode: true}), wh[0], wh[1]); bad != "" {
				t.Error(bad)
			}
		}
		if text := f.Text(); strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
			t.Errorf("%q", text)
		}
	}
}
