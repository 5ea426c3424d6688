// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// A real Prometheus, with the committed rules, scrapes fount load at half and at three times what the pool can do.

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fount/internal/test/require"
)

var (
	scale   = flag.Float64("scale", 20, "TestOverload divides each time of the rules, and between scrapes, by this")
	half    = flag.Duration("half", 25*time.Second, "how long TestOverload asks for half of what the pool does")
	triple  = flag.Duration("triple", 25*time.Second, "and how long for three times as much")
	picture = flag.String("picture", "", "write the dashboard at the end of TestOverload to this SVG")
)

const generous = 3 * time.Minute // for what takes a second

// aTime is a time of a rule: a range, or how long an alert's condition must hold.
var aTime = regexp.MustCompile(`(\[|for: )(\d+)([smhdw])`)

// scaled divides all times of the rules. What a pool does is not scaled; 60 in the rule of floods is the pool's half-life.
func scaled(rules string, by float64) string {
	unit := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour}
	return aTime.ReplaceAllStringFunc(rules, func(text string) string {
		m := aTime.FindStringSubmatch(text)
		n, _ := strconv.Atoi(m[2])
		return m[1] + millis(time.Duration(float64(n)*float64(unit[m[3]])/by))
	})
}

func millis(d time.Duration) string { return fmt.Sprintf("%dms", d.Milliseconds()) }

func TestScaled(t *testing.T) {
	if got, want := scaled("rate(a[2m]) > 5\nfor: 5m\n[1w]", 20), "rate(a[6000ms]) > 5\nfor: 15000ms\n[30240000ms]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// freePort is a loopback address on which nobody listens. It is free for a while before it is used, and between two loads: on
// Linux it is none of 127.0.0.1, where other tests get a free port at any time.
func freePort(t *testing.T) string {
	host := "127.0.0.1"
	if runtime.GOOS == "linux" { // all of 127.0.0.0/8 is the machine's
		pid := os.Getpid()
		host = fmt.Sprintf("127.%d.%d.%d", 64+pid>>14&63, pid>>7&127, 1+pid&127)
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// start runs a program until stop.
func start(t *testing.T, name string, arguments ...string) (stop func()) {
	t.Helper()
	var output strings.Builder
	cmd := exec.Command(name, arguments...)
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			cmd.Process.Kill()
			cmd.Wait()
			if t.Failed() {
				t.Logf("%s %q:\n%s", name, arguments, &output)
			}
		}
	}
	t.Cleanup(stop)
	return stop
}

// A rig is a Prometheus that scrapes where fount load will be.
type rig struct {
	client
	program, target string // fount, and where it serves metrics
	scrape          time.Duration
}

func newRig(t *testing.T) *rig {
	prometheus, err := exec.LookPath("prometheus")
	if err != nil {
		require.Skip(t, "prometheus", err.Error())
	}
	dir := t.TempDir()
	address := freePort(t)
	r := &rig{client{"http://" + address}, filepath.Join(dir, "fount"), freePort(t), time.Duration(15e9 / *scale)}
	if out, err := exec.Command("go", "build", "-o", r.program, "fount/cmd/fount").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	rules, config := filepath.Join(dir, "fount.rules.yml"), filepath.Join(dir, "prometheus.yml")
	text := strings.ReplaceAll(read(t, "../../deploy/prometheus/prometheus.yml"), ": 15s", ": "+millis(r.scrape))
	text = strings.Replace(text, "127.0.0.1:9464\"]", r.target+"\"]", 1)
	for file, text := range map[string]string{rules: scaled(read(t, rulesFile), *scale), config: text} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	start(t, prometheus, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address, "--log.level=warn")
	r.until(t, "Prometheus answers", func(ctx context.Context) bool { return r.get(ctx, "/api/v1/rules", nil, new(any)) == nil })
	return r
}

// until waits for what must come.
func (r *rig) until(t *testing.T, what string, is func(context.Context) bool) {
	t.Helper()
	for end := time.Now().Add(generous); !is(t.Context()); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", generous, what)
		}
	}
}

// capacity is how many sign-ins a second the pool does.
func (r *rig) capacity(t *testing.T) float64 {
	out, err := exec.Command(r.program, "load", "password", "-m", "pool", "--cost", "8", "-c", "16", "-d", "2s", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Finished float64 `json:"finished_per_s"`
	}
	if err := json.Unmarshal(out, &report); err != nil || report.Finished <= 0 {
		t.Fatalf("%v: %s", err, out)
	}
	return report.Finished
}

// load begins to ask for so many sign-ins a second, and waits until Prometheus has seen some.
func (r *rig) load(t *testing.T, rate float64) (stop func()) {
	t.Helper()
	stop = start(t, r.program, "load", "password", "-m", "pool", "--cost", "8", "--rate", fmt.Sprintf("%.1f", rate), "-d", "1h", "--metrics", r.target)
	r.until(t, "Prometheus has two scrapes of the run", func(ctx context.Context) bool {
		return r.value(ctx, "sum(changes(fount_password_calls_submitted_total["+millis(3*r.scrape)+"]))") > 0
	})
	return stop
}

