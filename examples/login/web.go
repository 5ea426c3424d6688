// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The pages, which need no script.

import (
	"context"
	"embed"
	"errors"
	"fmt"
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

// A hasher is what a *password.Pool can do.
type hasher interface {
	password.Verifier
	Ready(context.Context, password.Login) error
}

// A service answers requests.
type service struct {
	store  *store
	pool   hasher
	mailer *mailer
	gate   passwordhttp.Gate // whom requests come from, and until when they can be answered
	url    string            // for links in mails: what a request says of it can be anybody's

	wrong *accountlimit.Limiter // passwords
	mails *accountlimit.Limiter // links
}

func newService(db *store, pool hasher, out outbox, gate passwordhttp.Gate, url string) *service {
	return &service{db, pool, newMailer(out), gate, url, limiter(accountlimit.Options{}), limiter(mailLimits)}
}

func limiter(o accountlimit.Options) *accountlimit.Limiter {
	l, err := accountlimit.New(o)
	if err != nil {
		panic(err) // the options are constants
	}
	return l
}

//go:embed style.css page.html
var static embed.FS

func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", s.answer(s.home))
	for _, name := range []string{"login", "register", "forgot", "reset"} {
		mux.Handle("GET /"+name, s.answer(func(w http.ResponseWriter, r *http.Request) error {
			return page{Form: name, Token: r.FormValue("token")}.show(w, http.StatusOK)
		}))
	}
	mux.Handle("POST /register", s.answer(s.hashing(s.register)))
	mux.Handle("POST /login", s.answer(s.hashing(s.login)))
	mux.Handle("POST /logout", s.answer(s.logout))
	mux.Handle("POST /password", s.answer(s.hashing(s.change)))
	mux.Handle("POST /forgot", s.answer(s.forgot))
	mux.Handle("POST /reset", s.answer(s.hashing(s.reset)))
	mux.Handle("GET /style.css", http.FileServerFS(static))
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})

	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(s.answer(func(http.ResponseWriter, *http.Request) error {
		return problem{http.StatusForbidden, "This form came from another site, so nothing was done."}
	}))
	return s.guard(cross.Handler(mux))
}

// maxBody holds an address, a token and two passwords of 1 KiB, each byte as %xx.
const maxBody = 16 << 10

// guard sets what holds for all answers.
func (s *service) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin") // the address of a reset holds its token
		h.Set("Cache-Control", "no-store")
		if strings.HasPrefix(s.url, "https:") {
			h.Set("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

// A handler answers a request, or returns an error and has written nothing.
type handler func(w http.ResponseWriter, r *http.Request) error

// answer returns h as net/http has it: forms are read before it, its errors answered after it.
func (s *service) answer(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := s.gate.WithDeadline(r)
		defer cancel()
		r = r.WithContext(ctx)
		err := parse(r)
		if err == nil {
			err = h(w, r)
		}
		if err != nil {
			s.fail(w, r, err)
		}
	})
}

// parse reads a form. What is wrong with one is its sender's to know, and not for the log: the
// error holds bytes of it.
func parse(r *http.Request) error {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength != 0 && kind != "application/x-www-form-urlencoded" {
		return problem{http.StatusUnsupportedMediaType, "Want a form: application/x-www-form-urlencoded."}
	}
	err := r.ParseForm()
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return problem{http.StatusRequestEntityTooLarge, "That is too long."}
	}
	if err != nil {
		return problem{http.StatusBadRequest, "That form can't be read."}
	}
	return nil
}

// hashing asks the pool whether it has room before the store is asked anything: a refusal needs no
// query.
func (s *service) hashing(h func(http.ResponseWriter, *http.Request, password.Login) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		from := password.Login{Principal: s.gate.Principal(r)}
		if err := s.pool.Ready(r.Context(), from); err != nil {
			return err
		}
		return h(w, r, from)
	}
}

func (s *service) home(w http.ResponseWriter, r *http.Request) error {
	u, err := s.signedIn(r)
	if errors.Is(err, errSignIn) {
		return page{Form: "login"}.show(w, http.StatusOK)
	}
	if err != nil {
		return err
	}
	return page{User: u}.show(w, http.StatusOK)
}

func (s *service) register(w http.ResponseWriter, r *http.Request, from password.Login) error {
	email, err := parseEmail(r.PostFormValue("email"))
	if err != nil {
		return err
	}
	hash, err := s.newHash(r, from, "password", email)
	if err != nil {
		return err
	}
	if err := s.store.add(r.Context(), user{Email: email, hash: hash}); err != nil {
		return err
	}
	u, err := s.store.byEmail(r.Context(), email)
	if err != nil {
		return err
	}
	return s.enter(w, r, u, "")
}

func (s *service) login(w http.ResponseWriter, r *http.Request, from password.Login) error {
	email := emailOf(r.PostFormValue("email"))
	u, err := s.store.byEmail(r.Context(), email)
	if err != nil {
		return err
	}
	save := func(ctx context.Context, old, new string) (bool, error) { return s.store.upgrade(ctx, u.id, old, new) }
	given := norm.NFC.String(r.PostFormValue("password"))
	if _, err := password.SignIn(r.Context(), s.wrong.For(s.pool, email), from, given, u.hash, save); err != nil {
		return err
	}
	return s.enter(w, r, u, "")
}

// enter begins a session of a user, who sees the account, with a message if there is one. The session
// has a new token: one that was planted is not signed in.
func (s *service) enter(w http.ResponseWriter, r *http.Request, u user, message string) error {
	token, err := s.store.newToken(r.Context(), session, u, sessionOf(r))
	if err != nil {
		return err
	}
	setSession(w, token)
	if message == "" {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return nil
	}
	return page{User: u, Message: message}.show(w, http.StatusOK)
}

