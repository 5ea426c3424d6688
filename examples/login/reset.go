// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// A new password for who has forgotten it, by a link in a mail.

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"fount/password"
	"fount/password/accountlimit"
)

// mailLimits are the only limits on mails, because a mail takes no hash. Client limits a client,
// whatever addresses it names; Account limits an address, whichever clients name it. So no client
// can use up another's mails.
var mailLimits = accountlimit.Options{
	Account: accountlimit.Rate{Failures: 50, Every: 15 * time.Minute},
	Client:  accountlimit.Rate{Failures: 5, Every: 5 * time.Minute},
}

// forgot answers alike, and as fast, whether there is an account or not: the store is asked later.
func (s *service) forgot(w http.ResponseWriter, r *http.Request, from password.Login) error {
	email, err := parseEmail(r.PostFormValue("email"))
	if err != nil {
		return err
	}
	for _, account := range []string{"client " + from.Principal, email} {
		if _, err := s.mails.Begin(account, from.Principal); err != nil {
			return err
		}
	}
	if !s.mailer.later(func(ctx context.Context) error { return s.mailLink(ctx, email) }) {
		return password.OverloadedError{After: 5 * time.Second}
	}
	return page{Email: email, Message: "If there is an account with this address, " +
		"a mail is on its way. Its link works for 30 minutes."}.show(w, http.StatusOK)
}

func (s *service) mailLink(ctx context.Context, email string) error {
	u, err := s.store.byEmail(ctx, email)
	if err != nil || u.id == "" {
		return err
	}
	token, err := s.store.newToken(ctx, link, u, "")
	if err != nil {
		return err
	}
	return s.mailer.send(ctx, message{u.Email, "A new password",
		"Choose a new password within 30 minutes:\n\n" + s.url + "/reset?token=" + url.QueryEscape(token) +
			"\n\nIf you did not ask for this, there is nothing to do: your password stays."})
}

func (s *service) reset(w http.ResponseWriter, r *http.Request, from password.Login) error {
	token := r.PostFormValue("token")
	u, err := s.store.byToken(r.Context(), link, token)
	if err != nil {
		return err
	}
	if u.id == "" {
		return problem{http.StatusForbidden, "This link was used, or it is too old. Ask for another."}
	}
	hash, err := s.newHash(r, from, "new")
	if err != nil {
		return err
	}
	if _, err := s.store.setPassword(r.Context(), u, hash, token); err != nil {
		return err
	}
	s.changed(u)
	s.wrong.Trust(u.Email, from.Principal) // who reads the mail gets in while others guess
	setSession(w, "")
	return page{Email: u.Email,
		Message: "You have a new password. Sign in with it."}.show(w, http.StatusOK)
}

// changed tells a user of a new password, which may be somebody else's.
func (s *service) changed(u user) {
	m := message{u.Email, "Your password was changed", "The password of your account at " + s.url +
		" was changed.\n\nIf that was not you, choose another: " + s.url + "/forgot"}
	if !s.mailer.later(func(ctx context.Context) error { return s.mailer.send(ctx, m) }) {
		slog.Error("no mail was sent of a change: too many are under way")
	}
}
