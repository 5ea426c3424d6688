// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package live shows ways to hash logins side by side in a browser, as it happens: a goroutine for
// each, as many services do, a semaphore with a bounded queue, and fount's pool. Each way is a
// process with its part of the cores, the same callers ask all, and a page on loopback draws what
// comes of it. On one or two cores the semaphore is left out.
package live

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"fount/cmd/internal/lab/child"
	"fount/cmd/internal/lab/logins"
	"fount/cmd/internal/lab/measure"
	"fount/internal/cputime"
)

// patience is how long a caller waits for an answer, and then leaves.
const patience = time.Second

// A call asks for a login or, as a ping, for no hash. It comes back as its answer.
type call struct {
	ID      int64     `json:"id"`
	Came    time.Time `json:"came"`
	Ping    bool      `json:"ping,omitempty"`
	Refused bool      `json:"refused,omitempty"`

	// Of the answer to a ping: the seconds of CPU time that the server has used, and waited for.
	Used   float64 `json:"used,omitempty"`
	Waited float64 `json:"waited,omitempty"`
}

// A setup is what a server is told first.
type setup struct {
	Mechanism string // of package logins
	Cost      int    // of bcrypt
}

// ways are the mechanisms by their names on the page.
var ways = map[string]string{"goroutines": logins.MaxOut, "semaphore": logins.Semaphore, "pool": logins.Pool}

// Child answers calls by one way, each on a goroutine of its own, until in ends.
func Child(in *json.Decoder, out *json.Encoder) error {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // the pool says there that it is overloaded
	var s setup
	if err := in.Decode(&s); err != nil {
		return err
	}
	login, err := s.server()
	if err != nil {
		return err
	}

	var mu sync.Mutex
	for {
		c := new(call)
		if err := in.Decode(c); err != nil {
			return nil
		}

		go func() {
			c.Refused = !c.Ping && login(*c) != nil
			if waited := cputime.Waited(); c.Ping && waited >= 0 { // it is known
				c.Used = measure.CPUSeconds()
				c.Waited = waited
			}

			mu.Lock()
			defer mu.Unlock()
			_ = out.Encode(c) // nobody is there to be told
		}()
	}
}

// server returns what answers a login; its error is a refusal.
func (s setup) server() (login func(call) error, err error) {
	c := logins.Post()
	c.Mechanism = s.Mechanism
	c.Cost = s.Cost
	c.Deadline = patience
	c.Rate = 1 // callers don't wait

	m, err := c.Open()
	return func(c call) error {
		ctx, cancel := context.WithDeadline(context.Background(), c.Came.Add(patience))
		defer cancel()
		return m.Compare(ctx, fmt.Sprint(c.ID))
	}, err
}

// A Second is what became of the calls to one way in a second.
type Second struct {
	Answered int     `json:"answered"` // within a second of coming
	Late     int     `json:"late"`     // those who left
	Refused  int     `json:"refused"`
	Other    float64 `json:"other_ms"` // the slowest answer that needed no hash

	used, waited float64 // since the last second in which a ping was answered
}

// A way is a server in a process and those who wait for it. Any goroutine may call its methods.
type way struct {
	calls chan call
	ended chan struct{} // its process has

	mu      sync.Mutex
	waiting map[int64]call
	now     Second
	was, is call // the pings answered last, in the second before and in this one
}

// start starts the server of a way. The end of its process is the cause to stop.
func start(ctx context.Context, stop context.CancelCauseFunc, s setup) (*way, error) {
	server, err := child.Start(ctx, "live", fmt.Sprint("GOMAXPROCS=", max(1, runtime.GOMAXPROCS(0)/len(ways))))
	if err != nil {
		return nil, err
	}

	w := &way{calls: make(chan call, 10_000), ended: make(chan struct{}), waiting: make(map[int64]call)}
	go func() {
		err := server.Send(s)
		for err == nil {
			err = server.Send(<-w.calls)
		}
	}()
	go func() {
		defer close(w.ended)
		for {
			answer := new(call)
			if err := server.Receive(answer); err != nil {
				stop(fmt.Errorf("a server ended: %w", err))
				return
			}
			w.take(*answer)
		}
	}()

	return w, nil
}

// ask sends a call. If a server that reads nothing leaves no room for it, it will be late.
func (w *way) ask(c call) {
	w.mu.Lock()
	w.waiting[c.ID] = c
	w.mu.Unlock()

	select {
	case w.calls <- c:
	default:
	}
}

// take notes an answer.
func (w *way) take(answer call) {
	w.mu.Lock()
	defer w.mu.Unlock()

	c, ok := w.waiting[answer.ID]
	delete(w.waiting, answer.ID)
	waited := time.Since(c.Came)

	switch {
	case !ok: // who called has left
	case c.Ping:
		w.now.Other = max(w.now.Other, 1000*waited.Seconds())
		w.is = answer
	case waited > patience:
		w.now.Late++
	case answer.Refused:
		w.now.Refused++
	default:
		w.now.Answered++
	}
}

