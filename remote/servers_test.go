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

	"fount/internal/test/require"
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

func isSilent(_ http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body) // else the server does not see that the client leaves
	<-r.Context().Done()
}

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
		"is no fountd":       func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "welcome") },
		"is a gateway":       isGateway,
	} {
		t.Run(name, func(t *testing.T) {
			bad := script(t, handle)
			c := several(t, HTTPOptions{Timeout: 400 * time.Millisecond}, bad, script(t, matches("0")))
			for bad.asked.Load() == 0 {
				require.NoError(t, verify(t, c))
			}
		})
	}
}

// acting are servers in a bubble's time: each answers after a while of its own, and counts its
// requests.
type acting struct {
	*client
	takes []time.Duration
	asked []int
}

func act(takes ...time.Duration) *acting {
	core, _ := newClient("", 0, 0, isLastingOverHTTP)
	a := &acting{client: core, takes: takes, asked: make([]int, len(takes))}
	for i := range takes {
		send := func(ctx context.Context, _ string, _ api.Request) (response, error) {
			a.asked[i]++
			sleep(ctx, a.takes[i])
			return response{status: http.StatusOK, header: http.Header{api.HeaderWait: {"0"}}, body: []byte(aMatch)}, ctx.Err()
		}
		core.servers.list = append(core.servers.list, &server{name: "a server", send: send})
	}
	return a
}

const never = 1000 * time.Hour

// calls makes a call each 100 ms for a while.
func (a *acting) calls(t *testing.T, length, deadline time.Duration) {
	t.Helper()
	for end := time.Now().Add(length); time.Now().Before(end); {
		next := time.Now().Add(100 * time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), deadline)
		_, err := a.Verify(ctx, someone, []byte("a"), "")
		require.NoError(t, err)
		cancel()
		time.Sleep(time.Until(next))
	}
}

// A server that hangs is left alone for seconds that grow, however short the deadlines are, and
// asked again once it answers.
func TestHungServer(t *testing.T) {
	for _, deadline := range []time.Duration{100 * time.Millisecond, 400 * time.Millisecond, 2 * time.Second} {
		t.Run("deadlines of "+deadline.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := act(30*time.Millisecond, 30*time.Millisecond)
				a.calls(t, 5*time.Second, deadline)

				a.takes[1] = never
				a.asked[1] = 0
				a.calls(t, time.Minute, deadline)
				if a.asked[1] < 4 || a.asked[1] > 12 { // after 1, 3, 7, 15, 23 s
					t.Errorf("a server that hangs for a minute was asked %d times", a.asked[1])
				}

				a.takes[1] = 30 * time.Millisecond
				a.asked[1] = 0
				a.calls(t, maxPause+10*time.Second, deadline)
				if a.asked[1] < 30 {
					t.Errorf("asked %d times once it answers", a.asked[1])
				}
			})
		})
	}
}

// A server whose hash takes longer than half the time is not taken for one that hangs.
func TestSlowHashes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := act(250*time.Millisecond, 250*time.Millisecond)
		a.calls(t, time.Minute, 400*time.Millisecond)
		for _, s := range a.servers.list {
			if s.pause != (pause{}) {
				t.Errorf("asked %d times, and one is taken for gone", a.asked)
			}
		}
	})
}

// Two tries, and no third; what may pass says more than what one server lacks.
func TestTwoTries(t *testing.T) {
	keyless := script(t, refuses(api.ReasonKey))
	full := script(t, refuses(api.ReasonQueue))
	another := script(t, refuses(api.ReasonQueue))
	const calls = 10
	for range calls {
		if err := verify(t, several(t, HTTPOptions{}, keyless, full, another)); !overloaded(err) {
			t.Errorf("%v, want an OverloadedError", err)
		}
	}
	if n := keyless.asked.Load() + full.asked.Load() + another.asked.Load(); n != 2*calls {
		t.Errorf("%d tries for %d calls", n, calls)
	}

	if err := verify(t, several(t, HTTPOptions{}, keyless, script(t, refuses(api.ReasonKey)))); !errors.Is(err, password.ErrKey) {
		t.Errorf("none has the key: %v", err)
	}
}

// Calls go where the wait is shorter, and no longer to a server that is gone.
func TestBetterOfTwo(t *testing.T) {
	idle, busy := script(t, matches("0")), script(t, matches("60000"))
	c := several(t, HTTPOptions{}, idle, busy)
	ask := func() {
		for range 100 {
			require.NoError(t, verify(t, c))
		}
	}

	ask()
	if n := busy.asked.Load(); n > 1 {
		t.Errorf("%d of 100 calls went to the busy server", n)
	}

	idle.CloseClientConnections()
	idle.Close()
	ask()
}

// A server that stood still may report a wait that is over, and is not left alone for so long.
func TestReportedWait(t *testing.T) {
	var s server
	now := time.Now()
	s.report(now, time.Minute)
	if cost := s.cost(now.Add(maxPause)); cost > time.Second {
		t.Errorf("%v later it costs %v", maxPause, cost)
	}
}

// A call counts as begun unless the servers said that it is not, or nothing was sent to them.
func TestNotBegun(t *testing.T) {
	gone := script(t, hangsUp)
	gone.Close()
	wants := func(notBegun bool, outages map[string][]*scripted) {
		for name, servers := range outages {
			t.Run(name, func(t *testing.T) {
				c := several(t, HTTPOptions{Timeout: 400 * time.Millisecond}, servers...)
				for all := false; !all; { // in the order in which both are asked
					for _, s := range servers {
						s.asked.Store(0)
					}
					err := verify(t, c)
					all = !slices.ContainsFunc(servers, func(s *scripted) bool { return s != gone && s.asked.Load() == 0 })
					if err == nil || all && errors.Is(err, password.ErrNotBegun) != notBegun {
						t.Errorf("%v; want ErrNotBegun: %v", err, notBegun)
					}
				}
			})
		}
	}

	full := script(t, refuses(api.ReasonQueue))
	keyless := script(t, refuses(api.ReasonKey))
	hasLost := script(t, hangsUp)
	gateway := script(t, isGateway)
	wants(true, map[string][]*scripted{
		"refused":                {full},
		"refused twice":          {full, keyless},
		"no server":              {gone},
		"no server, and refused": {gone, full},
	})
	wants(false, map[string][]*scripted{
		"expired":                    {script(t, fails(api.ReasonExpired))},
		"ended by Close":             {script(t, fails(api.ReasonClosed))},
		"lost":                       {hasLost},
		"a gateway's":                {gateway},
		"refused, and lost":          {full, hasLost},
		"unknown key, and a gateway": {keyless, gateway},
		"too long, and silent":       {script(t, refuses(api.ReasonTooLong)), script(t, isSilent)},
	})
}
