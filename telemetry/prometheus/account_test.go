// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountprometheus

// What the metrics alone say of all calls: nothing is lost, nothing appears late, and clients add
// no series.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"

	"fount"
	"fount/password"
)

const mostSeries = 500

func newPool(t testing.TB, change func(*password.Options)) *password.Pool {
	t.Helper()
	o := password.Options{Policy: password.Policy{
		Algorithm: password.Bcrypt, Cost: 4,
		Limits: password.Limits{Time: 2 * time.Millisecond},
	}}
	if change != nil {
		change(&o)
	}
	p, err := password.NewPool(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(context.Background()) })
	return p
}

// registered is a registry with all of ours, which checks that collectors keep to what they
// describe.
func registered(t testing.TB, pool *password.Pool) *prometheus.Registry {
	t.Helper()
	reg := prometheus.NewPedanticRegistry()
	reg.MustRegister(NewCollector(pool, "logins"), NewProcessCollector())
	return reg
}

func gather(t testing.TB, g prometheus.Gatherer) map[string]*dto.MetricFamily {
	t.Helper()
	list, err := g.Gather()
	if err != nil {
		t.Fatal(err)
	}
	families := make(map[string]*dto.MetricFamily)
	for _, f := range list {
		families[f.GetName()] = f
	}
	return families
}

// A scrape has the value of each series, as Prometheus stores them with classic buckets.
type scrape map[string]float64

func scrapeOf(families map[string]*dto.MetricFamily) scrape {
	s := scrape{}
	for name, f := range families {
		for _, m := range f.Metric {
			var labels []string
			for _, l := range m.Label {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			put := func(suffix string, v float64, more ...string) {
				s[name+suffix+"{"+strings.Join(append(slices.Clone(labels), more...), ",")+"}"] = v
			}
			switch h := m.Histogram; {
			case m.Counter != nil:
				put("", m.Counter.GetValue())
			case m.Gauge != nil:
				put("", m.Gauge.GetValue())
			default:
				for _, b := range h.Bucket {
					put("_bucket", float64(b.GetCumulativeCount()), fmt.Sprintf("le=%q", fmt.Sprint(b.GetUpperBound())))
				}
				put("_bucket", float64(h.GetSampleCount()), `le="+Inf"`)
				put("_count", float64(h.GetSampleCount()))
				put("_sum", h.GetSampleSum())
			}
		}
	}
	return s
}

// of returns the sum of the series of a metric with all the labels, each written a="b".
func (s scrape) of(name string, labels ...string) (sum float64) {
	for series, v := range s {
		metric, has, _ := strings.Cut(series, "{")
		if metric == name && !slices.ContainsFunc(labels, func(l string) bool { return !strings.Contains("{"+has, l) }) {
			sum += v
		}
	}
	return sum
}

var classes = []string{`class="sign_in"`, `class="upgrade"`}

// problems are the calls that s does not account for.
func (s scrape) problems() (found []string) {
	for _, class := range classes {
		submitted := s.of("fount_password_calls_submitted_total", class)
		ended, inFlight := s.of("fount_password_calls_total", class), s.of("fount_password_calls_in_flight", class)
		if submitted != ended+inFlight {
			found = append(found, fmt.Sprintf("%s: %v calls submitted, %v ended, %v in flight", class, submitted, ended, inFlight))
		}
		var answered float64
		for _, o := range []string{"match", "mismatch", "unknown", "hashed"} {
			answered += s.of("fount_password_calls_total", class, `outcome="`+o+`"`)
		}
		for name, want := range map[string]float64{
			"fount_password_calls_answered_total":   answered,
			"fount_password_wait_seconds_count":     answered,
			"fount_password_service_seconds_count":  answered,
			"fount_password_duration_seconds_count": answered,
		} {
			if got := s.of(name, class); got != want {
				found = append(found, fmt.Sprintf("%s{%s} is %v, want %v", name, class, got, want))
			}
		}
	}
	return found
}

// changes are what must not have come between first and s, a later scrape.
func (s scrape) changes(first scrape) (found []string) {
	for series := range s {
		if _, ok := first[series]; !ok {
			found = append(found, series+" was not there from the first scrape")
		}
	}
	for series, v := range first {
		now, ok := s[series]
		metric, _, _ := strings.Cut(series, "{")
		counts := slices.ContainsFunc([]string{"_total", "_bucket", "_count", "_sum"}, func(end string) bool { return strings.HasSuffix(metric, end) })
		if !ok || counts && now < v {
			found = append(found, fmt.Sprintf("%s was %v and is %v, %v", series, v, now, ok))
		}
	}
	if len(s) > mostSeries {
		found = append(found, fmt.Sprintf("%d series; want at most %d", len(s), mostSeries))
	}
	return found
}

// ending returns the outcome and reason of a call by what its caller knows, where that is enough.
func ending(verify bool, encoded string, err error) string {
	_, overloaded := errors.AsType[password.OverloadedError](err)
	switch {
	case err == nil && verify:
		return `outcome="match"`
	case err == nil:
		return `outcome="hashed"`
	case errors.Is(err, password.ErrMismatch) && encoded == "":
		return `outcome="unknown"`
	case errors.Is(err, password.ErrMismatch):
		return `outcome="mismatch"`
	case errors.Is(err, password.ErrMalformed):
		return `reason="malformed"`
	case errors.Is(err, password.ErrCost):
		return `reason="cost"`
	case errors.Is(err, password.ErrEmpty):
		return `reason="empty"`
	case overloaded:
		return "refused or dropped"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, password.ErrClosed):
		return "given up"
	}
	return err.Error()
}