// second returns what happened since the last one. Logins that are late have left; who waits for
// another answer is as late as that.
func (w *way) second() Second {
	w.mu.Lock()
	defer w.mu.Unlock()

	for id, c := range w.waiting {
		waited := time.Since(c.Came)
		if c.Ping {
			w.now.Other = max(w.now.Other, 1000*waited.Seconds())
		} else if waited > patience {
			w.now.Late++
			delete(w.waiting, id)
		}
	}

	s := w.now
	s.used = w.is.Used - w.was.Used
	s.waited = w.is.Waited - w.was.Waited

	w.now = Second{}
	w.was = w.is
	return s
}

// callers call all ways at the same times: logins at random, rate a second, and ten pings a second.
func callers(ctx context.Context, ways map[string]*way, rate *atomic.Int64) {
	id := int64(0)
	ask := func(at time.Time, ping bool) {
		id++
		for _, w := range ways {
			w.ask(call{ID: id, Came: at, Ping: ping})
		}
	}

	pings := time.Tick(time.Second / 10)
	for next := time.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case at := <-pings:
			ask(at, true)
		case <-time.After(time.Until(next)):
			ask(next, false)
			seconds := rand.ExpFloat64() / float64(rate.Load())
			next = next.Add(time.Duration(seconds * float64(time.Second)))
		}
	}
}

// The page's own files, and uPlot 1.6.32 of the npm package uplot with its licence (MIT).
//
//go:embed page
var files embed.FS

// A show is what runs, and what those who look are told.
type show struct {
	rate atomic.Int64 // logins a second
	now  atomic.Pointer[news]
}

// News are the last second of all ways, as JSON.
type news struct {
	second []byte
	next   chan struct{} // closed when there are others
}

// MostRate is how many logins a second there may be.
const MostRate = 10_000

// Run serves the page on loopback until ctx is done, and passes its address to ready.
func Run(ctx context.Context, rate, cost int, ready func(url string)) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	until, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	s := new(show)
	s.now.Store(&news{[]byte("null"), make(chan struct{})})
	s.rate.Store(int64(rate))

	started := make(map[string]*way)
	defer func() { // else one that has much to hash outlives the program
		stop(nil)
		for _, w := range started {
			<-w.ended
		}
	}()

	for name, mechanism := range ways {
		if name == "semaphore" && runtime.GOMAXPROCS(0) < len(ways) {
			continue // else processes share a core, and none is at its best
		}
		w, err := start(until, stop, setup{mechanism, cost})
		if err != nil {
			return err
		}
		started[name] = w
	}
	go callers(until, started, &s.rate)
	go s.tellSeconds(started, cost)

	server := &http.Server{Handler: s.handler(listener.Addr().String()), ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 16 << 10}
	context.AfterFunc(until, func() { _ = server.Close() })
	ready("http://" + listener.Addr().String())

	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	if ctx.Err() == nil {
		return context.Cause(until)
	}
	return nil
}

// tellSeconds tells each second of all ways.
func (s *show) tellSeconds(ways map[string]*way, cost int) {
	for range time.Tick(time.Second) {
		now := map[string]any{"asked": s.rate.Load(), "cost": cost}
		used, waited := 0.0, 0.0
		for name, w := range ways {
			second := w.second()
			now[name] = second
			used += second.used
			waited += second.waited
		}

		now["had"] = measure.ShareOf(used, waited, time.Hour).String() // a quota hampers too
		s.tell(now)
	}
}

func (s *show) tell(second any) {
	text, _ := json.Marshal(second) // it has nothing that JSON has not
	close(s.now.Swap(&news{text, make(chan struct{})}).next)
}

// handler answers for the host alone: another site may have its name lead here.
func (s *show) handler(host string) http.Handler {
	page, _ := fs.Sub(files, "page") // it is there: it is embedded

	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(page))
	mux.HandleFunc("GET /events", s.events)
	mux.HandleFunc("POST /rate", func(w http.ResponseWriter, r *http.Request) {
		rate, err := strconv.Atoi(r.URL.Query().Get("x"))
		if err != nil || rate < 1 || rate > MostRate {
			http.Error(w, "want 1 to 10000 logins a second", http.StatusBadRequest)
			return
		}
		s.rate.Store(int64(rate))
	})

	protected := http.NewCrossOriginProtection().Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != host {
			http.Error(w, "want "+host, http.StatusMisdirectedRequest)
			return
		}
		w.Header().Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'")
		protected.ServeHTTP(w, r)
	})
}

// events sends each second as it comes.
func (s *show) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		now := s.now.Load()
		fmt.Fprintf(w, "data: %s\n\n", now.second)
		if http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-now.next:
		case <-r.Context().Done():
			return
		}
	}
}
