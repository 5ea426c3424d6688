// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package live

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

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
	go callers(ctx, []*way{goroutines, pool}, &s.rate)
	go func() {
		for range time.Tick(time.Second) {
			s.tell(map[string]any{"asked": s.rate.Load(), Goroutines: goroutines.second(), Pool: pool.second()})
		}
	}()
	server := &http.Server{Handler: s.handler(listener.Addr().String()), ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 16 << 10}
	context.AfterFunc(ctx, func() { server.Close() })
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
		w.Header().Set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'")
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