// Random programs of calls, scraped while they run: each scrape accounts for all calls, and the
// last for what the callers saw.
func TestAccount(t *testing.T) {
	pool := newPool(t, func(o *password.Options) {
		o.Workers = 1
		o.Queue = 6
	})
	reg := registered(t, pool)
	right, err := pool.Hash(t.Context(), password.Login{}, []byte("right"))
	if err != nil {
		t.Fatal(err)
	}
	first := scrapeOf(gather(t, reg))

	c := callers{pool: pool, stored: []string{right, right, right, "", "$2b$31$" + right[7:], "$2b$xx", "!"}, seen: map[string]float64{}}
	var all sync.WaitGroup
	for client := range 24 {
		all.Go(func() { c.call(t.Context(), rand.New(rand.NewPCG(1, uint64(client))), 40) })
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()

	last := first
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		now := scrapeOf(gather(t, reg))
		if found := append(now.problems(), now.changes(last)...); len(found) > 0 {
			t.Fatal(strings.Join(found, "\n"))
		}
		last = now
	}

	for _, class := range classes {
		t.Run(class, func(t *testing.T) { c.check(t, class, first, last) })
	}
	if len(c.seen) > 0 {
		t.Errorf("ends that no metric has: %v", c.seen)
	}
}

// callers call a pool, and count how their calls end.
type callers struct {
	pool   *password.Pool
	stored []string

	mu   sync.Mutex
	seen map[string]float64
}

// call makes n calls, some of them canceled or with little time.
func (c *callers) call(ctx context.Context, random *rand.Rand, n int) {
	for range n {
		ctx, cancel := context.WithCancel(ctx)
		switch random.IntN(6) {
		case 0:
			cancel()
		case 1:
			ctx, cancel = context.WithTimeout(ctx, time.Duration(random.IntN(9))*time.Millisecond)
		}

		class := "sign_in"
		login := password.Login{Principal: fmt.Sprint(random.IntN(9)), Upgrade: random.IntN(2) == 0}
		if login.Upgrade {
			class = "upgrade"
		}
		given := []string{"right", "wrong", ""}[random.IntN(3)]
		encoded := c.stored[random.IntN(len(c.stored))]
		verify := random.IntN(4) > 0

		var err error
		if verify {
			_, err = c.pool.Verify(ctx, login, []byte(given), encoded)
		} else {
			_, err = c.pool.Hash(ctx, login, []byte(given))
		}
		cancel()

		end := ending(verify, encoded, err)
		if verify && given == "" && errors.Is(err, password.ErrMismatch) {
			end = `reason="empty"` // at once: it matches nothing
		}
		c.mu.Lock()
		c.seen[fmt.Sprintf("class=%q,", class)+end]++
		c.mu.Unlock()
	}
}

