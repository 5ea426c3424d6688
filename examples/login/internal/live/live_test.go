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
