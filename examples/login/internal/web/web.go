// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package web is the service's HTTP: pages for people, which need no script, and answers in JSON for programs. It stores
// nothing itself and hashes nothing itself.
package web

import (
	"context"
	"embed"
	"fmt"
	"net/http"

	"fount/examples/login/internal/store"
	"fount/password"
	"fount/password/accountlimit"
	"fount/password/passwordhttp"
)

// Mail is a message to a user.
type Mail struct{ To, Subject, Text string }

// An Outbox sends mail. It may be called from several goroutines.
type Outbox interface {
	Send(context.Context, Mail) error
}

// A Hasher is what a *password.Pool can do.
type Hasher interface {
	password.Verifier
	Ready(context.Context, password.Login) error
}

// Config is what a Service is made of.
type Config struct {
	Store  *store.Store
	Hasher Hasher
	Outbox Outbox
	Gate   passwordhttp.Gate // whom requests come from, and until when they can be answered
	URL    string            // of the service, for links in mails: what a request says of it can be anybody's
}

// A Service answers requests.
type Service struct {
	Config
	logins *accountlimit.Limiter // wrong passwords
	asked  *accountlimit.Limiter // mails
	resets *queue                // addresses that a mail is for
	giveUp context.CancelFunc    // of mails
	ended  chan struct{}         // no mail is sent any more
}

// New returns a Service; Close ends it.
func New(c Config) (*Service, error) {
	logins, err := accountlimit.New(accountlimit.Options{})
	if err != nil {
		return nil, err
	}
	asked, err := accountlimit.New(accountlimit.Options{Account: mails, Client: mails})
	if err != nil {
		return nil, err
	}
	ctx, giveUp := context.WithCancel(context.Background())
	s := &Service{Config: c, logins: logins, asked: asked, resets: newQueue(64), giveUp: giveUp,
		ended: make(chan struct{})}
	go s.mail(ctx)
	return s, nil
}

// Close sends the mails that were asked for, until ctx is done: then it gives them up, and its error says so. The store must be open.
// A request that comes later, of a server that did not end in time, is refused.
func (s *Service) Close(ctx context.Context) error {
	s.resets.close()
	defer s.giveUp()
	select {
	case <-s.ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("login: the outbox is too slow: a mail was given up, and %d after it: %w", len(s.resets.waiting), ctx.Err())
	}
}

//go:embed style.css
var static embed.FS

// Handler returns the service's handler.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, h := range map[string]handler{
		"GET /{$}":       s.home,
		"GET /me":        s.me,
		"GET /login":     form("login"),
		"GET /register":  form("register"),
		"GET /forgot":    form("forgot"),
		"GET /reset":     s.resetForm,
		"POST /register": s.register,
		"POST /login":    s.login,
		"POST /logout":   s.logout,
		"POST /password": s.changePassword,
		"POST /forgot":   s.forgot,
		"POST /reset":    s.reset,
	} {
		mux.Handle(pattern, s.answer(h))
	}
	mux.Handle("GET /style.css", http.FileServerFS(static))
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})

	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(s.answer(func(http.ResponseWriter, *http.Request) error {
		return problem{http.StatusForbidden, "This form came from another site, so nothing was done."}
	}))
	return guard(cross.Handler(mux))
}

// maxBody holds an address, a token and two passwords of 1 KiB, each byte as %xx.
const maxBody = 16 << 10

// guard sets what holds for all answers.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin") // the address of a reset holds its token
		h.Set("Cache-Control", "no-store")
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}
