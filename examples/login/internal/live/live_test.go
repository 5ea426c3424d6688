// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package live

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/password"
)

var start0 = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// The demand goes up and down, and starts again, until one is chosen.
func TestRate(t *testing.T) {
	s := &show{capacity: 100}
	var got []float64
	for at := time.Duration(0); at < 70*time.Second; at += 5 * time.Second {
		got = append(got, s.rate(start0.Add(at)))
	}
	if want := []float64{20, 20, 100, 100, 400, 400, 400, 20, 20, 20, 20, 20, 20, 20}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	s.choose(2)
	if got := s.rate(start0); got != 200 {
		t.Errorf("twice the capacity is %v", got)
	}
}

func TestTally(t *testing.T) {
	var y tally
	y.login(http.StatusOK, 20*time.Millisecond)
	y.login(http.StatusServiceUnavailable, time.Millisecond)
	y.login(0, patience)
	y.login(0, patience)
	y.begin(start0)
	y.end(start0.Add(3 * time.Millisecond))
	y.begin(start0)
	f := y.take(start0.Add(2*time.Second), 2*time.Second)
	if f.Goodput != 0.5 || f.Refused != 0.5 || f.Late != 1 || *f.Wait != 1000 || *f.Me != 2000 {
		t.Errorf("%+v, wait %v, me %v; want one of each in two seconds, two late, and an ordinary request that goes on", f, *f.Wait, *f.Me)
	}
	y.end(start0.Add(2 * time.Second))
	if f := y.take(start0.Add(3*time.Second), time.Second); f.Goodput+f.Refused+f.Late != 0 || f.Wait != nil || *f.Me != 2000 {
		t.Errorf("anew: %+v", f)
	}
	if f := y.take(start0.Add(4*time.Second), time.Second); f.Me != nil {
		t.Errorf("no request took %v ms", *f.Me)
	}
	y.login(http.StatusInternalServerError, time.Millisecond)
	y.begin(start0)
	y.begin(start0.Add(time.Second)) // the first failed
	y.end(start0.Add(2 * time.Second))
	if f := y.take(start0.Add(5*time.Second), time.Second); f.Refused != 0 || f.Late != 1 || *f.Me != 2000 {
		t.Errorf("%+v, me %v; want a failure, which is no refusal, and an ordinary request that took two tries", f, *f.Me)
	}
}

// An ordinary request that is answered by an error, however fast, is not done.
func TestMe(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusUnauthorized, http.StatusInternalServerError} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		s := &service{url: server.URL, others: server.Client(), cookie: &http.Cookie{Name: "session", Value: "x"}}
		if ok := s.me(t.Context()); ok != (status == http.StatusOK) {
			t.Errorf("%d: %v", status, ok)
		}
		server.Close()
		if s.me(t.Context()) {
			t.Error("nobody answered, and it was done")
		}
	}
}

// Another site's name that leads here is not answered.
func TestLocal(t *testing.T) {
	h := (&show{}).handler()
	for host, want := range map[string]int{
		"localhost:8080": 200, "LOCALHOST": 200, "127.0.0.1:8080": 200, "127.0.0.1": 200, "[::1]:8080": 200, "[::1]": 200,
		"example.org:8080": 421, "example.org": 421, "localhost.example.org:8080": 421, "192.0.2.1:8080": 421, "": 421,
	} {
		request := httptest.NewRequest("GET", "/", nil)
		request.Host = host
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, request); w.Code != want {
			t.Errorf("%q: %d, want %d", host, w.Code, want)
		}
	}
}

// What could take the machine's memory is refused, and an address that others reach.
func TestConfig(t *testing.T) {
	for _, test := range []struct {
		policy password.Policy
		n      int
		want   string
	}{
		{password.Policy{Algorithm: password.Bcrypt, Cost: 12}, 6400, ""},
		{password.Policy{Algorithm: password.Argon2id, Memory: 19456, Iterations: 2, Parallelism: 1}, 100, "1900 MiB; want bcrypt, or at most 10485 KiB"},
		{password.Policy{Algorithm: password.Argon2id, Memory: 10485, Iterations: 2, Parallelism: 1}, 100, ""},
		{password.Policy{Algorithm: password.Scrypt, Cost: 17, BlockSize: 8, Parallelism: 1}, 100, "12800 MiB"},
		{password.Policy{Algorithm: password.Scrypt, Cost: 13, BlockSize: 8, Parallelism: 1}, 100, ""},
	} {
		err := fits(test.policy, test.n)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v, %d at once: %v; want %q", test.policy, test.n, err, test.want)
		}
	}
	if l, err := listen(":0"); err == nil || !strings.Contains(err.Error(), "loopback") {
		t.Errorf("all addresses: %v, %v", l, err)
	}
	l, err := listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

// Who looks gets what there was and what comes, and the page has nothing from elsewhere.
func TestHandler(t *testing.T) {
	s := &show{rival: "naive", policy: "bcrypt", capacity: 50, watchers: map[chan sample]bool{}}
	for i := range 2 * kept { // nobody looks, and memory is bounded
		s.tell(sample{Demand: float64(i)})
	}
	server := httptest.NewServer(s.handler())
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if csp := answer.Header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'; script-src 'self';") {
		t.Errorf("Content-Security-Policy: %s", csp)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	event := func(name string, into any) {
		t.Helper()
		var text [3]string
		for i := range text {
			lines.Scan()
			text[i] = lines.Text()
		}
		data, ok := strings.CutPrefix(text[1], "data: ")
		if text[0] != "event: "+name || !ok || text[2] != "" {
			t.Fatalf("%q, want the event %s", text, name)
		}
		if err := json.Unmarshal([]byte(data), into); err != nil {
			t.Fatal(err)
		}
	}
	var first start
	event("start", &first)
	if len(first.Past) != kept || first.Past[0].Demand != kept || first.Rival != "naive" || first.Capacity != 50 {
		t.Errorf("%+v", first)
	}
	s.tell(sample{Demand: 7})
	var next sample
	if event("sample", &next); next.Demand != 7 {
		t.Errorf("%+v", next)
	}
	for x, want := range map[string]int{"4": 204, "0": 204, "9": 400, "-1": 400, "NaN": 400, "": 400} {
		answer, err := http.PostForm(server.URL+"/demand", url.Values{"x": {x}})
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("a demand of %q: %d, want %d", x, answer.StatusCode, want)
		}
	}
	request, err = http.NewRequest("POST", server.URL+"/demand", strings.NewReader("x=4"))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", "https://example.org")
	answer, err = http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("another site's form: %d", answer.StatusCode)
	}
}

// So many pages may look, and each that leaves makes room for another.
func TestManyWatchers(t *testing.T) {
	s := &show{watchers: map[chan sample]bool{}}
	var last chan sample
	for range maxWatchers {
		_, last = s.watch()
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	look := func() *httptest.ResponseRecorder {
		request := httptest.NewRequestWithContext(gone, "GET", "http://localhost/events", nil)
		w := httptest.NewRecorder()
		s.handler().ServeHTTP(w, request)
		return w
	}
	if w := look(); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "10" || len(s.watchers) != maxWatchers {
		t.Errorf("one more: %d %v, and then %d look", w.Code, w.Header(), len(s.watchers))
	}
	s.leave(last)
	if w := look(); w.Code != http.StatusOK || len(s.watchers) != maxWatchers-1 {
		t.Errorf("after one has left: %d, and then %d look", w.Code, len(s.watchers))
	}
}
