// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of a load on services over HTTP: what their answers count as, what they are asked, and that
// nobody else is.

package logins

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// answer is a mechanism that takes some time for each answer.
type answer struct {
	after time.Duration
	with  status
}

func (a answer) Compare(context.Context, string) error {
	time.Sleep(a.after)
	return a.with
}

func TestAnswersOfServices(t *testing.T) {
	const soon, late = time.Second, 2 * time.Second
	for name, test := range map[string]struct {
		answer
		want Counts
	}{
		"welcome":           {answer{soon, 200}, Counts{InTime: 1}},
		"elsewhere":         {answer{soon, 303}, Counts{InTime: 1}},
		"denied":            {answer{soon, 403}, Counts{InTime: 1}},
		"welcome, too late": {answer{late, 200}, Counts{Late: 1}},
		"refused":           {answer{soon, 503}, Counts{Refused: 1}},
		"refused by rate":   {answer{soon, 429}, Counts{Refused: 1}},
		"refused, too late": {answer{late, 503}, Counts{Late: 1}},
		"wrong path":        {answer{soon, 404}, Counts{Failed: 1}},
		"broken":            {answer{soon, 500}, Counts{Failed: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRun(Config{Rate: 1, Deadline: soon, Duration: time.Minute}, test.answer)
				r.request(r.tally.begin(0), 0, "")
				rep := r.report(0, 0)
				got := Counts{InTime: rep.InTime, Late: rep.Late, Refused: rep.Refused, Failed: rep.Failed}
				if got != test.want || rep.Statuses[int(test.with)] != 1 {
					t.Errorf("%+v, statuses %v; want %+v", got, rep.Statuses, test.want)
				}
			})
		})
	}
}

// load puts what handler serves under load until it was asked a few times.
func load(t *testing.T, s *Service, deadline time.Duration, handler http.HandlerFunc) Report {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	s.URL, _ = url.Parse(server.URL + "/login")
	r, err := Config{Service: s, Rate: 100, Duration: 200 * time.Millisecond, Deadline: deadline}.Run(t.Context())
	if err != nil || !conserved(r.Counts) || r.Endpoint.Count > 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	return r
}

func TestServices(t *testing.T) {
	t.Run("a redirect is an answer, and is not followed", func(t *testing.T) {
		r := load(t, new(Service), time.Minute, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/login", http.StatusFound)
		})
		if r.InTime != r.Asked {
			t.Errorf("%+v, want all in time", r.Counts)
		}
	})

	t.Run("a service that does not answer is late", func(t *testing.T) {
		over := make(chan struct{})
		defer close(over)
		r := load(t, new(Service), time.Millisecond, func(http.ResponseWriter, *http.Request) { <-over })
		if r.Late != r.Asked {
			t.Errorf("%+v, want all late", r.Counts)
		}
	})

	t.Run("a closed connection is a failure", func(t *testing.T) {
		r := load(t, new(Service), time.Minute, func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) })
		if r.Failed != r.Asked || r.Asked > 0 && r.Failure == "" {
			t.Errorf("%+v %q, want all failed", r.Counts, r.Failure)
		}
	})

	t.Run("of a body without an end a part is enough", func(t *testing.T) {
		r := load(t, new(Service), time.Minute, func(w http.ResponseWriter, _ *http.Request) {
			for err := error(nil); err == nil; {
				_, err = w.Write(make([]byte, 64<<10))
			}
		})
		if r.InTime != r.Asked {
			t.Errorf("%+v, want all in time", r.Counts)
		}
	})
}

func TestRequestsToServices(t *testing.T) {
	for name, test := range map[string]struct {
		*Service
		want string
	}{
		"page":         {&Service{}, "GET 127.0.0.1 "},
		"form":         {&Service{Data: "name=u{n}&again={n}"}, "POST 127.0.0.1 application/x-www-form-urlencoded"},
		"JSON":         {&Service{Data: `{"name": "u{n}", "again": {n}}`}, "POST 127.0.0.1 application/json"},
		"own headers":  {&Service{Data: "<name>u{n}</name>", Header: http.Header{"Content-Type": {"text/xml"}}}, "POST 127.0.0.1 text/xml"},
		"virtual host": {&Service{Header: http.Header{"Host": {"login.example"}}}, "GET login.example "},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			asked := make(map[string]bool)
			r := load(t, test.Service, time.Minute, func(_ http.ResponseWriter, r *http.Request) {
				host, _, _ := strings.Cut(r.Host, ":")
				if got := r.Method + " " + host + " " + r.Header.Get("Content-Type"); got != test.want {
					t.Errorf("asked was %q, want %q", got, test.want)
				}
				body, _ := io.ReadAll(r.Body)
				mu.Lock()
				defer mu.Unlock()
				asked[string(body)] = true
			})
			for n := range r.Asked {
				want := strings.ReplaceAll(test.Data, "{n}", strconv.FormatInt(n+1, 10))
				if !asked[want] {
					t.Errorf("nobody asked %q", want)
				}
			}
		})
	}
}

// resolveTo has all names of the test lead to address.
func resolveTo(t *testing.T, address [4]byte) {
	former := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = former })
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go answerName(server, address)
		return client, nil
	}}
}

func TestServicesAreOnLoopback(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	loopback := [4]byte{127, 0, 0, 1}
	elsewhere := [4]byte{192, 0, 2, 1}
	for name, test := range map[string]struct {
		host    string
		address [4]byte
		beyond  bool
		want    string // the error, "" for none
	}{
		"a name on loopback":               {host: "login.example", address: loopback},
		"a name that leads elsewhere":      {host: "login.example", address: elsewhere, want: "login.example is at 192.0.2.1:80, not on loopback"},
		"all addresses of this machine":    {host: "0.0.0.0:8000", want: "not on loopback"},
		"an address elsewhere, on purpose": {host: "192.0.2.1:8000", beyond: true},
		"IPv6":                             {host: "[::1]"},
	} {
		t.Run(name, func(t *testing.T) {
			resolveTo(t, test.address)
			s := &Service{URL: &url.URL{Scheme: "http", Host: test.host}, Beyond: test.beyond}
			_, err := s.open()
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}

	t.Run("no proxy and no second look-up", func(t *testing.T) {
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		defer server.Close()
		resolveTo(t, loopback)
		u, _ := url.Parse(server.URL)
		u.Host = "login.example:" + u.Port()
		s := &Service{URL: u}
		if _, err := s.open(); err != nil {
			t.Fatal(err)
		}
		resolveTo(t, elsewhere)
		if err := s.Compare(t.Context(), ""); err != status(200) {
			t.Error(err)
		}
	})
}

// answerName answers one question over TCP, as a server of names does.
func answerName(conn net.Conn, address [4]byte) {
	defer conn.Close()
	text := make([]byte, 514)
	_, _ = io.ReadFull(conn, text[:2])
	n, _ := conn.Read(text)

	var m dnsmessage.Message
	if m.Unpack(text[:n]) != nil {
		return
	}
	m.Response, m.Additionals = true, nil
	if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
		head := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class}
		m.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AResource{A: address}}}
	}

	text, _ = m.AppendPack(text[:2])
	binary.BigEndian.PutUint16(text, uint16(len(text)-2))
	_, _ = conn.Write(text)
}