// value is the first one of an instant query, or 0.
func (r *rig) value(ctx context.Context, query string) float64 {
	var data struct{ Result []struct{ Value [2]any } }
	if err := r.get(ctx, "/api/v1/query", url.Values{"query": {query}}, &data); err != nil || len(data.Result) == 0 {
		return 0
	}
	text, _ := data.Result[0].Value[1].(string)
	v, _ := strconv.ParseFloat(text, 64)
	return v
}

// fired returns the alerts that fire at any moment until the time is over and all of want have, and when each began.
func (r *rig) fired(t *testing.T, d time.Duration, want ...string) map[string]time.Duration {
	began, seen := time.Now(), map[string]time.Duration{}
	missing := func() bool {
		return slices.ContainsFunc(want, func(name string) bool { _, ok := seen[name]; return !ok })
	}
	answers := func() bool { // most of what it is asked: there is nothing to wait for
		return r.value(t.Context(), "instance_pool:fount_password_calls_answered_per_calls_demanded:ratio_rate2m") >= 0.5
	}
	for end := began.Add(d); time.Now().Before(end) || missing() && !answers() && time.Now().Before(end.Add(generous)); time.Sleep(r.scrape / 2) {
		var data struct {
			Alerts []struct {
				Labels map[string]string
				State  string
			}
		}
		if err := r.get(t.Context(), "/api/v1/alerts", nil, &data); err != nil {
			t.Fatal(err)
		}
		for _, a := range data.Alerts {
			if _, ok := seen[a.Labels["alertname"]]; !ok && a.State == "firing" {
				seen[a.Labels["alertname"]] = time.Since(began)
			}
		}
	}
	// A quota on this very test is no mistake of the alert's.
	if _, ok := seen["FountCPUThrottled"]; ok && r.value(t.Context(), "max(fount_password_cpu_throttled_seconds_total)") > 0 {
		t.Log("a CPU quota stops this test, and FountCPUThrottled says so")
		delete(seen, "FountCPUThrottled")
	}
	if _, ok := seen["FountSourceCutOff"]; ok && r.value(t.Context(), "max(last_over_time(fount_random_source_cut_off[1m]))") == 1 {
		t.Log("a source of this machine failed its tests, and FountSourceCutOff says so")
		delete(seen, "FountSourceCutOff")
	}
	return seen
}

// stalls counts for how long this process ran too late, at most, until stop is called: the machine was stopped, or too busy, for as
// long.
func stalls() (stop func() time.Duration) {
	done, most := make(chan struct{}), make(chan time.Duration)
	go func() {
		const beat = 5 * time.Millisecond
		longest, last := time.Duration(0), time.Now()
		for {
			select {
			case <-done:
				most <- longest
				return
			case <-time.After(beat):
				longest, last = max(longest, time.Since(last)-beat), time.Now()
			}
		}
	}()
	return func() time.Duration { close(done); return <-most }
}

// busiest is the greatest part of its workers that the pool used for as long as a rate looks back.
func (r *rig) busiest(t *testing.T, d time.Duration) float64 {
	return r.value(t.Context(), fmt.Sprintf("max(max_over_time(avg_over_time(fount_password_workers_busy[%s])[%s:%s]) / fount_password_workers)",
		millis(8*r.scrape), millis(d), millis(r.scrape)))
}

// withoutData are the selectors and, if they are whole, the queries that have no data in the span, each with its error if it is
// wrong. Steal and pressure are left out where the page of metrics does not have them.
func (r *rig) withoutData(t *testing.T, s span, page string, whole bool, queries ...string) (without []string) {
	for _, query := range queries {
		query, err := expanded(query, r.scrape)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(query, "cpu_steal") && !strings.Contains(page, "cpu_steal") || strings.Contains(query, "cpu_pressure") && !strings.Contains(page, "cpu_pressure") {
			t.Logf("this system has no figures for %s", query)
			continue
		}
		if list, err := r.over(t.Context(), query, s); err != nil {
			without = append(without, err.Error())
		} else if whole && len(list) == 0 {
			without = append(without, query)
		}
		for _, selector := range selectors(query) {
			if list, err := r.over(t.Context(), selector, s); err != nil || len(list) == 0 {
				without = append(without, fmt.Sprintf("%s of %s, %v", selector, query, err))
			}
		}
	}
	return without
}

