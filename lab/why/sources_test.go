// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// Tests of what is read: profiles of pprof, from files and from servers.

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
	if w := waitsOf(in, "mutex"); len(w) != 1 || w[0].Share != 1 {
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