// check compares how calls of a class ended between two scrapes with what the callers saw, and
// forgets that.
func (c *callers) check(t *testing.T, class string, first, last scrape) {
	compare := func(end string, outcomes ...string) {
		ended := 0.0
		for _, o := range outcomes {
			ended += last.of("fount_password_calls_total", class, o) - first.of("fount_password_calls_total", class, o)
		}
		if seen := c.seen[class+","+end]; ended != seen {
			t.Errorf("%s: %v by the metrics, %v by the callers", end, ended, seen)
		}
		delete(c.seen, class+","+end)
	}

	for _, end := range []string{
		`outcome="match"`, `outcome="hashed"`, `outcome="unknown"`, `outcome="mismatch"`, `reason="malformed"`, `reason="cost"`, `reason="empty"`,
	} {
		compare(end, end)
	}
	compare("refused or dropped", `outcome="refused"`, `outcome="dropped"`)
	compare("given up", `outcome="canceled"`, `outcome="expired"`)
}

// late is a context whose deadline passes when its call has been let in.
type late struct {
	context.Context
	asked int
}

func (c *late) Err() error {
	if c.asked++; c.asked == 1 {
		return nil
	}
	return context.DeadlineExceeded
}

func (c *late) Done() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}

// verifyLate has the pool answer a call after its deadline.
func verifyLate(t testing.TB, pool *password.Pool) {
	t.Helper()
	slow, err := password.Hash(password.Policy{Algorithm: password.PBKDF2SHA512, Iterations: 1}, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	slow = strings.Replace(slow, "$1$", "$10000000$", 1) // seconds, but nobody waits
	if _, err := pool.Verify(&late{Context: t.Context()}, password.Login{}, []byte("x"), slow); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("a late call: %v", err)
	}
}

func slowPool(t testing.TB) *password.Pool {
	return newPool(t, func(o *password.Options) { o.Policy.Limits.Time = 5 * time.Second })
}

// A call that its deadline finds unfinished is demand, and not goodput.
func TestLateCallIsNotGoodput(t *testing.T) {
	pool := slowPool(t)
	reg := registered(t, pool)
	pool.Verify(t.Context(), password.Login{}, []byte("x"), "")
	verifyLate(t, pool)
	s := scrapeOf(gather(t, reg))
	for series, want := range map[string]float64{
		"fount_password_calls_submitted_total":  2,
		"fount_password_calls_answered_total":   1,
		"fount_password_calls_in_flight":        0,
		"fount_password_duration_seconds_count": 1,
	} {
		if got := s.of(series); got != want {
			t.Errorf("%s is %v, want %v", series, got, want)
		}
	}
	if got := s.of("fount_password_calls_total", `outcome="expired"`, `class="sign_in"`); got != 1 {
		t.Errorf("%v calls expired, want 1", got)
	}
}

// Whatever clients send, the series are those of the first scrape, which are fewer than 500.
func TestSeries(t *testing.T) {
	pool := newPool(t, nil)
	reg := registered(t, pool)
	first := scrapeOf(gather(t, reg))
	for i, p := range []password.Policy{
		{Algorithm: password.Bcrypt, Cost: 4},
		{Algorithm: password.Argon2id, Memory: 8, Iterations: 1, Parallelism: 1},
		{Algorithm: password.Argon2i, Memory: 8, Iterations: 1, Parallelism: 1},
		{Algorithm: password.Argon2d, Memory: 8, Iterations: 1, Parallelism: 1},
		{Algorithm: password.Scrypt, Cost: 2, BlockSize: 1, Parallelism: 1},
		{Algorithm: password.PBKDF2SHA256, Iterations: 1},
		{Algorithm: password.PBKDF2SHA512, Iterations: 77},
	} {
		encoded, err := password.Hash(p, []byte("right"))
		if err != nil {
			t.Fatal(err)
		}
		for _, stored := range []string{encoded, "", "\x00"} {
			login := password.Login{Caller: fmt.Sprint(i), Principal: stored + "\xff\n\"", Upgrade: i%2 == 0}
			pool.Verify(t.Context(), login, []byte("right"), stored)
		}
	}
	now := scrapeOf(gather(t, reg))
	if found := append(now.problems(), now.changes(first)...); len(found) > 0 {
		t.Error(strings.Join(found, "\n"))
	}
}

