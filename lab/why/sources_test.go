// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// Tests of what is read: profiles of pprof, from files and from servers, and the text of perf script.

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	rpprof "runtime/pprof"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/pprof/profile"
)

// made is a CPU profile with one inlined call.
func made(t testing.TB) []byte {
	t.Helper()
	m := &profile.Mapping{ID: 1, File: "/srv/shop"}
	draw := &profile.Function{ID: 1, Name: "crypto/rand.Read", Filename: "rand.go"}
	id := &profile.Function{ID: 2, Name: "example.com/shop.id", Filename: "/src/shop/id.go"}
	handle := &profile.Function{ID: 3, Name: "example.com/shop.handle", Filename: "/src/shop/shop.go"}
	at := &profile.Location{ID: 1, Mapping: m, Line: []profile.Line{{Function: draw, Line: 7}}}
	caller := &profile.Location{ID: 2, Mapping: m, Line: []profile.Line{{Function: id, Line: 8}, {Function: handle, Line: 9}}}
	nameless := &profile.Location{ID: 3, Mapping: m}
	p := &profile.Profile{
		SampleType:    []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType:    &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:        1e7,
		DurationNanos: 2e9,
		Mapping:       []*profile.Mapping{m},
		Function:      []*profile.Function{draw, id, handle},
		Location:      []*profile.Location{at, caller, nameless},
		Sample: []*profile.Sample{
			{Location: []*profile.Location{at, caller}, Value: []int64{30, 3e8}},
			{Location: []*profile.Location{nameless}, Value: []int64{70, 7e8}},
		},
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReadPprof(t *testing.T) {
	p, err := ReadPprof(bytes.NewReader(made(t)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Of(p)
	if err != nil {
		t.Fatal(err)
	}
	if r.Program != "shop" || r.Samples != 100 || r.Seconds != 2 || math.Abs(r.Cores-0.5) > 1e-9 || len(r.Uses) != 1 {
		t.Fatalf("%+v", r)
	}
	if u := r.Uses[0]; math.Abs(u.Share-0.3) > 1e-9 || u.Site != (Site{"example.com/shop.id", "/src/shop/id.go", 8, true}) {
		t.Errorf("%+v", u)
	}
}

// A profile of this process, which may hold no sample where the machine is busy, is read like any other.
func TestReadOwnPprof(t *testing.T) {
	var b bytes.Buffer
	if err := rpprof.StartCPUProfile(&b); err != nil {
		t.Skip(err)
	}
	rpprof.StopCPUProfile()
	if _, err := ReadPprof(&b); err != nil {
		t.Error(err)
	}
}

func TestNotAProfile(t *testing.T) {
	var heap bytes.Buffer
	if err := rpprof.Lookup("heap").WriteTo(&heap, 0); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, in, want string }{
		{"heap", heap.String(), "it is a profile of alloc_objects, alloc_space, inuse_objects, inuse_space; a CPU profile is wanted"},
		{"perf.data", "PERFILE2\x68\x00", "it is a perf.data file"},
		{"text", "what", "it is no profile of pprof"},
		{"empty", "", "it is no profile of pprof"},
		{"larger than it looks", squeezed(t, strings.Repeat("\x00", mostProfile+1)), "it is larger than 64 MiB"},
		{"twice compressed", squeezed(t, squeezed(t, string(made(t)))), "it is no profile of pprof"},
		{"cut", squeezed(t, "what")[:12], "unexpected EOF"},
	} {
		if _, err := ReadPprof(strings.NewReader(test.in)); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

// squeezed is compressed.
func squeezed(t *testing.T, s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, s); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Counts that no int64 holds together are counts all the same.
func TestManySamples(t *testing.T) {
	in, err := profile.Parse(bytes.NewReader(made(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range in.Sample {
		s.Value = []int64{math.MaxInt64, math.MaxInt64}
	}
	var b bytes.Buffer
	if err := in.Write(&b); err != nil {
		t.Fatal(err)
	}
	p, err := ReadPprof(&b)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Of(p)
	if err != nil {
		t.Fatal(err)
	}
	if u := r.Uses[0]; r.Samples < u.Samples || u.Low < 0.49 || u.High > 0.51 {
		t.Errorf("%d of %d samples, %v to %v; want a half", u.Samples, r.Samples, u.Low, u.High)
	}
}

// A difference of profiles may hold less than 0. What is a share stays one.
func TestNegativeWaits(t *testing.T) {
	in, err := profile.Parse(bytes.NewReader(waiting(t)))
	if err != nil {
		t.Fatal(err)
	}
	in.Sample[1].Value[1] = -1e9
	if w := new(Profile).waitsOf(in, "mutex"); len(w) != 1 || w[0].Share != 1 {
		t.Errorf("%+v", w)
	}
}

// A small profile whose samples name one location with many functions again and again is not written out in memory.
func TestManyFunctions(t *testing.T) {
	in, err := profile.Parse(bytes.NewReader(made(t)))
	if err != nil {
		t.Fatal(err)
	}
	one := in.Sample[0]
	for range 2000 {
		one.Location[0].Line = append(one.Location[0].Line, profile.Line{Function: in.Function[0], Line: 7})
	}
	for range 9000 {
		in.Sample = append(in.Sample, one)
	}
	var b bytes.Buffer
	if err := in.Write(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPprof(&b); err == nil || err.Error() != "its stacks hold more than 16 million functions" {
		t.Error(err)
	}
}

// Periods differ where perf keeps to a frequency: the interval is about the share, and as wide as so few heavy samples are.
func TestPerfPeriods(t *testing.T) {
	sample := func(period, call string) string {
		return "app 7 1.5: " + period + " cycles: \n\t 1 " + call + " (/srv/app)\n\t 2 main.main (/srv/app)\n\n"
	}
	for name, in := range map[string]string{
		"few heavy": strings.Repeat(sample("1000000", "crypto/rand.Read"), 10) + strings.Repeat(sample("1000", "main.work"), 990),
		"few light": strings.Repeat(sample("1000", "crypto/rand.Read"), 10) + strings.Repeat(sample("1000000", "main.work"), 990),
		"overflow":  strings.Repeat(sample("1"+strings.Repeat("0", 308), "crypto/rand.Read"), 20),
	} {
		p, err := ReadPerf(strings.NewReader(in))
		if err != nil {
			t.Fatal(name, err)
		}
		r, err := Of(p)
		if err != nil {
			t.Fatal(name, err)
		}
		if u := r.Uses[0]; !(u.Low <= u.Share && u.Share <= u.High) || name == "few heavy" && (u.Low > 0.7 || u.High < 0.95) {
			t.Errorf("%s: share %v, %v to %v", name, u.Share, u.Low, u.High)
		}
	}
	p, err := ReadPerf(strings.NewReader(strings.Repeat(sample("1000000", "main.heavy"), 10) + strings.Repeat(sample("1", "main.work"), 9990)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Of(p)
	if err != nil {
		t.Fatal(err)
	}
	r.Judge(nil, 2)
	if said := strings.Join(r.Verdict.Sentences, " "); !strings.Contains(said, "less than 28 %") { // Wilson's of 0 of 10
		t.Errorf("10 heavy samples and many light ones: %s", said)
	}
}

// What a recording holds besides the program's samples is said.
func TestPerfNotes(t *testing.T) {
	const sample = "app 7 1.5: cycles:u: \n\t 1 main.main (/srv/app)\n\n"
	for want, in := range map[string]string{
		"2 samples of other events than cycles:u": sample + strings.Repeat(strings.Replace(sample, "cycles", "faults", 1), 2),
		"of several commands":                     sample + strings.Replace(sample, "app", "swapper", 1),
		"leave the kernel out":                    strings.Replace(sample, "cycles:u", "cpu_core/cycles/Pu", 1),
	} {
		for in, said := range map[string]bool{in: true, strings.Replace(sample, ":u", ":ppp", 1): false} {
			p, err := ReadPerf(strings.NewReader(in))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(strings.Join(p.Notes, " "), want) != said {
				t.Errorf("%q of %q", p.Notes, in)
			}
		}
	}
	if leavesKernel("cycles:uk") || leavesKernel("sched:sched_u") || leavesKernel("u") {
		t.Error("the kernel is left out of events that hold it")
	}
}

type answers func(*http.Request) (*http.Response, error)

func (f answers) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A stall makes all late that fell due meanwhile, whether an answer ends it or the profile does.
func TestProbeStall(t *testing.T) {
	for name, last := range map[string]bool{"answered": false, "not answered": true} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			s := &server{base: "http://server"}
			s.client.Transport = answers(func(r *http.Request) (*http.Response, error) {
				if asked++; asked == 10 {
					select {
					case <-r.Context().Done():
						return nil, r.Context().Err()
					case <-time.After(map[bool]time.Duration{false: time.Second, true: time.Hour}[last]):
					}
				}
				return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
			})
			ctx, cancel := context.WithTimeout(t.Context(), map[bool]time.Duration{false: 30 * time.Second, true: 1500 * time.Millisecond}[last])
			defer cancel()
			l := latenessOf(s.probe(ctx))
			if l == nil || l.MaxMS != 1000 || l.P99MS < 700 || l.P50MS > map[bool]float64{false: 0, true: 350}[last] {
				t.Errorf("%s: %+v", name, l)
			}
		})
	}
}

func FuzzReadPprof(f *testing.F) {
	f.Add(made(f))
	f.Add([]byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, err := ReadPprof(bytes.NewReader(b)); err == nil {
			checkReport(t, p)
		}
	})
}

// checkReport holds what is true of every report: shares are shares, and a verdict has words.
func checkReport(t *testing.T, p *Profile) {
	r, err := Of(p)
	if err != nil {
		return
	}
	r.Judge(costs(), 2)
	sum := 0.0
	for _, u := range r.Uses {
		sum += u.Share
		if !(u.Share >= 0 && u.Drawing <= u.Share+1e-9 && u.Locks <= u.Share+1e-9) {
			t.Errorf("%+v", u)
		}
	}
	if sum > 1+1e-6 || len(r.Verdict.Sentences) == 0 {
		t.Errorf("%+v", r)
	}
}

// testdata/perf.txt was written by perf script 6.1 from perf record -e cpu-clock -F 99 -g of a server that draws UUIDs.
func TestReadPerf(t *testing.T) {
	f, err := os.Open("testdata/perf.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := ReadPerf(f)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Of(p)
	if err != nil {
		t.Fatal(err)
	}
	if r.Program != "ids" || r.Samples != 24 || math.Abs(r.CPUSeconds-24*0.01010101) > 1e-6 || r.Go == "" {
		t.Errorf("%+v", r)
	}
	if u := r.Uses[0]; u.Call != "github.com/google/uuid.NewString" || u.Site.Func != "main.ids" || u.Samples != 7 {
		t.Errorf("%+v", u)
	}
}

func TestPerfText(t *testing.T) {
	const sample = "app 12/34 [001] 100.5:  250000 cycles:u: \n\t  4a5 crypto/rand.Read+0x5 (/srv/app)\n\t  4b5 main.id+0x1 (/srv/app)\n  /src/id.go:17\n\n"
	for name, test := range map[string]struct {
		in   string
		err  string
		site Site
		n    int64
	}{
		"lines and cycles": {sample + strings.Replace(sample, "100.5", "101.5", 1), "", Site{"main.id", "/src/id.go", 17, true}, 2},
		"two events":       {sample + strings.Replace(sample, "cycles", "faults", 1), "", Site{"main.id", "/src/id.go", 17, true}, 1},
		"unknown":          {"a b  7 1.0: cpu-clock: \n\t  1 [unknown] (/lib/libc.so)\n", "", Site{}, 1},
		"perf.data":        {"PERFILE2\x00\x00", "it is a perf.data file; the text that perf script makes of it is wanted", Site{}, 0},
		"other":            {"hello\n", "it holds no sample as perf script writes it", Site{}, 0},
		"long":             {strings.Repeat("x", 2<<20), "it is no text of perf script: a line is longer than 1 MiB", Site{}, 0},
	} {
		p, err := ReadPerf(strings.NewReader(test.in))
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: %v, want %s", name, err, test.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r, err := Of(p)
		if err != nil || r.Samples != test.n || test.site.Func != "" && r.Uses[0].Site != test.site {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if strings.Contains(test.in, "cycles") != (r.CPUSeconds == 0) {
			t.Errorf("%s: cycles are no time, and the CPU time is %v", name, r.CPUSeconds)
		}
	}
}

func FuzzReadPerf(f *testing.F) {
	text, err := os.ReadFile("testdata/perf.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text[:4096])
	f.Add([]byte("a 1 1.0: 99999999999999999999999 e: \n 1 f (g)\n x:99999999999999999999\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, err := ReadPerf(bytes.NewReader(b)); err == nil {
			checkReport(t, p)
		}
	})
}

// pagesOf serves the profiles that a program without own code would serve.
func pagesOf(t *testing.T) *http.ServeMux {
	mux := http.NewServeMux()
	probed := make(chan struct{})
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", func(w http.ResponseWriter, r *http.Request) {
		select {
		case probed <- struct{}{}:
		case <-r.Context().Done(): // the profile is there
		}
		pprof.Cmdline(w, r)
	})
	mux.HandleFunc("/debug/pprof/profile", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("seconds") != "3" {
			t.Errorf("asked for %s s, want 3", r.FormValue("seconds"))
		}
		<-probed
		<-probed // asked again, so the first had its answer
		w.Write(made(t))
	})
	mux.HandleFunc("/debug/pprof/mutex", func(w http.ResponseWriter, r *http.Request) { w.Write(waiting(t)) })
	mux.HandleFunc("/debug/pprof/block", func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) })
	return mux
}

// waiting is a mutex profile in which a quarter of the waiting is for math/rand's lock.
func waiting(t *testing.T) []byte {
	lock := &profile.Function{ID: 1, Name: "math/rand.(*lockedSource).Int63", Filename: "rand.go"}
	pick := &profile.Function{ID: 2, Name: "example.com/shop.pick", Filename: "/src/shop/pick.go"}
	at := &profile.Location{ID: 1, Line: []profile.Line{{Function: lock, Line: 1}}}
	caller := &profile.Location{ID: 2, Line: []profile.Line{{Function: pick, Line: 5}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}},
		Function:   []*profile.Function{lock, pick},
		Location:   []*profile.Location{at, caller},
		Sample: []*profile.Sample{
			{Location: []*profile.Location{at, caller}, Value: []int64{1, 1e9}},
			{Location: []*profile.Location{caller}, Value: []int64{1, 3e9}},
		},
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFetch(t *testing.T) {
	s := httptest.NewServer(pagesOf(t))
	defer s.Close()
	for _, at := range []string{s.URL, s.URL + "/", s.URL + "/debug/pprof", s.URL + "/debug/pprof/", s.URL + "/debug/pprof/profile?seconds=99"} {
		p, err := Fetch(context.Background(), at, 2500*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if p.Source != s.URL+"/debug/pprof" || len(p.Stacks) != 2 || p.Lateness == nil || p.Lateness.Count < 1 {
			t.Errorf("%s: %+v", at, p)
		}
		want := Wait{MathRand, "math/rand.(*lockedSource).Int63", Site{"example.com/shop.pick", "/src/shop/pick.go", 5, true}, 1, 0.25, "mutex"}
		if len(p.Waits) != 1 || p.Waits[0] != want {
			t.Errorf("%s: waits %+v, want %+v", at, p.Waits, want)
		}
		if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "block profile") {
			t.Errorf("%s: notes %q", at, p.Notes)
		}
	}
}

// What a server answers but a CPU profile is said in one line, and nobody but the server is asked.
func TestFetchErrors(t *testing.T) {
	stranger := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a stranger was asked") }))
	defer stranger.Close()
	defer func(d time.Duration) { grace = d }(grace)
	grace = 0
	for want, h := range map[string]http.HandlerFunc{
		`404 Not Found: "404 page not found"`: http.NotFound,
		"which nobody named":                  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, stranger.URL, http.StatusFound) },
		"it redirects without end":            func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) },
		"it has not answered within 1s":       func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"it is no profile of pprof":           func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "hello\nworld") },
		`"profile duration exceeds server's WriteTimeout"`: func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "profile duration exceeds server's WriteTimeout", http.StatusBadRequest)
		},
	} {
		s := httptest.NewServer(h)
		_, err := Fetch(context.Background(), strings.Replace(s.URL, "//", "//me:secret@", 1), time.Second)
		s.Close()
		if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Fetch(context.Background(), "http://", time.Second); err == nil || err.Error() != `"http://" is not a URL` {
		t.Error(err)
	}
}

func TestLateness(t *testing.T) {
	var took []time.Duration
	for i := range 100 {
		took = append(took, time.Duration(100-i)*time.Millisecond)
	}
	if l := latenessOf(took); l.P50MS != 50 || l.P99MS != 99 || l.MaxMS != 100 || l.Count != 100 {
		t.Errorf("%+v", l)
	}
	if l := latenessOf(nil); l != nil {
		t.Errorf("%+v of nothing", l)
	}
}
