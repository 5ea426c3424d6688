// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package live

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"fount/cmd/internal/lab/child"
	"fount/internal/test/require"
)

// TestMain lets this test binary be the server of a way.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "child" {
		os.Exit(m.Run())
	}
	if Child(child.Pipes()) != nil {
		os.Exit(1)
	}
}

// run serves a page until the test ends, and returns its address.
func run(t *testing.T, rate, cost int) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- Run(ctx, rate, cost, func(at string) { ready <- at })
	}()

	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})

	select {
	case at := <-ready:
		return at
	case err := <-ended:
		ended <- err
		t.Fatal(err)
	}
	return ""
}

// All ways answer the logins that come, whose rate can be changed from the page alone.
func TestLive(t *testing.T) {
	t.Parallel() // it waits
	at := run(t, 1, 4)
	events, err := http.Get(at + "/events")
	require.NoError(t, err)
	defer events.Body.Close()

	lines := bufio.NewScanner(events.Body)
	second := func() (s struct {
		Asked            int
		Had              string
		Goroutines, Pool Second
		Semaphore        *Second // where each has a core
	}) {
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok && text != "null" {
				require.NoError(t, json.Unmarshal([]byte(text), &s))
				return s
			}
		}
		t.Fatal(lines.Err())
		return s
	}

	ask := func(path, host, site string) int {
		request, err := http.NewRequest("POST", at+path, nil)
		require.NoError(t, err)
		if request.Host = host; site != "" {
			request.Header.Set("Sec-Fetch-Site", site)
		}
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		answer.Body.Close()
		return answer.StatusCode
	}

	// One login a second is few enough for any machine: the goroutines of more would never be in time.
	var goroutines, semaphore, pool int
	hasPinged := false
	for min(goroutines, semaphore, pool) == 0 || !hasPinged {
		s := second()
		isShare := strings.Contains(s.Had, "core time") || strings.Contains(s.Had, "not known")
		if !isShare || s.Asked != 1 {
			t.Fatalf("%+v; want what other programs left, and one login", s)
		}
		if s.Semaphore == nil {
			s.Semaphore = &Second{Answered: 1}
		}

		goroutines += s.Goroutines.Answered
		semaphore += s.Semaphore.Answered
		pool += s.Pool.Answered
		hasPinged = hasPinged || s.Pool.Other > 0
	}

	for want, status := range map[int]int{
		http.StatusMisdirectedRequest: ask("/rate?x=7", "evil.example", ""), http.StatusForbidden: ask("/rate?x=7", "", "cross-site"),
		http.StatusBadRequest: ask("/rate?x=0", "", ""), http.StatusOK: ask("/rate?x=9", "", "same-origin"),
	} {
		if status != want {
			t.Errorf("status %d, want %d", status, want)
		}
	}

	for s := second(); s.Asked != 9; s = second() {
		if s.Asked != 1 {
			t.Fatalf("%d are asked", s.Asked)
		}
	}
}

// The end of a server is told: its half of the page would show zeros.
func TestServerEnds(t *testing.T) {
	err := Run(t.Context(), 20, 99, func(string) {}) // bcrypt knows no cost of 99
	if err == nil || !strings.Contains(err.Error(), "a server ended") {
		t.Error(err)
	}
}

// What comes late, is refused, or never answered is told apart.
func TestSecond(t *testing.T) {
	w := &way{calls: make(chan call, 10), waiting: map[int64]call{}}
	now := time.Now()
	for _, c := range []call{
		{ID: 0, Came: now},
		{ID: 1, Came: now},
		{ID: 2, Came: now.Add(-2 * patience)},
		{ID: 3, Came: now.Add(-2 * patience)},
		{ID: 4, Came: now.Add(-time.Minute), Ping: true},
	} {
		w.ask(c)
	}

	w.take(call{ID: 0})
	w.take(call{ID: 1, Refused: true})
	w.take(call{ID: 2})
	w.take(call{ID: 99}) // nobody's
	if s := w.second(); s.Answered != 1 || s.Refused != 1 || s.Late != 2 || s.Other < 60_000 {
		t.Errorf("%+v; want one answered, one refused, two late", s)
	}
	w.take(call{ID: 3}) // who called has left
	if s := w.second(); s.Answered != 0 || s.Late != 0 {
		t.Errorf("%+v; want nothing", s)
	}
}

// held serves what is at an address, with an image on its page that comes only when the page has
// had events for a while: so long Chromium waits for the page.
func held(t *testing.T, at string, wait time.Duration) string {
	t.Helper()
	to, err := url.Parse(at)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) },
		ModifyResponse: func(r *http.Response) error {
			if r.Request.URL.Path == "/" {
				r.Header.Del("Content-Length")
				r.ContentLength = -1
				r.Body = io.NopCloser(io.MultiReader(r.Body, strings.NewReader(`<img src="held" alt="">`)))
			}
			return nil
		},
	}

	listens := make(chan struct{})
	heard := sync.OnceFunc(func() { close(listens) })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/events":
			heard()
		case "/held":
			<-listens
			time.Sleep(wait)
			return
		}
		proxy.ServeHTTP(w, r)
	}))

	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL
}

// In Chromium the page draws what comes. FOUNT_SCREENSHOT keeps a picture of an overload, as in
// README.md.
func TestPage(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		require.Skip(t, "chromium", "chromium is not installed")
	}
	look := func(what string, rate, cost int, wait time.Duration) string {
		out, err := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
			"--user-data-dir="+t.TempDir(), "--window-size=1000,760", what, held(t, run(t, rate, cost), wait)).Output()
		require.NoError(t, err)
		return string(out)
	}

	if keep := os.Getenv("FOUNT_SCREENSHOT"); keep != "" {
		look("--screenshot="+keep, 80, 10, time.Minute)
		return
	}
	page := look("--dump-dom", 20, 4, 3*time.Second)
	for _, want := range []string{"<canvas", "golang.org/x/crypto’s bcrypt", "s</td>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s:\n%s", want, page)
		}
	}
}
