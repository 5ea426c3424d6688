// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package live

// A way as its callers see it.

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"fount/cmd/internal/lab/child"
)

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
	cores := max(1, runtime.GOMAXPROCS(0)/len(ways))
	server, err := child.Start(ctx, "live", fmt.Sprint("GOMAXPROCS=", cores))
	if err != nil {
		return nil, err
	}

	w := &way{calls: make(chan call, 10_000), ended: make(chan struct{}), waiting: make(map[int64]call)}
	go w.send(server, s)
	go w.receive(server, stop)
	return w, nil
}

// send sends the setup and then calls, until the process has ended.
func (w *way) send(server *child.Child, s setup) {
	err := server.Send(s)
	for err == nil {
		err = server.Send(<-w.calls)
	}
}

// receive takes answers until the process ends, which is the cause to stop.
func (w *way) receive(server *child.Child, stop context.CancelCauseFunc) {
	defer close(w.ended)
	for {
		var answer call
		if err := server.Receive(&answer); err != nil {
			stop(fmt.Errorf("a server ended: %w", err))
			return
		}
		w.take(answer)
	}
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
		switch {
		case c.Ping:
			w.now.Other = max(w.now.Other, 1000*waited.Seconds())
		case waited > patience:
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
