// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package live

// The page, and what those who look at it are told.

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"sync/atomic"
)

// The page's own files, and uPlot 1.6.32 of the npm package uplot with its licence (MIT).
//
//go:embed page
var files embed.FS

// A board shows what comes of the ways. Any goroutine may call its methods.
type board struct {
	rate atomic.Int64 // logins a second
	now  atomic.Pointer[news]
}

// News are the last second of all ways, as JSON.
type news struct {
	second []byte
	next   chan struct{} // closed when there are others
}

func newNews(second []byte) *news { return &news{second: second, next: make(chan struct{})} }

func newBoard(rate int) *board {
	b := new(board)
	b.rate.Store(int64(rate))
	b.now.Store(newNews([]byte("null")))
	return b
}

// tell shows a second to all who look.
func (b *board) tell(second any) {
	text, _ := json.Marshal(second) // it has nothing that JSON has not
	before := b.now.Swap(newNews(text))
	close(before.next)
}

// handler answers for the host alone: another site may have its name lead here.
func (b *board) handler(host string) http.Handler {
	page, _ := fs.Sub(files, "page") // it is there: it is embedded

	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(page))
	mux.HandleFunc("GET /events", b.events)
	mux.HandleFunc("POST /rate", b.setRate)

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
func (b *board) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		now := b.now.Load()
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

// setRate changes how many logins a second come.
func (b *board) setRate(w http.ResponseWriter, r *http.Request) {
	rate, err := strconv.Atoi(r.URL.Query().Get("x"))
	if err != nil || rate < 1 || rate > MostRate {
		http.Error(w, "want 1 to 10000 logins a second", http.StatusBadRequest)
		return
	}
	b.rate.Store(int64(rate))
}