func (s *service) logout(w http.ResponseWriter, r *http.Request) error {
	if err := s.store.endToken(r.Context(), sessionOf(r)); err != nil {
		return err
	}
	setSession(w, "")
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// change wants the present password too: a machine that was left signed in is not enough.
func (s *service) change(w http.ResponseWriter, r *http.Request, from password.Login) error {
	u, err := s.signedIn(r)
	if err != nil {
		return err
	}
	present := []byte(norm.NFC.String(r.PostFormValue("password")))
	if _, err := s.wrong.For(s.pool, u.Email).Verify(r.Context(), from, present, u.hash); err != nil {
		return err
	}
	hash, err := s.newHash(r, from, "new", u.Email)
	if err != nil {
		return err
	}
	if u, err = s.store.setPassword(r.Context(), u, hash, sessionOf(r)); err != nil {
		return err
	}
	s.changed(u)
	return s.enter(w, r, u, "Your password was changed.")
}

// newHash hashes a new password if it is as NIST SP 800-63B and OWASP ASVS want it, but for their
// list of passwords known from leaks: 12 to 128 characters, whatever they are, and not the name.
func (s *service) newHash(r *http.Request, from password.Login, field, email string) (string, error) {
	given := norm.NFC.String(r.PostFormValue(field))
	name, _, _ := strings.Cut(email, "@")
	switch n := utf8.RuneCountInString(given); {
	case n < 12 || n > 128:
		return "", problem{http.StatusBadRequest, "A password has 12 to 128 characters."}
	case strings.EqualFold(given, email), strings.EqualFold(given, name):
		return "", problem{http.StatusBadRequest, "Your address is no password: others know it."}
	}
	return s.pool.Hash(r.Context(), from, []byte(given))
}

// sessionCookie has a prefix for which a browser keeps other hosts of the domain from setting it.
const sessionCookie = "__Host-session"

// setSession gives the browser a token, or takes it away. Scripts can't read it, and other sites'
// forms don't bring it along. Over plain HTTP, browsers send it to localhost alone.
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

func sessionOf(r *http.Request) (token string) {
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		return cookie.Value
	}
	return ""
}

// signedIn returns the user of a request's session, or errSignIn.
func (s *service) signedIn(r *http.Request) (user, error) {
	token := sessionOf(r)
	if token == "" {
		return user{}, errSignIn
	}
	u, err := s.store.byToken(r.Context(), session, token)
	if err == nil && u.id == "" {
		err = errSignIn
	}
	return u, err
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
	errTaken  = problem{http.StatusConflict, "There is an account with this address already."}
	errGone   = problem{http.StatusConflict, "The password was changed meanwhile."}
)

// problems are what other packages' errors mean to a user.
var problems = []struct {
	err error
	problem
}{
	{password.ErrMismatch, problem{http.StatusUnauthorized, "The address or the password is not right."}},
	{password.ErrNUL, problem{http.StatusBadRequest, "A password can't have the character NUL."}},
	{password.ErrTooLong, problem{http.StatusBadRequest, "That password is too long."}},
	{password.ErrClosed, problem{http.StatusServiceUnavailable, "The service is ending."}},
	{context.DeadlineExceeded, problem{http.StatusServiceUnavailable, "That took too long."}},
	{context.Canceled, problem{http.StatusServiceUnavailable, "You have left."}},
}

// explain returns the answer to an error, and when to come back, if there is a time.
func explain(err error) (p problem, after time.Duration) {
	if p, ok := errors.AsType[problem](err); ok {
		return p, 0
	}
	if limited, ok := errors.AsType[accountlimit.LimitedError](err); ok {
		return problem{http.StatusTooManyRequests, "That was tried too often."}, limited.After
	}
	if overloaded, ok := errors.AsType[password.OverloadedError](err); ok {
		return problem{http.StatusServiceUnavailable, "Very many people are signing in."}, overloaded.After
	}
	for _, known := range problems {
		if errors.Is(err, known.err) {
			return known.problem, 0
		}
	}
	return problem{http.StatusInternalServerError, "Something went wrong here. Please try again later."}, 0
}

// fail answers a request that failed: the form again, with what went wrong.
func (s *service) fail(w http.ResponseWriter, r *http.Request, err error) {
	p, after := explain(err)
	if p.status == http.StatusInternalServerError {
		slog.ErrorContext(r.Context(), "login: a request failed", "path", r.URL.Path, "error", err)
	}
	if after > 0 {
		seconds := 1 + int(after.Seconds())
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
		wait := fmt.Sprint(seconds, " seconds")
		if seconds >= 120 {
			wait = fmt.Sprint((seconds+59)/60, " minutes")
		}
		p.text += " Please try again in " + wait + "."
	}
	shown := page{Form: strings.TrimPrefix(r.URL.Path, "/"), Message: p.text, Wrong: true,
		Email: r.PostFormValue("email"), Token: r.PostFormValue("token")}
	switch shown.Form {
	case "register", "forgot", "reset":
	default: // the account's page has the form of a new password
		shown.Form = "login"
		if u, err := s.signedIn(r); err == nil {
			shown.Form, shown.User = "", u
		}
	}
	if err := shown.show(w, p.status); err != nil {
		slog.ErrorContext(r.Context(), "login: a page failed", "error", err)
	}
}

var pageTemplate = template.Must(template.ParseFS(static, "page.html"))

// A page is what page.html shows.
type page struct {
	Form    string // "login", "register", "forgot" or "reset"; "" is the account of User
	Message string // above it: what was done, or what went wrong
	Wrong   bool   // it went wrong
	Email   string // what was given, so that it need not be given again
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
	_, _ = w.Write([]byte(text.String())) // nobody is there to be told
	return nil
}