// Several pools live in one registry and leave it.
func TestPools(t *testing.T) {
	reg := prometheus.NewPedanticRegistry()
	a, b := newPool(t, nil), newPool(t, nil)
	first := NewCollector(a, "a")
	reg.MustRegister(first, NewCollector(b, "b"))
	if err := reg.Register(NewCollector(b, "a")); err == nil {
		t.Error("a taken name is taken again")
	}
	a.Hash(t.Context(), password.Login{}, []byte("x"))
	s := scrapeOf(gather(t, reg))
	hashed := func(pool string) float64 {
		return s.of("fount_password_calls_total", `outcome="hashed"`, `pool="`+pool+`"`)
	}
	if hashed("a") != 1 || hashed("b") != 0 {
		t.Errorf("hashed: %v by a, %v by b", hashed("a"), hashed("b"))
	}
	if !reg.Unregister(first) {
		t.Error("a was not registered")
	}
	for series := range scrapeOf(gather(t, reg)) {
		if strings.Contains(series, `pool="a"`) {
			t.Fatalf("%s is there after Unregister", series)
		}
	}
}

// Durations are in the buckets in which client_golang's own histogram puts them.
func TestBuckets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var ends []float64
	for e := firstTime; e < firstTime+numBounds; e++ {
		ends = append(ends, math.Ldexp(1, e))
	}
	reference := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "reference", Help: "Of client_golang.", Buckets: ends})
	var h password.Histogram
	for range 1000 {
		d := time.Duration(1e9 * math.Exp2(-16+23*random.Float64())) // 15 µs to 128 s
		i, _ := slices.BinarySearch(password.HistogramBounds(), d.Seconds())
		h.Counts[i]++
		h.Sum += d
		reference.Observe(d.Seconds())
	}
	ours, sent := new(dto.Metric), make(chan prometheus.Metric, 1)
	output{to: sent}.sendTimes([]timing{{"ours", "help", &h}})
	(<-sent).Write(ours)
	theirs := new(dto.Metric)
	reference.Write(theirs)
	g, w := ours.Histogram, theirs.Histogram
	if g.GetSampleCount() != w.GetSampleCount() || math.Abs(g.GetSampleSum()/w.GetSampleSum()-1) > 1e-6 || len(g.Bucket) != len(w.Bucket) {
		t.Fatalf("%v, want %v", g, w)
	}
	for i, b := range w.Bucket {
		if o := g.Bucket[i]; o.GetUpperBound() != b.GetUpperBound() || o.GetCumulativeCount() != b.GetCumulativeCount() {
			t.Errorf("bucket %d: %v, want %v", i, o, b)
		}
	}
}

// Goroutines have run, one mode is in force, and names and units are as Prometheus wants them.
func TestProcess(t *testing.T) {
	reg := registered(t, newPool(t, nil))
	s := scrapeOf(gather(t, reg))
	if n, sum := s.of("fount_scheduler_lateness_seconds_count"), s.of("fount_scheduler_lateness_seconds_sum"); n < 1 || sum < 0 || sum > 1e6 {
		t.Errorf("%v goroutines were late by %v s", n, sum)
	}
	if s.of("fount_random_mode") != 1 {
		t.Errorf("%v modes are in force", s.of("fount_random_mode"))
	}
	calls := s.of("fount_random_reseed_calls_total")
	fount.Reseed()
	if got := scrapeOf(gather(t, reg)).of("fount_random_reseed_calls_total"); got != calls+1 {
		t.Errorf("%v calls of Reseed, then %v", calls, got)
	}
	problems, err := testutil.GatherAndLint(reg)
	if len(problems) > 0 || err != nil {
		t.Errorf("promlint: %v, %v", problems, err)
	}
}

// What a scrape takes.
func BenchmarkScrape(b *testing.B) {
	reg := registered(b, newPool(b, nil))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reg.Gather(); err != nil {
			b.Fatal(err)
		}
	}
}
