// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fount/password"
	"fount/remote/api"
)

// A scripted server does as its handler says, and counts its requests.
type scripted struct {
	*httptest.Server
	asked atomic.Int64
}

func script(t *testing.T, handle http.HandlerFunc) *scripted {
	s := &scripted{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		io.Copy(io.Discard, r.Body)
		handle(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// matches answers with a match, and names a wait.
func matches(wait string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(api.HeaderWait, wait)
		w.Header().Set("Content-Type", api.MediaType)
		io.WriteString(w, aMatch)
	}
}

// refuses begins no hash.
func refuses(reason api.Reason) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		p := api.NewProblem(reason, "no", time.Second)
		p.NotBegun = true
		answer(w, p)
	}
}

// fails may have begun one.
func fails(reason api.Reason) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { answer(w, api.NewProblem(reason, "no", time.Second)) }
}

func hangsUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func isGateway(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }

func isSilent(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func several(t *testing.T, o HTTPOptions, all ...*scripted) *HTTPClient {
	t.Helper()
	var urls []string
	for _, s := range all {
		urls = append(urls, s.URL)
	}
	return connect(t, strings.Join(urls, ","), o)
}

// Whatever one of two servers does but answer, the other one's answer counts.
func TestAnotherServerAnswers(t *testing.T) {
	for name, handle := range map[string]http.HandlerFunc{
		"is overloaded":      refuses(api.ReasonDeadline),
		"closes":             refuses(api.ReasonClosed),
		"has not the pepper": refuses(api.ReasonKey),
		"has not the memory": refuses(api.ReasonMemory),
		"knows not the form": refuses(api.ReasonMalformed),
		"is silent":          isSilent,
		"fails":              fails(api.ReasonInternal),
		"hangs up":           hangsUp,
		"is another":         func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "welcome") },
		"is a gateway":       isGateway,
	} {
		t.Run(name, func(t *testing.T) {
			bad, good := script(t, handle), script(t, matches("0"))
			c := several(t, HTTPOptions{Timeout: 400 * time.Millisecond}, bad, good)

			for bad.asked.Load() == 0 {
				if err := verify(t, c); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// call makes a call each 100 ms for a while.
func (c *scene) call(t *testing.T, client *client, length time.Duration) {
	t.Helper()
	for end := time.Now().Add(length); time.Now().Before(end); {
		next := time.Now().Add(100 * time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), c.deadline)
		if _, err := client.Verify(ctx, someone, []byte("a"), "sleep"); err != nil {
			t.Fatal(err)
		}
		cancel()
		time.Sleep(time.Until(next))
	}
}

// A server that hangs is left alone for seconds that grow, however short the deadlines are, and
// asked again once it answers.
func TestHungServer(t *testing.T) {
	const begins = 5 * time.Second
	c := &scene{speeds: []float64{1, 1}, workers: 1, hash: 30 * time.Millisecond, kind: hangs, faulty: 1, from: begins, to: begins + time.Minute}
	for _, c.deadline = range []time.Duration{100 * time.Millisecond, 400 * time.Millisecond, 2 * time.Second} {
		t.Run(c.deadline.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				servers := c.start()
				client := connectTo(servers)
				asked := &servers[0].asked
				c.call(t, client, begins)
				asked.Store(0)

				c.call(t, client, time.Minute)
				if n := asked.Swap(0); n < 4 || n > 12 { // after 1, 3, 7, 15, 23 s
					t.Errorf("asked %d times while it hung for a minute", n)
				}

				c.call(t, client, maxPause+10*time.Second)
				if n := asked.Load(); n < 30 {
					t.Errorf("asked %d times once it answers", n)
				}
				time.Sleep(time.Minute)
			})
		})
	}
}

