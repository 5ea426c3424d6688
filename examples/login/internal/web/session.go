// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package web

import (
	"net/http"

	"fount/examples/login/internal/store"
)

// sessionCookie has a prefix for which a browser keeps other hosts of the domain from setting it.
const sessionCookie = "__Host-session"

// setSession gives the browser a token, or takes it away. Scripts can't read it, and other sites' forms don't bring it along.
// Over plain HTTP, browsers send it to localhost alone.
func setSession(w http.ResponseWriter, token string) {
	cookie := &http.Cookie{
		Name: sessionCookie, Value: token, Path: "/", MaxAge: int(store.SessionLife.Seconds()),
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

// user returns who is signed in, or the zero User.
func (s *Service) user(r *http.Request) (store.User, error) {
	token := sessionOf(r)
	if token == "" {
		return store.User{}, nil
	}
	return s.Store.BySession(r.Context(), token)
}
