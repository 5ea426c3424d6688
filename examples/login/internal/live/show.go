// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package live

// What is shown, and how it gets to those who look.

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

//go:embed page
var files embed.FS

// phases are the demand when nobody chooses another, as multiples of what the pool can answer.
var phases = []struct {
	demand float64
	length time.Duration
}{{0.2, 10 * time.Second}, {1, 10 * time.Second}, {4, 15 * time.Second}, {0.2, 25 * time.Second}}

// A show is what runs and who looks at it. Its methods may be called from any goroutine.
type show struct {
	rival    string
	policy   string
	services [2]*service
	capacity float64 // sign-ins a second that the pool can answer
	came     atomic.Int64

	mu       sync.Mutex
	demand   float64 // a multiple of capacity; 0: by phases
	begin    time.Time
	history  []sample
	watchers map[chan sample]bool
}

const (
	kept        = 120 // samples: a minute
	maxWatchers = 100 // each has a connection, of which a process may have 1,024
)

// A start is what a page is told first.
type start struct {
	Rival    string   `json:"rival"`
	Policy   string   `json:"policy"`
	Capacity float64  `json:"capacity"`
	Limit    int      `json:"limit"`
	Patience float64  `json:"patience"` // s
	Demand   float64  `json:"demand"`   // that was chosen; 0: by phases
	Past     []sample `json:"past"`
}

// rate returns how many sign-ins a second there should be at a time.
func (s *show) rate(at time.Time) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.demand > 0 {
		return s.demand * s.capacity
	}
	if s.begin.IsZero() {
		s.begin = at
	}
	for {
		for _, p := range phases {
			if at.Before(s.begin.Add(p.length)) {
				return p.demand * s.capacity
			}
			at = at.Add(-p.length)
		}
	}
}

// choose sets the demand.
func (s *show) choose(demand float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.demand, s.begin = demand, time.Time{}
}

// tell keeps a sample and sends it to all who look. Who does not read misses it.
func (s *show) tell(x sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.history = append(s.history, x); len(s.history) > kept {
		s.history = s.history[1:]
	}
	for w := range s.watchers {
		select {
		case w <- x:
		default:
		}
	}
}

// watch returns what there was, and a channel of what comes until leave; nil if maxWatchers look already.
func (s *show) watch() (start, chan sample) {
	w := make(chan sample, 8)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.watchers) >= maxWatchers {
		return start{}, nil
	}
	s.watchers[w] = true
	return start{s.rival, s.policy, s.capacity, limit(), patience.Seconds(), s.demand, append([]sample{}, s.history...)}, w
}

func (s *show) leave(w chan sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.watchers, w)
}

func (s *show) handler() http.Handler {
	page, err := fs.Sub(files, "page")
	if err != nil {
		panic(err) // the directory is embedded
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(page))
	mux.HandleFunc("GET /events", s.events)
	mux.HandleFunc("POST /demand", func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<10)
		x, err := strconv.ParseFloat(r.PostFormValue("x"), 64)
		if err != nil || !(x >= 0 && x <= 8) {
			http.Error(w, "x is not a multiple of what the pool can answer, from 0, which goes up and down, to 8", http.StatusBadRequest)
			return
		}
		s.choose(x)
		w.WriteHeader(http.StatusNoContent)
	})
	protected := http.NewCrossOriginProtection().Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !local(r.Host) {
			http.Error(w, "the host is not this machine", http.StatusMisdirectedRequest)
			return
		}
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "+
			"frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		protected.ServeHTTP(w, r)
	})
}

// local reports whether a Host is one of this machine. To a browser, another site's name that leads here (DNS rebinding) would be
// that site, which could read the figures and choose the demand.
func local(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]") // the port is 80
	}
	return strings.EqualFold(name, "localhost") || net.ParseIP(name).IsLoopback()
}

// events sends what there was, and each sample that comes (server-sent events, HTML section 9.2).
func (s *show) events(w http.ResponseWriter, r *http.Request) {
	first, comes := s.watch()
	if comes == nil {
		w.Header().Set("Retry-After", "10")
		http.Error(w, fmt.Sprintf("%d pages look already", maxWatchers), http.StatusServiceUnavailable)
		return
	}
	defer s.leave(comes)
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	send := func(event string, what any) bool {
		data, err := json.Marshal(what)
		if err != nil {
			return false
		}
		control.SetWriteDeadline(time.Now().Add(5 * time.Second)) // a page that does not read is left
		_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, data)
		return err == nil && control.Flush() == nil
	}
	alive := send("start", first)
	for alive {
		select {
		case <-r.Context().Done():
			return
		case x := <-comes:
			alive = send("sample", x)
		}
	}
}
