// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The pages. They need no script.

import (
	"context"
	"embed"
	"errors"
	"html/template"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"fount/password"
	"fount/password/accountlimit"
	"fount/password/passwordhttp"
)

// A service answers requests.
type service struct {
	store  *store
	mailer *mailer
	gate   passwordhttp.Gate // knows clients and deadlines, and has the pool
	url    string            // for links in mails; a request's own Host is not to be trusted
	wrong  *accountlimit.Limiter
	mails  *accountlimit.Limiter
}

func newService(db *store, out outbox, gate passwordhttp.Gate, url string) *service {
	wrong, err1 := accountlimit.New(accountlimit.Options{})
	mails, err2 := accountlimit.New(mailLimits)
	if err := errors.Join(err1, err2); err != nil {
		panic(err) // the options are constants
	}
	return &service{db, &mailer{out, make(chan struct{}, 32)}, gate, url, wrong, mails}
}

//go:embed style.css page.html
var static embed.FS

func (s *service) handler() http.Handler {
	const hashes = true // else !hashes
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", s.answer(!hashes, s.home))
	for _, name := range []string{"login", "register", "forgot", "reset"} {
		form := func(w http.ResponseWriter, r *http.Request, _ password.Login) error {
			return page{Form: name, Token: r.FormValue("token")}.show(w, http.StatusOK)
		}
		mux.Handle("GET /"+name, s.answer(!hashes, form))
	}
	mux.Handle("POST /register", s.answer(hashes, s.register))
	mux.Handle("POST /login", s.answer(hashes, s.login))
	mux.Handle("POST /logout", s.answer(!hashes, s.logout))
	mux.Handle("POST /password", s.answer(hashes, s.change))
	mux.Handle("POST /forgot", s.answer(!hashes, s.forgot))
	mux.Handle("POST /reset", s.answer(hashes, s.reset))
	mux.Handle("GET /style.css", http.FileServerFS(static))

	const maxBody = 16 << 10 // bytes
	return s.guard(http.MaxBytesHandler(http.NewCrossOriginProtection().Handler(mux), maxBody))
}

// guard sets the headers of all answers.
func (s *service) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; "+
			"form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin") // the URL of a reset holds its token
		h.Set("Cache-Control", "no-store")
		if strings.HasPrefix(strings.ToLower(s.url), "https:") {
			h.Set("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
		}
		next.ServeHTTP(w, r)
	})
}

// A handler answers a request, or returns an error and has written nothing.
type handler func(w http.ResponseWriter, r *http.Request, from password.Login) error

// answer parses the form and asks the pool for room, if h hashes, before h asks the store anything.
// It answers an error of h.
func (s *service) answer(hashes bool, h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := s.gate.WithDeadline(r)
		defer cancel()
		r = r.WithContext(ctx)
		from := password.Login{Principal: s.gate.Principal(r)}
		err := parse(r)
		if err == nil && hashes {
			err = s.gate.Pool.Ready(ctx, from)
		}
		if err == nil {
			err = h(w, r, from)
		}
		if err != nil {
			s.fail(w, r, errors.Join(err, ctx.Err())) // SQLite says only that it was interrupted
		}
	})
}

// parse returns no error of package http but a problem, because theirs quote what was sent.
func parse(r *http.Request) error {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength != 0 && kind != "application/x-www-form-urlencoded" {
		return problem{http.StatusUnsupportedMediaType, "Want a form: application/x-www-form-urlencoded."}
	}
	if r.ParseForm() != nil {
		return problem{http.StatusBadRequest, "That form can't be read, or is too long."}
	}
	return nil
}

func (s *service) home(w http.ResponseWriter, r *http.Request, _ password.Login) error {
	u, err := s.signedIn(r)
	if err != nil && err != errSignIn {
		return err
	}
	return page{User: u}.show(w, http.StatusOK)
}

func (s *service) register(w http.ResponseWriter, r *http.Request, from password.Login) error {
	email, err := parseEmail(r.PostFormValue("email"))
	if err != nil {
		return err
	}
	hash, err := s.newHash(r, from, "password")
	if err != nil {
		return err
	}
	u := newUser(email, hash)
	if err := s.store.add(r.Context(), u); err != nil {
		return err
	}
	return s.enter(w, r, u, "")
}

func (s *service) login(w http.ResponseWriter, r *http.Request, from password.Login) error {
	email, err := parseEmail(r.PostFormValue("email"))
	if err != nil {
		return err
	}
	u, err := s.store.byEmail(r.Context(), email)
	if err != nil {
		return err
	}
	limited, save := s.wrong.For(s.gate.Pool, email), s.store.upgrade(u.id)
	given := norm.NFC.String(r.PostFormValue("password"))
	if _, err := password.SignIn(r.Context(), limited, from, given, u.hash, save); err != nil {
		return err
	}
	return s.enter(w, r, u, "")
}