// page is what the pool serves now.
func (r *rig) page(t *testing.T) string {
	response, err := http.Get("http://" + r.target + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// rules are the expressions of the rules as Prometheus has read them.
func (r *rig) rules(t *testing.T) (records, alerts []string) {
	var data struct {
		Groups []struct {
			Rules []struct{ Type, Query, LastError string }
		}
	}
	if err := r.get(t.Context(), "/api/v1/rules", nil, &data); err != nil {
		t.Fatal(err)
	}
	for _, g := range data.Groups {
		for _, rule := range g.Rules {
			if rule.LastError != "" {
				t.Errorf("%s: %s", rule.Query, rule.LastError)
			}
			if rule.Type == "recording" {
				records = append(records, rule.Query)
			} else {
				alerts = append(alerts, rule.Query)
			}
		}
	}
	return records, alerts
}

// At half of what the pool can do no alert fires; at three times it, those of goodput and of refusals, and no other. Every query of
// the dashboard, of the rules and of the runbook has data then.
func TestOverload(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this overloads a pool for a minute, and needs Prometheus")
	}
	r := newRig(t)
	start := time.Now()
	quiet := false
	for try := 1; try <= 3 && !quiet; try++ {
		capacity := r.capacity(t)
		stop := r.load(t, capacity/2)
		stalled := stalls()
		fired := r.fired(t, *half)
		busiest, slowest := r.busiest(t, *half), r.value(t.Context(), "histogram_quantile(1, sum by (le) (fount_password_service_seconds_bucket))")
		late := r.value(t.Context(), "histogram_quantile(1, sum by (le) (fount_scheduler_lateness_seconds_bucket))")
		stall := stalled()
		stop()
		t.Logf("%.0f sign-ins a second, half of what the pool does, for %v: %v fired; workers busy for %.0f %% of the time at most, no hash longer than %v s, "+
			"no goroutine later than %v s, no stall longer than %v", capacity/2, *half, fired, 100*busiest, slowest, late, stall)
		// Otherwise other programs took so much of the machine, or stopped it for so long, that the pool was overloaded.
		calm := busiest < 0.9 && slowest <= 0.25 && late <= 0.125 && stall <= 100*time.Millisecond
		quiet = calm || len(fired) == 0
		if calm && len(fired) > 0 {
			t.Errorf("at half the load %v fired", fired)
		}
		r.until(t, "alerts of the last try end", func(ctx context.Context) bool {
			return r.value(ctx, `count(ALERTS{alertstate="firing"})`) == 0
		})
	}
	if !quiet {
		t.Log("half the load is not judged: the pool could not do twice as much all the time")
	}

	want := []string{"FountGoodputBelowDemand", "FountRefusals"}
	var (
		capacity float64
		stop     func()
		began    time.Time
		fired    map[string]time.Duration
	)
	for try := 1; ; try++ {
		capacity = r.capacity(t)
		stop, began = r.load(t, 3*capacity), time.Now()
		fired = r.fired(t, *triple, want...)
		if part := r.value(t.Context(), "instance_pool:fount_password_calls_answered_per_calls_demanded:ratio_rate2m"); part < 0.5 || try == 3 {
			break // overloaded; or the machine never is
		} else {
			t.Logf("%.0f sign-ins a second are not three times what the pool does any more: it answers %.0f %%", 3*capacity, 100*part)
		}
		stop()
	}
	t.Logf("%.0f sign-ins a second, three times what the pool does, for %v: %v fired", 3*capacity, time.Since(began).Round(time.Second), fired)
	if got := slices.Sorted(maps.Keys(fired)); !slices.Equal(got, want) {
		t.Errorf("at three times the load %v fired, want %v", got, want)
	}

	now, page := span{began, time.Now(), r.scrape}, r.page(t)
	stop() // what is asked for is of the past
	b := readBoard(t)
	records, alerts := r.rules(t)
	book := queriesIn(read(t, runbookFile))
	if len(b.queries()) < 30 || len(records) != 4 || len(alerts) != 7 || len(book) < 10 {
		t.Errorf("%d queries in the dashboard, %d and %d rules, %d queries in the runbook", len(b.queries()), len(records), len(alerts), len(book))
	}
	for _, queries := range [][]string{b.queries(), b.choices(), records} {
		for _, without := range r.withoutData(t, now, page, true, queries...) {
			t.Errorf("no data: %s", without)
		}
	}
	for _, without := range r.withoutData(t, now, page, false, append(alerts, book...)...) {
		t.Errorf("no data: %s", without)
	}
	for _, query := range slices.Concat(b.queries(), b.choices(), records, alerts) {
		misspelt := strings.NewReplacer("fount_", "fuont_", "ALERTS", "ALARMS").Replace(query)
		misspelt = strings.ReplaceAll(misspelt, "fuont_", "fount_misspelt_")
		misspelt = strings.ReplaceAll(misspelt, "ALARMS", "fount_misspelt")
		if len(r.withoutData(t, now, page, false, misspelt)) == 0 {
			t.Errorf("has data: %s", misspelt)
		}
	}
	t.Logf("%d queries of the dashboard, %d of rules and %d of the runbook have data", len(b.queries())+len(b.choices()), len(records)+len(alerts), len(book))
	if *picture != "" {
		note := fmt.Sprintf("bcrypt of cost 8, %d CPUs: %v of half of what the pool does; then, in a new process, %v of three times as much. A scrape each %v.",
			runtime.NumCPU(), *half, *triple, r.scrape)
		svg, err := b.draw(t.Context(), r.client, span{start, now.end, r.scrape}, note)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(*picture, svg, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
