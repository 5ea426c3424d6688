// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The users of a store that moves.

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A mover is a user whose hash another maker has made.
type mover struct {
	email, from string // where requests come from
	original    string // the hash

	signedIn atomic.Bool
	changes  atomic.Int64 // of the password: begun and ended, so odd while one is under way

	mu       sync.Mutex // held by a change
	password []byte     // the right one
	former   [][]byte   // that were right
}

// right returns the password, and how many changes there were; it waits for one that is under way.
func (u *mover) right() (given []byte, changes int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.password, u.changes.Load()
}

// others are passwords that differ from the right one and might be taken for it. None differs after its 72nd byte alone: bcrypt does not see that.
func (u *mover) others() [][]byte {
	p := u.password
	others := [][]byte{append([]byte("x"), p...)}
	if before, _, has := bytes.Cut(p, []byte{0}); has {
		others = append(others, before)
	}
	if len(p) < 72 {
		others = append(others, p[:len(p)-1])
	}
	return others
}

// movers are the clients of all users.
type movers struct {
	users  []*mover
	url    atomic.Pointer[string] // of the service
	client *http.Client
	wait   func(time.Duration) // until a client tries again; nil: at once

	refused, unanswered atomic.Int64

	mu    sync.Mutex
	found []string // what is wrong
}

func newMovers(users []*mover) *movers {
	return &movers{users: users, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 512}}}
}

func (m *movers) wrong(u *mover, format string, a ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.found = append(m.found, u.email+": "+fmt.Sprintf(format, a...))
}

func (m *movers) wrongs() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.found[:len(m.found):len(m.found)]
}

// An answer is the service's. Its status is 0 if there was none, as when the service was killed.
type answer struct {
	status  int
	session string
	tries   int
	after   time.Duration // until a client that was refused may come again
}

func (m *movers) post(u *mover, path, session string, form url.Values) (a answer) {
	request, err := http.NewRequest("POST", *m.url.Load()+path, strings.NewReader(form.Encode()))
	if err != nil {
		return a
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("X-Forwarded-For", u.from)
	if session != "" {
		request.AddCookie(&http.Cookie{Name: "__Host-session", Value: session})
	}
	response, err := m.client.Do(request)
	if err != nil {
		return a
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return a
	}
	for _, c := range response.Cookies() {
		a.session = c.Value
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	a.status, a.after = response.StatusCode, time.Duration(seconds)*time.Second
	return a
}

// again counts an answer that is none or a refusal, waits, and reports whether to come again.
func (m *movers) again(a answer) bool {
	switch a.status {
	case 0:
		m.unanswered.Add(1)
	case http.StatusServiceUnavailable:
		m.refused.Add(1)
	default:
		return false
	}
	if m.wait != nil {
		m.wait(a.after)
	}
	return true
}

// login gives a password, until there is an answer that is no refusal.
func (m *movers) login(u *mover, given []byte) (a answer) {
	for {
		before := a.tries
		a = m.post(u, "/login", "", url.Values{"email": {u.email}, "password": {string(given)}})
		a.tries = before + 1
		if !m.again(a) {
			return a
		}
	}
}

// signIn signs a user in, and returns how often that was tried. Who is refused for a password that is right is locked out.
func (m *movers) signIn(u *mover) (tries int) {
	for {
		given, before := u.right()
		a := m.login(u, given)
		tries += a.tries
		switch {
		case a.status == http.StatusOK:
			u.signedIn.Store(true)
			return tries
		case u.changes.Load() != before: // overtaken
			continue
		}
		m.wrong(u, "the right password, with %.24s at first: %d", u.original, a.status)
		return tries
	}
}

// fail gives a password that must not be right.
func (m *movers) fail(u *mover, given []byte) {
	if a := m.login(u, given); a.status != http.StatusUnauthorized {
		m.wrong(u, "%q, which is wrong: %d", given, a.status)
	}
}

// change signs a user in and changes the password.
func (m *movers) change(u *mover) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.changes.Add(1)
	defer u.changes.Add(1)
	next := fmt.Appendf(nil, "neues Paßwort %d von %s", len(u.former), u.email)
	for {
		in := m.login(u, u.password)
		if in.status != http.StatusOK {
			m.wrong(u, "the right password, before a change: %d", in.status)
			return
		}
		a := m.post(u, "/password", in.session, url.Values{"password": {string(u.password)}, "new": {string(next)}})
		switch {
		case a.status == 0 && m.isNow(u, next):
		case m.again(a):
			continue
		case a.status != http.StatusOK:
			m.wrong(u, "a change of the password: %d", a.status)
			return
		}
		u.signedIn.Store(true)
		u.former, u.password = append(u.former, u.password), next
		return
	}
}

// isNow reports whether a change that had no answer was made.
func (m *movers) isNow(u *mover, next []byte) bool {
	return m.login(u, next).status == http.StatusOK
}
