// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package live shows two ways to hash logins side by side in a browser, as it happens: a goroutine for each, as many
// services do, and fount's pool. Each way is a process with half of the cores, the same callers ask both, and a page on loopback
// draws what comes of it.
package live

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"fount/password"

	"golang.org/x/crypto/bcrypt"
)

// The ways.
const (
	Goroutines = "goroutines"
	Pool       = "pool"
)

// Patience is how long a caller waits for an answer, and then leaves.
const patience = time.Second

// A call asks a server for a login, or, as a ping, for an answer that needs no hash. It comes back as the answer.
type call struct {
	ID      int64     `json:"id"`
	Came    time.Time `json:"came"`
	Ping    bool      `json:"ping,omitempty"`
	Refused bool      `json:"refused,omitempty"`
}

// Serve answers calls by one way, each on a goroutine of its own, until in ends.
func Serve(way string, cost int, in io.Reader, out io.Writer) error {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // the pool says there that it is overloaded
	login, err := server(way, cost)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	replies := json.NewEncoder(out)
	calls := json.NewDecoder(in)
	for {
		var c call
		if calls.Decode(&c) != nil {
			return nil
		}
		go func() {
			c.Refused = !c.Ping && login(c) != nil
			mu.Lock()
			defer mu.Unlock()
			_ = replies.Encode(c) // nobody is there to be told
		}()
	}
}

// server returns what answers a login; its error is a refusal.
func server(way string, cost int) (login func(call) error, err error) {
	right := []byte("correct horse")
	stored, err := bcrypt.GenerateFromPassword(right, cost)
	if err != nil {
		return nil, err
	}
	if way == Goroutines {
		return func(call) error { return bcrypt.CompareHashAndPassword(stored, right) }, nil
	}
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: cost}, MaxWait: patience})
	if err != nil {
		return nil, err
	}
	return func(c call) error {
		ctx, cancel := context.WithDeadline(context.Background(), c.Came.Add(patience))
		defer cancel()
		_, err := pool.Verify(ctx, password.Login{Principal: fmt.Sprint(c.ID)}, right, string(stored))
		return err
	}, nil
}

// A Second is what became of the calls to one way in a second.
type Second struct {
	Answered int     `json:"answered"` // within a second of coming
	Late     int     `json:"late"`     // those who left
	Refused  int     `json:"refused"`
	Other    float64 `json:"other_ms"` // the slowest answer that needed no hash
}

// A way is a server in a process of its own, and those who wait for it. Its methods may be called from any goroutine.
type way struct {
	calls chan call
	ended chan struct{} // its process has

	mu      sync.Mutex
	waiting map[int64]call
	now     Second
}

// start runs the server of a way.
func start(cmd *exec.Cmd) (*way, error) {
	cmd.Env = append(cmd.Environ(), fmt.Sprint("GOMAXPROCS=", max(1, runtime.GOMAXPROCS(0)/2)))
	cmd.Stderr = os.Stderr
	calls, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	replies, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := &way{calls: make(chan call, 10_000), ended: make(chan struct{}), waiting: make(map[int64]call)}
	go func() {
		_ = cmd.Wait() // it is killed
		close(w.ended)
	}()
	go func() {
		enc := json.NewEncoder(calls)
		for c := range w.calls {
			_ = enc.Encode(c) // after its end calls are late
		}
	}()
	go func() {
		var answer call
		for dec := json.NewDecoder(replies); dec.Decode(&answer) == nil; answer = (call{}) {
			w.take(answer)
		}
	}()
	return w, nil
}

// ask sends a call. One for which a server that reads nothing leaves no room waits until it is late.
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
	case waited > patience:
		w.now.Late++
	case answer.Refused:
		w.now.Refused++
	default:
		w.now.Answered++
	}
}

// second returns what happened since the last one. Logins that are late have left; who waits for another answer is as
// late as that.
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
	w.now = Second{}
	return s
}

// callers call all ways at the same times: logins at random, rate a second, and ten pings a second.
func callers(ctx context.Context, ways []*way, rate *atomic.Int64) {
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
			next = next.Add(time.Duration(rand.ExpFloat64() / float64(rate.Load()) * float64(time.Second)))
		}
	}
}

// The page's own files, and uPlot 1.6.32 of the npm package uplot, whose licence (MIT) is beside it.
//
//go:embed page
var files embed.FS

// A show is what runs, and what those who look are told.
type show struct {
	rate atomic.Int64 // logins a second

	mu   sync.Mutex
	last []byte        // the last second of both ways, as JSON
	next chan struct{} // closed when there is another
}

// MostRate is how many logins a second there may be.
const MostRate = 10_000

// Run serves the page on loopback until ctx is done, and passes its address to ready. The command of a way ends in
// Serve.
func Run(ctx context.Context, rate int, command func(ctx context.Context, way string) *exec.Cmd, ready func(url string)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	s := &show{last: []byte("null"), next: make(chan struct{})}
	s.rate.Store(int64(rate))
	goroutines, err := start(command(ctx, Goroutines))
	if err != nil {
		return err
	}
	pool, err := start(command(ctx, Pool))
	if err != nil {
		return err
	}
	defer func() { // else one that has much to hash outlives the program
		cancel()
		<-goroutines.ended
		<-pool.ended
	}()
	go callers(ctx, []*way{goroutines, pool}, &s.rate)
	go func() {
		for range time.Tick(time.Second) {
			s.tell(map[string]any{"asked": s.rate.Load(), Goroutines: goroutines.second(), Pool: pool.second()})
		}
	}()
	server := &http.Server{Handler: s.handler(listener.Addr().String()), ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 16 << 10}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	ready("http://" + listener.Addr().String())
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

func (s *show) tell(second any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, _ = json.Marshal(second) // it has nothing that JSON has not
	close(s.next)
	s.next = make(chan struct{})
}

// handler answers requests for the host: a page of another site that has its name lead here is refused.
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
		w.Header().Set("Cache-Control", "no-store")
		protected.ServeHTTP(w, r)
	})
}

// events sends each second as it comes.
func (s *show) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		s.mu.Lock()
		last, next := s.last, s.next
		s.mu.Unlock()
		fmt.Fprintf(w, "data: %s\n\n", last)
		if http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-next:
		case <-r.Context().Done():
			return
		}
	}
}