// A server whose hash takes longer than half the time is not taken for one that hangs.
func TestSlowHashes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &scene{speeds: []float64{1, 1}, workers: 1, hash: 250 * time.Millisecond, deadline: 400 * time.Millisecond}
		client := connectTo(c.start())
		c.call(t, client, time.Minute)
		for _, s := range client.servers.list {
			if s.pause != (pause{}) {
				t.Error("a server is taken for gone")
			}
		}
		time.Sleep(time.Minute)
	})
}

// Two tries, and no third; what may pass says more than what one server lacks.
func TestTwoTries(t *testing.T) {
	key := script(t, refuses(api.ReasonKey))
	full := script(t, refuses(api.ReasonQueue))
	third := script(t, refuses(api.ReasonQueue))

	for range 10 {
		before := key.asked.Load() + full.asked.Load() + third.asked.Load()
		if err := verify(t, several(t, HTTPOptions{}, key, full, third)); !overloaded(err) {
			t.Errorf("%v, want an OverloadedError", err)
		}
		if n := key.asked.Load() + full.asked.Load() + third.asked.Load() - before; n != 2 {
			t.Errorf("%d tries", n)
		}
	}

	if err := verify(t, several(t, HTTPOptions{}, key, script(t, refuses(api.ReasonKey)))); !errors.Is(err, password.ErrKey) {
		t.Errorf("none has the key: %v", err)
	}
}

// Calls go where the wait is shorter, and no longer to a server that is gone.
func TestBetterOfTwo(t *testing.T) {
	idle, busy := script(t, matches("0")), script(t, matches("60000"))
	c := several(t, HTTPOptions{}, idle, busy)
	for range 100 {
		if err := verify(t, c); err != nil {
			t.Fatal(err)
		}
	}
	if n := busy.asked.Load(); n > 1 {
		t.Errorf("%d of 100 calls went to the busy server", n)
	}

	idle.CloseClientConnections()
	idle.Close()
	for range 100 {
		if err := verify(t, c); err != nil {
			t.Fatal(err)
		}
	}
}

// A call counts as begun unless the servers said that it is not, or nothing was sent to them.
func TestNotBegun(t *testing.T) {
	gone := script(t, hangsUp)
	gone.Close()
	for name, c := range map[string]struct {
		servers  []*scripted
		notBegun bool
	}{
		"refused":                    {[]*scripted{script(t, refuses(api.ReasonQueue))}, true},
		"refused twice":              {[]*scripted{script(t, refuses(api.ReasonQueue)), script(t, refuses(api.ReasonKey))}, true},
		"no server":                  {[]*scripted{gone}, true},
		"no server, and refused":     {[]*scripted{gone, script(t, refuses(api.ReasonQueue))}, true},
		"expired":                    {[]*scripted{script(t, fails(api.ReasonExpired))}, false},
		"ended by Close":             {[]*scripted{script(t, fails(api.ReasonClosed))}, false},
		"lost":                       {[]*scripted{script(t, hangsUp)}, false},
		"a gateway's":                {[]*scripted{script(t, isGateway)}, false},
		"refused, and lost":          {[]*scripted{script(t, refuses(api.ReasonQueue)), script(t, hangsUp)}, false},
		"unknown key, and a gateway": {[]*scripted{script(t, refuses(api.ReasonKey)), script(t, isGateway)}, false},
		"too long, and silent":       {[]*scripted{script(t, refuses(api.ReasonTooLong)), script(t, isSilent)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			client := several(t, HTTPOptions{Timeout: 400 * time.Millisecond}, c.servers...)
			for all := false; !all; { // in the order in which both are asked
				for _, s := range c.servers {
					s.asked.Store(0)
				}
				err := verify(t, client)
				all = !slices.ContainsFunc(c.servers, func(s *scripted) bool { return s != gone && s.asked.Load() == 0 })
				if got := errors.Is(err, password.ErrNotBegun); err == nil || all && got != c.notBegun {
					t.Errorf("%v; not begun: %v", err, got)
				}
			}
		})
	}
}
