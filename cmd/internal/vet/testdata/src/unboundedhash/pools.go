// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package unboundedhash

import (
	"context"
	"net/http"
	"sync"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
)

// What follows is bounded by other functions than the handler.

type work struct {
	jobs    chan func()
	slots   chan struct{}
	mu      sync.Mutex
	once    sync.Once
	key     []byte
	limiter interface{ Allow() bool }
}

func (s *work) start() {
	for range 2 {
		go func() {
			for job := range s.jobs {
				job()
			}
		}()
	}
}

func (s *work) sent(w http.ResponseWriter, r *http.Request) {
	matches := make(chan error, 1)
	s.jobs <- func() { matches <- bcrypt.CompareHashAndPassword(nil, []byte(r.FormValue("password"))) }
	_ = <-matches
}

func (s *work) sentOrNot(w http.ResponseWriter, r *http.Request) {
	done := make(chan struct{})
	job := func() {
		defer close(done)
		bcrypt.CompareHashAndPassword(nil, []byte(r.FormValue("password")))
	}
	select {
	case s.jobs <- job:
		<-done
	case <-r.Context().Done():
	}
}

type task struct{ run func() }

func sentInStruct(tasks chan task) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		tasks <- task{run: func() { bcrypt.CompareHashAndPassword(nil, nil) }}
	}
}

func (s *work) inSlot(w http.ResponseWriter, r *http.Request) {
	s.withSlot(func() { bcrypt.CompareHashAndPassword(nil, nil) })
	s.outer(func() { bcrypt.CompareHashAndPassword(nil, nil) })
	s.byWorker(func() { bcrypt.CompareHashAndPassword(nil, nil) })
}

func (s *work) withSlot(f func()) {
	s.slots <- struct{}{}
	defer func() { <-s.slots }()
	f()
}

func (s *work) outer(f func()) { s.withSlot(f) }

func (s *work) byWorker(f func()) {
	done := make(chan struct{})
	s.jobs <- func() {
		f()
		close(done)
	}
	<-done
}

func (s *work) entered(w http.ResponseWriter, r *http.Request) {
	if err := s.enter(r.Context()); err != nil {
		return
	}
	defer s.leave()
	bcrypt.CompareHashAndPassword(nil, nil)
}

func (s *work) enter(ctx context.Context) error {
	select {
	case s.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *work) leave() { <-s.slots }

func (s *work) released(w http.ResponseWriter, r *http.Request) {
	release := s.slot()
	defer release()
	bcrypt.CompareHashAndPassword(nil, nil)
}

func (s *work) slot() (release func()) {
	s.slots <- struct{}{}
	return func() { <-s.slots }
}

// The channel is full of tokens at the start.
func (s *work) bucket(w http.ResponseWriter, r *http.Request) {
	s.draw()
	bcrypt.CompareHashAndPassword(nil, nil)
	s.slots <- struct{}{}
}

func (s *work) draw() { <-s.slots }

func (s *work) generic(w http.ResponseWriter, r *http.Request) {
	_ = alone(&s.mu, func() error { return bcrypt.CompareHashAndPassword(nil, nil) })
}

func alone[T any](mu *sync.Mutex, f func() T) T {
	mu.Lock()
	defer mu.Unlock()
	return f()
}

func (s *work) locked(w http.ResponseWriter, r *http.Request) {
	s.lock()
	defer s.unlock()
	bcrypt.CompareHashAndPassword(nil, nil)
}

func (s *work) lock()   { s.mu.Lock() }
func (s *work) unlock() { s.mu.Unlock() }

func (s *work) asked(w http.ResponseWriter, r *http.Request) {
	if s.tooFast(r) {
		return
	}
	bcrypt.CompareHashAndPassword(nil, nil)
}

func (s *work) tooFast(r *http.Request) bool { return !s.limiter.Allow() }

func (s *work) derived(w http.ResponseWriter, r *http.Request) {
	s.once.Do(func() { s.key = argon2.IDKey([]byte("secret"), nil, 1, 1<<16, 1, 32) })
	_ = s.derivedKey()
}

var pepper = sync.OnceValue(func() []byte { return argon2.IDKey([]byte("secret"), nil, 1, 1<<16, 1, 32) })

func (s *work) derivedKey() []byte {
	s.once.Do(func() { s.key = argon2.IDKey([]byte("secret"), pepper(), 1, 1<<16, 1, 32) })
	return s.key
}

// What follows only looks like it.

func (s *work) sendsResult(w http.ResponseWriter, r *http.Request) {
	matches := make(chan error, 1)
	go func() {
		matches <- bcrypt.CompareHashAndPassword(nil, []byte(r.FormValue("password"))) // want "bcrypt runs in a handler"
	}()
	_ = <-matches
}

func (s *work) sendsOther(w http.ResponseWriter, r *http.Request) {
	go func() { s.slots <- struct{}{} }()
	bcrypt.CompareHashAndPassword(nil, []byte(r.FormValue("password"))) // want "bcrypt runs in a handler"
}

func (s *work) inTransaction(w http.ResponseWriter, r *http.Request) {
	s.transaction(func() {
		bcrypt.CompareHashAndPassword(nil, []byte(r.FormValue("password"))) // want "bcrypt runs in a handler"
	})
}

func (s *work) transaction(f func()) {
	s.withSlot(func() {})
	f()
}

func (s *work) looked(w http.ResponseWriter, r *http.Request) {
	s.look()
	bcrypt.CompareHashAndPassword(nil, []byte(r.FormValue("password"))) // want "bcrypt runs in a handler"
}

func (s *work) waited(w http.ResponseWriter, r *http.Request) {
	s.wait()
	bcrypt.CompareHashAndPassword(nil, []byte(r.FormValue("password"))) // want "bcrypt runs in a handler"
}

// wait waits for what it started itself.
func (s *work) wait() {
	done := make(chan struct{})
	go func() { close(done) }()
	<-done
}

// look holds its slot and its lock no longer than it runs.
func (s *work) look() {
	s.slots <- struct{}{}
	defer func() { <-s.slots }()
	s.mu.Lock()
	s.key = nil
	s.mu.Unlock()
}
