// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package unboundedhash

import (
	"context"
	"net/http"
	"store"
	"sync"

	"github.com/gin-gonic/gin"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/time/rate"
)

type server struct {
	store   *store.Store
	turns   chan struct{}
	limiter *rate.Limiter
	mu      sync.Mutex
	all     sync.RWMutex
	pool    pool
}

func (s *server) register(w http.ResponseWriter, r *http.Request) {
	hash, err := bcrypt.GenerateFromPassword([]byte(r.FormValue("password")), 10) // want `bcrypt runs in a handler without a bound.*\(unboundedhash\)`
	_, _ = hash, err
}

func (s *server) direct(w http.ResponseWriter, r *http.Request, params map[string]string) {
	u, _ := s.store.ByName(r.FormValue("name"))
	if u.Matches(r.FormValue("password")) { // want "bcrypt runs in a handler without a bound"
		w.WriteHeader(200)
	}
}

func (s *server) throughOther(w http.ResponseWriter, r *http.Request) {
	_ = s.check(r) // want "argon2 runs in a handler without a bound"
}

func (s *server) check(r *http.Request) error {
	if store.Argon2Matches(nil, nil, r.FormValue("password")) {
		return nil
	}
	return http.ErrNoCookie
}

func middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, password, _ := r.BasicAuth()
		if bcrypt.CompareHashAndPassword(nil, []byte(password)) != nil { // want "bcrypt runs in a handler"
			return
		}
		next.ServeHTTP(w, r)
	})
}

func framework(c *gin.Context) {
	go func() {
		bcrypt.GenerateFromPassword(nil, 10) // want "bcrypt runs in a handler"
	}()
}

func (s *server) update(w http.ResponseWriter, r *http.Request) {
	password := r.FormValue("password")
	store.Update(nil, password) // want "bcrypt runs in a handler"
}

type message struct{}

func (*message) ProtoReflect() any { return nil }

func (s *server) SignIn(ctx context.Context, m *message) (*message, error) {
	return nil, bcrypt.CompareHashAndPassword(nil, nil) // want "bcrypt runs in a handler"
}

// The mutex guards the map, not the hash.
func (s *server) unlocked(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	u := s.of(r)
	s.mu.Unlock()
	u.Matches(r.FormValue("password")) // want "bcrypt runs in a handler"
}

func (s *server) unlockedInside(w http.ResponseWriter, r *http.Request) {
	u := func() *store.User {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.of(r)
	}()
	u.Matches(r.FormValue("password")) // want "bcrypt runs in a handler"
}

func (s *server) read(w http.ResponseWriter, r *http.Request) {
	s.all.RLock()
	defer s.all.RUnlock()
	s.of(r).Matches(r.FormValue("password")) // want "bcrypt runs in a handler"
}

// What follows is bounded, or no handler.

func (s *server) written(w http.ResponseWriter, r *http.Request) {
	s.all.Lock()
	defer s.all.Unlock()
	s.of(r).Matches(r.FormValue("password"))
}

func (s *server) internal(ctx context.Context, m *store.User) (*message, error) {
	return nil, bcrypt.CompareHashAndPassword(nil, nil)
}

func (s *server) rename(w http.ResponseWriter, r *http.Request) {
	store.Update(s.of(r), "") // it has nothing to hash
}

func (s *server) of(r *http.Request) *store.User { return nil }

func (s *server) bounded(w http.ResponseWriter, r *http.Request) {
	_ = store.BoundedMatches(nil, r.FormValue("password"))
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-r.Context().Done():
		return
	}
	bcrypt.CompareHashAndPassword(nil, nil)
}

func (s *server) limited(w http.ResponseWriter, r *http.Request) {
	if !s.limiter.Allow() {
		return
	}
	bcrypt.CompareHashAndPassword(nil, nil)
}

func (s *server) oneAtATime(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.check(r)
}

type pool struct{}

func (pool) Do(func()) {}

func (s *server) pooled(w http.ResponseWriter, r *http.Request) {
	s.pool.Do(func() { bcrypt.CompareHashAndPassword(nil, nil) })
}

func (s *server) delegates(w http.ResponseWriter, r *http.Request) { s.register(w, r) }

// What a handler makes is reported once, where it is made.
func (s *server) makes(w http.ResponseWriter, r *http.Request) { middleware(nil).ServeHTTP(w, r) }

func (s *server) setup(password string) { bcrypt.GenerateFromPassword([]byte(password), 10) }

type client struct{ last *http.Response }

func (c *client) do(response *http.Response) { bcrypt.GenerateFromPassword(nil, 10) }

func (s *server) cost(w http.ResponseWriter, r *http.Request) { _ = r.FormValue("password") }

func (s *server) silenced(w http.ResponseWriter, r *http.Request) {
	//fount:ignore unboundedhash the router admits four requests at once
	bcrypt.CompareHashAndPassword(nil, nil)
}
