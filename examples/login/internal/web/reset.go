// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package web

// A new password for those who have forgotten theirs, by a link in a mail.

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"fount/examples/login/internal/store"
	"fount/password"
	"fount/password/accountlimit"
)

// mails is how many mails may be asked for one address.
var mails = accountlimit.Rate{Failures: 3, Every: 15 * time.Minute}

const sent = "If there is an account with this address, a mail is on its way. Its link works for 30 minutes."

// forgot answers the same, and as fast, whether there is an account or not: what depends on that happens afterwards.
func (s *Service) forgot(w http.ResponseWriter, r *http.Request) error {
	if err := parse(r); err != nil {
		return err
	}
	email, err := store.ParseEmail(r.PostFormValue("email"))
	if err != nil {
		return err
	}
	from := s.from(r)
	attempt, err := s.asked.Begin(email, from.Principal)
	if err != nil {
		limited, _ := errors.AsType[accountlimit.LimitedError](err)
		return problem{http.StatusTooManyRequests, "Some mails were sent already. " + again(w, limited.After)}
	}
	if !s.resets.put(email) {
		err := password.OverloadedError{After: 5 * time.Second}
		attempt.End(err)
		return err
	} // else the attempt stays a failure: each mail counts
	if !person(r) {
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
	return page{Form: "login", Message: sent, Email: email}.show(w, http.StatusOK)
}

// mail sends what is asked for, until Close has begun and nothing is left, or ctx is done.
func (s *Service) mail(ctx context.Context) {
	defer close(s.ended)
	for email := range s.resets.waiting {
		if ctx.Err() != nil {
			return
		}
		s.mailOne(ctx, email)
	}
}

func (s *Service) mailOne(ctx context.Context, email string) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := s.mailReset(ctx, email); err != nil {
		slog.Error("login: no mail was sent", "error", err)
	}
}

func (s *Service) mailReset(ctx context.Context, email string) error {
	u, err := s.Store.ByEmail(ctx, email)
	if err != nil || u.ID == "" {
		return err
	}
	token, err := s.Store.NewReset(ctx, u)
	if err != nil {
		return err
	}
	return s.Outbox.Send(ctx, Mail{To: u.Email, Subject: "A new password",
		Text: "Choose a new password within 30 minutes:\n\n" + s.URL + "/reset?token=" + url.QueryEscape(token) +
			"\n\nIf you did not ask for this, there is nothing to do: your password stays."})
}

func (s *Service) resetForm(w http.ResponseWriter, r *http.Request) error {
	return page{Form: "reset", Token: r.URL.Query().Get("token")}.show(w, http.StatusOK)
}

func (s *Service) reset(w http.ResponseWriter, r *http.Request) error {
	from, err := s.begin(r)
	if err != nil {
		return err
	}
	token := r.PostFormValue("token")
	u, err := s.Store.ByReset(r.Context(), token)
	if err != nil {
		return err
	}
	if u.ID == "" { // before anything is hashed
		return problem{http.StatusForbidden, "This link was used, or it is too old. Ask for another."}
	}
	given, err := chosen(r.PostFormValue("new"), u.Email)
	if err != nil {
		return err
	}
	hash, err := s.Hasher.Hash(r.Context(), from, given)
	if err != nil {
		return err
	}
	if err := s.Store.Reset(r.Context(), u, token, hash); err != nil {
		return err
	}
	s.logins.Trust(u.Email, from.Principal) // who reads the mail is not kept out by those who guess
	setSession(w, "")
	if !person(r) {
		return writeJSON(w, u)
	}
	return page{Form: "login", Message: "You have a new password. Sign in with it.", Email: u.Email}.show(w, http.StatusOK)
}
