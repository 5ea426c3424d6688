// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package live shows ways to hash logins side by side in a browser, as it happens: a goroutine for
// each, as many services do, a semaphore with a bounded queue, and fount's pool. Each way is a
// process with its part of the cores, the same callers ask all, and a page on loopback draws what
// comes of it. On one or two cores the semaphore is left out.
package live

import (
	"context"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"fount/cmd/internal/lab/logins"
	"fount/cmd/internal/lab/measure"
)

// patience is how long a caller waits for an answer, and then leaves.
const patience = time.Second

// MostRate is how many logins a second there may be.
const MostRate = 10_000

// ways are the mechanisms by their names on the page.
var ways = map[string]string{"goroutines": logins.MaxOut, "semaphore": logins.Semaphore, "pool": logins.Pool}

// Run serves the page on loopback until ctx is done, and passes its address to ready.
func Run(ctx context.Context, rate, cost int, ready func(url string)) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()

	until, stop := context.WithCancelCause(ctx)
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
		w, err := start(until, stop, setup{Mechanism: mechanism, Cost: cost})
		if err != nil {
			return err
		}
		started[name] = w
	}

	b := newBoard(rate)
	go callers(until, started, &b.rate)
	go tellSeconds(until, b, started, cost)

	address := listener.Addr().String()
	server := &http.Server{Handler: b.handler(address), ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 16 << 10}
	context.AfterFunc(until, func() { _ = server.Close() })
	ready("http://" + address)

	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	if ctx.Err() == nil {
		return context.Cause(until)
	}
	return nil
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

// tellSeconds tells each second of all ways.
func tellSeconds(ctx context.Context, b *board, ways map[string]*way, cost int) {
	seconds := time.Tick(time.Second)
	for {
		select {
		case <-ctx.Done():
			return
		case <-seconds:
		}

		now := map[string]any{"asked": b.rate.Load(), "cost": cost}
		used := 0.0
		waited := 0.0
		for name, w := range ways {
			second := w.second()
			now[name] = second
			used += second.used
			waited += second.waited
		}

		now["had"] = measure.ShareOf(used, waited, time.Hour).String() // a quota hampers too
		b.tell(now)
	}
}
