// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The sessions of README.md, as they stand there, and what they promise.

package password_test

import (
	"crypto/sha256"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount"
)

// sessions holds the SHA-256 of each token: who reads it can't sign in. In SQL: sessions(sum PRIMARY KEY, user, ends).
type sessions struct {
	mu   sync.Mutex
	open map[[32]byte]session
}

type session struct {
	user string
	ends time.Time
}

// begin follows a sign-in. The token is always new, so one that was planted in the browser before is worth nothing.
func (s *sessions) begin(w http.ResponseWriter, r *http.Request, user string) {
	now, former, token := time.Now(), sum(r), fount.Token(32)
	s.end(func(sum [32]byte, old session) bool { return sum == former || !now.Before(old.ends) })
	s.mu.Lock()
	s.open[sha256.Sum256([]byte(token))] = session{user, now.Add(12 * time.Hour)}
	s.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: "__Host-session", Value: token, Path: "/", MaxAge: 12 * 60 * 60,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

// user returns who has signed in, or "". The time of a search for a sum says nothing of tokens.
func (s *sessions) user(r *http.Request) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one, ok := s.open[sum(r)]; ok && time.Now().Before(one.ends) {
		return one.user
	}
	return ""
}

// end ends the sessions that it is told: one at a sign-out, all of a user after a change of the password.
func (s *sessions) end(which func(sum [32]byte, one session) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.open, which)
}

func sum(r *http.Request) [32]byte {
	cookie, err := r.Cookie("__Host-session")
	if err != nil {
		return [32]byte{} // no token has this sum
	}
	return sha256.Sum256([]byte(cookie.Value))
}

// browser returns a request with the cookies that an answer set, as a browser would send them.
func browser(answers ...*httptest.ResponseRecorder) *http.Request {
	r := httptest.NewRequest("GET", "https://example.com/me", nil)
	for _, w := range answers {
		for _, cookie := range w.Result().Cookies() {
			r.AddCookie(&http.Cookie{Name: cookie.Name, Value: cookie.Value})
		}
	}
	return r
}

func TestSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sessions{open: map[[32]byte]session{}}
		signIn := func(r *http.Request, user string) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			s.begin(w, r, user)
			return w
		}
		nobody, first := browser(), signIn(browser(), "ada")
		if got := s.user(browser(first)); got != "ada" {
			t.Errorf("after a sign-in the user is %q; want ada", got)
		}
		if got := s.user(nobody); got != "" {
			t.Errorf("without a cookie the user is %q", got)
		}

		// The cookie: of this host alone, never over plain HTTP, not for scripts, not with another site's forms.
		cookie := first.Result().Cookies()[0]
		if !cookie.Secure || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.Domain != "" ||
			!strings.HasPrefix(cookie.Name, "__Host-") || cookie.MaxAge != 12*60*60 || len(cookie.Value) != 43 {
			t.Errorf("the cookie is %v", cookie)
		}
		if _, ok := s.open[sha256.Sum256([]byte(cookie.Value))]; !ok || len(s.open) != 1 {
			t.Error("the store has something else than the token's sum")
		}

		// Rotation: a new sign-in ends the former session, and a planted token is nobody's.
		second := signIn(browser(first), "ada")
		if s.user(browser(first)) != "" || s.user(browser(second)) != "ada" {
			t.Error("the former token is worth something, or the new one nothing")
		}
		planted := httptest.NewRequest("GET", "/", nil)
		planted.AddCookie(&http.Cookie{Name: "__Host-session", Value: "planted"})
		if w := signIn(planted, "bob"); s.user(planted) != "" || s.user(browser(w)) != "bob" {
			t.Error("a planted token became a session")
		}

		// Ends: a sign-out ends one, a change of the password all of the user's and no other's, and time the rest.
		third := signIn(nobody, "ada")
		out := sum(browser(third))
		s.end(func(sum [32]byte, _ session) bool { return sum == out })
		if s.user(browser(third)) != "" || s.user(browser(second)) != "ada" {
			t.Error("a sign-out did not end its session, or ended another")
		}
		other := signIn(nobody, "eve")
		s.end(func(_ [32]byte, one session) bool { return one.user == "ada" })
		if s.user(browser(second)) != "" || s.user(browser(other)) != "eve" {
			t.Error("a change of the password did not end the user's sessions, or ended another's")
		}
		time.Sleep(12*time.Hour - time.Nanosecond)
		if s.user(browser(other)) != "eve" {
			t.Error("a session ended early")
		}
		time.Sleep(time.Nanosecond)
		if s.user(browser(other)) != "" {
			t.Error("a session lasts longer than 12 hours")
		}
		if signIn(nobody, "ada"); len(s.open) != 1 {
			t.Errorf("%d sessions are held; want 1, as the others have ended", len(s.open))
		}
	})
}