// enter begins a session, always with a new token: one that somebody planted stays worthless.
func (s *service) enter(w http.ResponseWriter, r *http.Request, u user, message string) error {
	token, err := s.store.newToken(r.Context(), session, u, sessionOf(r))
	if err != nil {
		return err
	}
	setSession(w, token)
	if message != "" {
		return page{User: u, Message: message}.show(w, http.StatusOK)
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

func (s *service) logout(w http.ResponseWriter, r *http.Request, _ password.Login) error {
	if err := s.store.endToken(r.Context(), sessionOf(r)); err != nil {
		return err
	}
	setSession(w, "")
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// change wants the present password too, in case a browser was left signed in.
func (s *service) change(w http.ResponseWriter, r *http.Request, from password.Login) error {
	u, err := s.signedIn(r)
	if err != nil {
		return err
	}
	present := []byte(norm.NFC.String(r.PostFormValue("password")))
	if _, err := s.wrong.For(s.gate.Pool, u.Email).Verify(r.Context(), from, present, u.hash); err != nil {
		return err
	}
	hash, err := s.newHash(r, from, "new")
	if err != nil {
		return err
	}
	if u, err = s.store.setPassword(r.Context(), u, hash, sessionOf(r)); err != nil {
		return err
	}
	s.changed(u)
	return s.enter(w, r, u, "Your password was changed.")
}

// newHash hashes a new password if it has a length that OWASP ASVS allows.
func (s *service) newHash(r *http.Request, from password.Login, field string) (string, error) {
	given := norm.NFC.String(r.PostFormValue(field))
	if n := utf8.RuneCountInString(given); n < 12 || n > 128 {
		return "", problem{http.StatusBadRequest, "A password has 12 to 128 characters."}
	}

	hash, err := s.gate.Pool.Hash(r.Context(), from, []byte(given))
	if errors.Is(err, password.ErrTooLong) { // of bcrypt alone: all others take 128 characters
		err = errLong
	}
	return hash, err
}

// setSession sets the cookie, or deletes it if token is "". The prefix __Host- keeps other hosts
// of the domain from setting it. Over plain HTTP, browsers send it to localhost only.
func setSession(w http.ResponseWriter, token string) {
	cookie := &http.Cookie{
		Name: sessionCookie, Value: token, Path: "/", MaxAge: int(session.life.Seconds()),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	if token == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(w, cookie)
}

const sessionCookie = "__Host-session"

func sessionOf(r *http.Request) (token string) {
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		token = cookie.Value
	}
	return token
}

// signedIn returns the user of a request's session, or errSignIn.
func (s *service) signedIn(r *http.Request) (user, error) {
	u, err := s.store.byToken(r.Context(), session, sessionOf(r))
	if err == nil && u.id == "" {
		err = errSignIn
	}
	return u, err
}

var pageTemplate = template.Must(template.ParseFS(static, "page.html"))

// A page is what page.html shows.
type page struct {
	Form    string // "register", "forgot", "reset"; else the account of User, or "login"
	Message string // what was done, or what went wrong
	Wrong   bool   // it went wrong
	Email   string // what was typed, to be kept
	Token   string // of a reset
	User    user
}

func (p page) show(w http.ResponseWriter, status int) error {
	var text strings.Builder
	if err := pageTemplate.Execute(&text, p); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text.String())) // the client may have left
	return nil
}

// A problem is an error that its user may read.
type problem struct {
	status int
	text   string
}

func (p problem) Error() string { return p.text }

var (
	errSignIn = problem{http.StatusUnauthorized, "Sign in first."}
	errEmail  = problem{http.StatusBadRequest, "That is not an address for mail."}
	errLong   = problem{http.StatusBadRequest, "A password has at most 72 bytes: as many letters, or fewer with accents."}
	errTaken  = problem{http.StatusConflict, "There is an account with this address already."}
	errGone   = problem{http.StatusConflict, "The password was changed meanwhile."}
)

// explain returns the answer to an error, and when to try again if that is known.
func explain(err error) (problem, time.Duration) {
	p, known := errors.AsType[problem](err)
	limited, tooOften := errors.AsType[accountlimit.LimitedError](err)
	overloaded, busy := errors.AsType[password.OverloadedError](err)
	switch {
	case known:
		return p, 0
	case tooOften:
		return problem{http.StatusTooManyRequests, "That was tried too often."}, limited.After
	case busy:
		return problem{http.StatusServiceUnavailable, "Very many people are signing in."}, overloaded.After
	case errors.Is(err, password.ErrMismatch):
		return problem{http.StatusUnauthorized, "The address or the password is not right."}, 0
	case errors.Is(err, password.ErrTooLong), errors.Is(err, password.ErrNUL):
		return problem{http.StatusBadRequest, "That password is too long, or has a character NUL."}, 0
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled),
		errors.Is(err, password.ErrClosed):
		return problem{http.StatusServiceUnavailable, "That took too long."}, 0
	}
	return problem{http.StatusInternalServerError, "Something went wrong here. Please try again later."}, 0
}

// fail answers a request that failed: its form again, with what went wrong.
func (s *service) fail(w http.ResponseWriter, r *http.Request, err error) {
	p, after := explain(err)
	if p.status == http.StatusInternalServerError {
		slog.ErrorContext(r.Context(), "a request failed", "path", r.URL.Path, "error", err)
	}
	if after > 0 {
		after = after.Truncate(time.Second) + time.Second
		w.Header().Set("Retry-After", strconv.Itoa(int(after.Seconds())))
		p.text += " Please try again in " + after.String() + "."
	}
	shown := page{Form: strings.TrimPrefix(r.URL.Path, "/"), Message: p.text, Wrong: true,
		Email: r.PostFormValue("email"), Token: r.PostFormValue("token")}
	if shown.Form == "password" { // which is on the account's page
		shown.User, _ = s.signedIn(r)
	}
	if err := shown.show(w, p.status); err != nil {
		slog.ErrorContext(r.Context(), "a page failed", "error", err)
	}
}
