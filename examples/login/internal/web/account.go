// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package web

// What a user does with an account.

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"fount/examples/login/internal/store"
	"fount/password"
)

// from says where a request comes from.
func (s *Service) from(r *http.Request) password.Login {
	return password.Login{Principal: s.Gate.Principal(r)}
}

// begin reads a form and asks the pool whether it has room before the store is asked anything: a refusal needs no query.
func (s *Service) begin(r *http.Request) (password.Login, error) {
	from := s.from(r)
	if err := parse(r); err != nil {
		return from, err
	}
	return from, s.Hasher.Ready(r.Context(), from)
}

// parse reads a form. What is wrong with one is its sender's to know, and not for the log: the error holds bytes of it.
func parse(r *http.Request) error {
	err := r.ParseForm()
	if _, ok := errors.AsType[*http.MaxBytesError](err); err == nil || ok {
		return err
	}
	return problem{http.StatusBadRequest, "That form can't be read."}
}

func (s *Service) home(w http.ResponseWriter, r *http.Request) error {
	u, err := s.user(r)
	if err != nil {
		return err
	}
	if u.ID == "" {
		return page{Form: "login"}.show(w, http.StatusOK)
	}
	return page{User: u}.show(w, http.StatusOK)
}

// me says who is signed in.
func (s *Service) me(w http.ResponseWriter, r *http.Request) error {
	u, err := s.user(r)
	if err != nil {
		return err
	}
	if u.ID == "" {
		return problem{http.StatusUnauthorized, "Nobody is signed in."}
	}
	return writeJSON(w, u)
}

func (s *Service) register(w http.ResponseWriter, r *http.Request) error {
	from, err := s.begin(r)
	if err != nil {
		return err
	}
	email, err := store.ParseEmail(r.PostFormValue("email"))
	if err != nil {
		return err
	}
	given, err := chosen(r.PostFormValue("password"), email)
	if err != nil {
		return err
	}
	hash, err := s.Hasher.Hash(r.Context(), from, given)
	if err != nil {
		return err
	}
	token, err := s.Store.Register(r.Context(), email, hash, sessionOf(r))
	if err != nil {
		return err
	}
	setSession(w, token)
	return done(w, r, store.User{Email: email})
}

func (s *Service) login(w http.ResponseWriter, r *http.Request) error {
	from, err := s.begin(r)
	if err != nil {
		return err
	}
	email, given := store.Email(r.PostFormValue("email")), []byte(r.PostFormValue("password"))
	u, err := s.Store.ByEmail(r.Context(), email)
	if err != nil {
		return err
	}
	save := func(ctx context.Context, old, new string) (bool, error) { return s.Store.Upgrade(ctx, u.ID, old, new) }
	if _, err := password.SignIn(r.Context(), s.logins.For(s.Hasher, email), from, given, u.Hash, save); err != nil {
		return err
	}
	token, err := s.Store.NewSession(r.Context(), u, sessionOf(r))
	if err != nil {
		return err
	}
	setSession(w, token)
	return done(w, r, u)
}

func (s *Service) logout(w http.ResponseWriter, r *http.Request) error {
	if err := s.Store.EndSession(r.Context(), sessionOf(r)); err != nil {
		return err
	}
	setSession(w, "")
	return done(w, r, store.User{})
}

// changePassword wants the present password too: a machine that was left signed in is not enough.
func (s *Service) changePassword(w http.ResponseWriter, r *http.Request) error {
	from, err := s.begin(r)
	if err != nil {
		return err
	}
	u, err := s.user(r)
	if err != nil {
		return err
	}
	if u.ID == "" {
		return problem{http.StatusUnauthorized, "Sign in first."}
	}
	given, err := chosen(r.PostFormValue("new"), u.Email)
	if err != nil {
		return err
	}
	if _, err := s.logins.For(s.Hasher, u.Email).Verify(r.Context(), from, []byte(r.PostFormValue("password")), u.Hash); err != nil {
		return err
	}
	hash, err := s.Hasher.Hash(r.Context(), from, given)
	if err != nil {
		return err
	}
	token, err := s.Store.ChangePassword(r.Context(), u, hash)
	if err != nil {
		return err
	}
	setSession(w, token)
	if person(r) {
		return page{User: u, Message: "Your password was changed."}.show(w, http.StatusOK)
	}
	return writeJSON(w, u)
}

// chosen checks a new password as NIST SP 800-63B wants it, but for its list of passwords known from leaks: at least 8
// characters, whatever they are, and not the user's own name.
func chosen(given, email string) ([]byte, error) {
	name, _, _ := strings.Cut(email, "@")
	switch {
	case utf8.RuneCountInString(given) < 8:
		return nil, problem{http.StatusBadRequest, "A password has 8 characters or more."}
	case strings.EqualFold(given, email), strings.EqualFold(given, name):
		return nil, problem{http.StatusBadRequest, "Your address is no password: others know it."}
	}
	return []byte(given), nil
}
