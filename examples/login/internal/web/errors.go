// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package web

import (
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"fount/examples/login/internal/store"
	"fount/password"
	"fount/password/accountlimit"
	"fount/password/passwordhttp"
)

// A handler answers a request, or returns an error and has written nothing.
type handler func(w http.ResponseWriter, r *http.Request) error

// answer returns h as net/http has it; fail answers its errors.
func (s *Service) answer(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := s.Gate.WithDeadline(r)
		defer cancel()
		r = r.WithContext(ctx)
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	})
}

// A problem is an error that its user may read.
type problem struct {
	status int
	text   string
}

func (p problem) Error() string { return p.text }

// serve answers a program: problem details by RFC 9457, as passwordhttp has them, with the text.
func (p problem) serve(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.status)
	_ = json.NewEncoder(w).Encode(struct { // nobody is there to be told
		passwordhttp.Problem
		Detail string `json:"detail"`
	}{passwordhttp.Problem{Type: "about:blank", Title: http.StatusText(p.status), Status: p.status}, p.text})
}

// fail answers a request that failed. A person sees the form again, with what went wrong.
func (s *Service) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := explain(w, err)
	if p.status == http.StatusInternalServerError {
		slog.ErrorContext(r.Context(), "login: a request failed", "path", r.URL.Path, "error", err)
	}
	if !person(r) {
		p.serve(w)
		return
	}
	shown := page{Form: strings.TrimPrefix(r.URL.Path, "/"), Message: p.text, Wrong: true,
		Email: r.PostFormValue("email"), Token: r.PostFormValue("token")}
	switch shown.Form {
	case "register", "forgot", "reset":
	default: // the account's page has the form of a new password
		shown.Form = "login"
		if u, err := s.user(r); err == nil && u.ID != "" {
			shown.Form, shown.User = "", u
		}
	}
	if err := shown.show(w, p.status); err != nil {
		slog.ErrorContext(r.Context(), "login: a page failed", "error", err)
	}
}

// explain returns the answer to an error, and sets the headers that belong to it.
func explain(w http.ResponseWriter, err error) problem {
	if p, ok := errors.AsType[problem](err); ok {
		return p
	}
	if limited, ok := errors.AsType[accountlimit.LimitedError](err); ok {
		return problem{http.StatusTooManyRequests, "There were too many wrong passwords. " + again(w, limited.After)}
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return problem{http.StatusRequestEntityTooLarge, "That is too long."}
	}
	switch {
	case errors.Is(err, store.ErrTaken):
		return problem{http.StatusConflict, "There is an account with this address already."}
	case errors.Is(err, store.ErrEmail):
		return problem{http.StatusBadRequest, "That is not an address for mail."}
	case errors.Is(err, password.ErrNUL):
		return problem{http.StatusBadRequest, "A password can't have the character NUL."}
	case errors.Is(err, store.ErrGone):
		return problem{http.StatusConflict, "The password was changed meanwhile."}
	case errors.Is(err, password.ErrMismatch):
		return problem{statusOf(w, err), "The address or the password is not right."}
	}
	switch status := statusOf(w, err); status {
	case http.StatusServiceUnavailable:
		return problem{status, "Very many people are signing in. Please try again in " + inWords(w.Header().Get("Retry-After")) + "."}
	case http.StatusBadRequest:
		return problem{status, "That password is too long."}
	}
	return problem{http.StatusInternalServerError, "Something went wrong here. Please try again later."}
}

// statusOf returns the status with which passwordhttp.ServeError answers, and sets its headers.
func statusOf(w http.ResponseWriter, err error) int {
	only := &statusOnly{ResponseWriter: w}
	passwordhttp.ServeError(only, err)
	return only.status
}

// A statusOnly drops the body.
type statusOnly struct {
	http.ResponseWriter
	status int
}

func (s *statusOnly) WriteHeader(status int)      { s.status = status }
func (s *statusOnly) Write(b []byte) (int, error) { return len(b), nil }

// again says when to come back, in words and in the header.
func again(w http.ResponseWriter, d time.Duration) string {
	n := strconv.Itoa(int(math.Ceil(d.Seconds())))
	w.Header().Set("Retry-After", n)
	return "Please try again in " + inWords(n) + "."
}

// inWords is for a number of seconds.
func inWords(seconds string) string {
	switch n, _ := strconv.Atoi(seconds); {
	case n <= 1:
		return "1 second"
	case n >= 120:
		return strconv.Itoa((n+59)/60) + " minutes"
	}
	return seconds + " seconds"
}
