// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

import (
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
	"fount/password"
	fountprometheus "fount/telemetry/prometheus"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// viewOf returns a view of a server.
func viewOf(t *testing.T, address string) *View {
	t.Helper()
	source, err := NewSource(address)
	require.NoError(t, err)
	return &View{Source: source, Interval: time.Second}
}

// shown is what a view shows after another look.
func shown(t *testing.T, v *View) string {
	t.Helper()
	if v.Look(t.Context()); v.Err != nil {
		t.Fatal(v.Err)
	}
	return strings.Join(v.Lines(), "\n")
}

// What a real pool answers and refuses is shown, over a Unix socket too.
func TestRealPool(t *testing.T) {
	ada := password.Login{Principal: "ada"}
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4}})
	require.NoError(t, err)
	registry := prometheus.NewRegistry()
	registry.MustRegister(fountprometheus.NewCollector(pool, "login"), fountprometheus.NewProcessCollector())

	server := httptest.NewUnstartedServer(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	path := filepath.Join(socketdir.New(t), "app.sock")
	if server.Listener, err = net.Listen("unix", path); err != nil {
		t.Fatal(err)
	}
	server.Start()
	defer server.Close()

	v := viewOf(t, "unix:"+path)
	shown(t, v)
	stored, err := pool.Hash(t.Context(), ada, []byte("right"))
	require.NoError(t, err)
	for range 10 {
		_, err := pool.Verify(t.Context(), ada, []byte("right"), stored)
		require.NoError(t, err)
	}
	pool.Close(context.Background())
	if _, err := pool.Verify(t.Context(), ada, []byte("right"), stored); err == nil {
		t.Fatal("a closed pool answers")
	}

	text := shown(t, v)
	for _, want := range []string{"pool login", "refused closed ", "workers  0 of ", "random     "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}

	var demand, goodput float64
	for line := range strings.Lines(text) {
		fmt.Sscanf(line, "  demand %f/s", &demand)
		fmt.Sscanf(line, "  goodput %f/s", &goodput)
	}
	if goodput <= 0 || demand < goodput*1.08 || demand > goodput*1.1 { // of 12 calls
		t.Errorf("demand %v, goodput %v; want 12 to 11\n%s", demand, goodput, text)
	}
}

// answers is a server that says one text after the other, and then the last.
func answers(t *testing.T, texts ...string) string {
	next := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			fmt.Fprint(w, heaviest)
			return
		}
		fmt.Fprint(w, texts[min(next, len(texts)-1)])
		next++
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// heaviest is fountd's answer to who asks most.
const heaviest = `{"principals":[{"id":"0123456789abcdef","weight_ms":1900},{"id":"\u001b[2Jfedcba9876543210","weight_ms":20}]}`

// fountd names the principals that use most of it.
func TestPrincipals(t *testing.T) {
	text := shown(t, viewOf(t, answers(t, reseeds+"fount_password_workers{pool=\"fountd\"} 2\n")))
	if !strings.Contains(text, "0123456789abcdef  1.90 s\n") || !strings.Contains(text, "?[2Jfedcba987654  20.0 ms") {
		t.Errorf("%q", text)
	}
}

const reseeds = "fount_random_reseeds_total 5\n"

// A process that began anew counts from 0, and nothing is negative.
func TestRestart(t *testing.T) {
	const pool = "fount_password_workers{pool=\"a\"} 2\nfount_password_calls_submitted_total{pool=\"a\"} "
	v := viewOf(t, answers(t, reseeds+pool+"1000\n", reseeds+pool+"10\n", "fount_random_reseeds_total 1\n"+pool+"3\n"))
	shown(t, v)
	for range 2 {
		text := shown(t, v)
		isNegative := strings.Contains(text, " -") && !strings.Contains(text, "p50 -")
		if isNegative || !strings.Contains(text, "demand      0.0/s") {
			t.Errorf("after a restart:\n%s", text)
		}
	}
}

// Names are another's, and a terminal would obey them.
func TestHostileNames(t *testing.T) {
	const name = "\x1b]0;owned\a\x1b[2J\u009b31m\r\\nlogins"
	text := shown(t, viewOf(t, answers(t, reseeds+"fount_password_workers{pool=\""+name+"\"} 2\n"+
		"fount_password_calls_total{pool=\""+name+"\",outcome=\"refused\",reason=\""+name+"\"} 2\n"+
		"fount_random_mode{mode=\""+name+"\"} 1\nfount_password_calls_submitted_total{pool=\"p\"} NaN\n"+
		"fount_password_calls_submitted_total{pool=\"q\"} +Inf\n")))
	if strings.ContainsAny(text, "\x1b\a\r\u009b") || !strings.Contains(text, "pool ?]0;owned??[2J?31m??logins") {
		t.Errorf("%q", text)
	}
}

// What is not fount's is said in one line, and what is beside it does no harm.
func TestOtherServers(t *testing.T) {
	for name, answer := range map[string]string{
		"a page": "<html><body>welcome</body></html>", "JSON": `{"fount": {}}`, "nothing": "", "another's": "go_goroutines 4\n",
		"broken": reseeds + "fount_x{ 1\n", "long": strings.Repeat("fount_x 1\n", maxBytes/9), "a long line": strings.Repeat("x", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			v := viewOf(t, answers(t, answer))
			v.Look(t.Context())
			if v.Err == nil || strings.Contains(v.Err.Error(), "\n") || len(v.Err.Error()) > 200 {
				t.Error(v.Err)
			}
		})
	}
	shown(t, viewOf(t, answers(t, "another{ 1\n"+reseeds)))
	for _, address := range []string{"", "localhost", "ftp://localhost:1/", "http://", "a b:c:d"} {
		if _, err := NewSource(address); err == nil {
			t.Errorf("%q is an address", address)
		}
	}
}

// Whatever another process serves, it is an answer or an error.
func FuzzParse(f *testing.F) {
	f.Add(reseeds + `fount_password_wait_seconds_bucket{pool="a", le="+Inf"} 3 1700000000`)
	f.Add(`fount_x{a="\`)
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := parse(strings.NewReader(text)); err == nil {
			v := &View{Source: new(Source)}
			v.add(s, nil)
			v.add(s, nil)
			v.Lines()
		}
	})
}

func TestQuantile(t *testing.T) {
	inf := math.Inf(1)
	was := histogram{0.1: 5, 0.2: 5, 0.4: 5, inf: 5}
	for name, c := range map[string]struct {
		is   histogram
		q    float64
		want string
	}{
		"nothing":         {q: 0.5, want: "-"},
		"nothing new":     {is: was, q: 0.5, want: "-"},
		"the middle":      {is: histogram{0.1: 6, 0.2: 14, 0.4: 15, inf: 15}, q: 0.5, want: "<= 200 ms"},
		"the end":         {is: histogram{0.1: 6, 0.2: 14, 0.4: 15, inf: 15}, q: 0.99, want: "<= 400 ms"},
		"the last bucket": {is: histogram{0.1: 5, 0.2: 5, 0.4: 5, inf: 9}, q: 0.5, want: "> 400 ms"},
		"one bucket":      {is: histogram{inf: 9}, q: 0.5, want: "-"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.is.quantile(c.q, was); got != c.want {
				t.Errorf("%v; want %v", got, c.want)
			}
		})
	}
}
