// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"fount/examples/login/internal/store"
	"fount/examples/login/internal/web"
	"fount/password"
	"fount/password/legacy"
	"fount/password/passwordhttp"
)

// cheap is a policy for tests.
var cheap = password.Policy{Algorithm: password.Bcrypt, Cost: 4}

const right, better = "correct horse", "battery staple"

// mails is an outbox whose reader waits.
type mails chan web.Mail

func (m mails) Send(_ context.Context, mail web.Mail) error { m <- mail; return nil }

// A service that runs, until the test ends.
type service struct {
	*httptest.Server
	store *store.Store
	mails mails
	t     *testing.T
}

// A hasher is a pool, or one that a test has refuse.
type hasher interface {
	web.Hasher
	Close(context.Context) error
}

// start runs a service on that file, or on one of its own.
func start(t *testing.T, database ...string) *service {
	t.Helper()
	policy := cheap
	policy.Formats = legacy.All()
	pool, err := password.NewPool(password.Options{Policy: policy, MaxWait: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	return startWith(t, pool, database...)
}

func startWith(t *testing.T, pool hasher, database ...string) *service {
	t.Helper()
	db, err := store.Open(t.Context(), append(database, filepath.Join(t.TempDir(), "login.db"))[0])
	if err != nil {
		t.Fatal(err)
	}
	s := &service{store: db, mails: make(mails, 8), t: t}
	local := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	web, err := web.New(web.Config{Store: db, Hasher: pool, Outbox: s.mails, URL: "http://login.example",
		Gate: passwordhttp.Gate{Proxies: local}}) // a test says whom a request comes from
	if err != nil {
		t.Fatal(err)
	}
	s.Server = httptest.NewServer(web.Handler())
	t.Cleanup(func() {
		s.Server.Close()
		if err := web.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := pool.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A visitor is a browser: it keeps a cookie, and follows nothing.
type visitor struct {
	*service
	cookie *http.Cookie
	header http.Header
	body   string // of the last answer
	answer *http.Response
}

func (s *service) visitor() *visitor { return &visitor{service: s, header: http.Header{}} }

func (v *visitor) do(method, path string, form url.Values) int {
	v.t.Helper()
	request, err := http.NewRequestWithContext(v.t.Context(), method, v.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	for name, values := range v.header {
		request.Header[name] = values
	}
	if method == "POST" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if v.cookie != nil {
		request.AddCookie(v.cookie)
	}
	v.answer, err = http.DefaultTransport.RoundTrip(request)
	if err != nil {
		v.t.Fatal(err)
	}
	defer v.answer.Body.Close()
	body, err := io.ReadAll(v.answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	v.body = string(body)
	for _, c := range v.answer.Cookies() {
		if v.cookie = c; c.MaxAge < 0 {
			v.cookie = nil
		}
	}
	return v.answer.StatusCode
}

// want sends a form of pairs and wants a status.
func (v *visitor) want(status int, method, path string, pairs ...string) {
	v.t.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	if got := v.do(method, path, form); got != status {
		v.t.Fatalf("%s %s %v: %d %s; want %d", method, path, form, got, v.body, status)
	}
}

const ada = "ada@example.org"

func (v *visitor) register() {
	v.t.Helper()
	v.want(200, "POST", "/register", "email", ada, "password", right)
}

// wrong is the status of a password that does not match.
const wrong = http.StatusUnauthorized

func TestAccount(t *testing.T) {
	s := start(t)
	v := s.visitor()
	email := "x" + ada
	v.want(401, "GET", "/me")
	v.want(400, "POST", "/register", "email", email, "password", "short")
	v.want(400, "POST", "/register", "email", "nobody", "password", right)
	v.want(400, "POST", "/register", "email", email, "password", email)
	v.want(200, "POST", "/register", "email", " "+strings.ToUpper(email), "password", right)
	v.want(200, "GET", "/me")
	if want := `{"email":"` + email + `"}`; strings.TrimSpace(v.body) != want {
		t.Errorf("/me: %s; want %s", v.body, want)
	}
	s.visitor().want(409, "POST", "/register", "email", email, "password", right)
	former := s.visitor()
	former.cookie = v.cookie
	v.want(200, "POST", "/logout")
	v.want(401, "GET", "/me")
	former.want(401, "GET", "/me") // not only the browser forgets it
	v.want(wrong, "POST", "/login", "email", email, "password", better)
	unknown := v.body
	v.want(wrong, "POST", "/login", "email", "x"+email, "password", right)
	if kind := v.answer.Header.Get("Content-Type"); kind != "application/problem+json" || v.body != unknown ||
		!strings.Contains(v.body, `"status":401,"detail":"The address or the password is not right."`) {
		t.Errorf("%s: %s; for a wrong password %s", kind, v.body, unknown)
	}
	v.want(200, "POST", "/login", "email", email, "password", right)
	v.want(200, "GET", "/me")
}

// A change ends every other session, wants the present password, and the former one is of no use after it.
func TestChangePassword(t *testing.T) {
	s := start(t)
	v, other := s.visitor(), s.visitor()
	v.register()
	other.want(200, "POST", "/login", "email", ada, "password", right)
	s.visitor().want(401, "POST", "/password", "password", right, "new", better)
	v.want(wrong, "POST", "/password", "password", better, "new", better)
	v.want(400, "POST", "/password", "password", right, "new", "short")
	before := v.cookie.Value
	v.want(200, "POST", "/password", "password", right, "new", better)
	if v.cookie.Value == before {
		t.Error("the session has its former token")
	}
	v.want(200, "GET", "/me")
	other.want(401, "GET", "/me")
	other.want(wrong, "POST", "/login", "email", ada, "password", right)
	other.want(200, "POST", "/login", "email", ada, "password", better)
}

func tokenIn(t *testing.T, m web.Mail) string {
	t.Helper()
	_, after, found := strings.Cut(m.Text, "http://login.example/reset?token=")
	token, _, _ := strings.Cut(after, "\n")
	if !found || len(token) != 43 || m.To != ada {
		t.Fatalf("a mail without a link: %+v", m)
	}
	return token
}

// A link works once, and not after the next one was sent. The answer does not tell whether there is an account.
func TestReset(t *testing.T) {
	s := start(t)
	v, stranger := s.visitor(), s.visitor()
	v.register()
	stranger.header.Set("Accept", "text/html")
	stranger.want(200, "POST", "/forgot", "email", "bob@example.org")
	none := strings.ReplaceAll(stranger.body, "bob@example.org", ada)
	stranger.want(200, "POST", "/forgot", "email", ada)
	if stranger.body != none {
		t.Errorf("with an account: %s\nwithout: %s", stranger.body, none)
	}
	stranger.want(200, "POST", "/forgot", "email", ada)
	first, second := tokenIn(t, <-s.mails), tokenIn(t, <-s.mails)
	if first == second {
		t.Error("two links are the same")
	}

	reader := s.visitor()
	reader.want(403, "POST", "/reset", "token", first, "new", better)
	reader.want(403, "POST", "/reset", "token", "", "new", better)
	reader.header.Set("Accept", "text/html")
	reader.want(400, "POST", "/reset", "token", second, "new", "short")
	if !strings.Contains(reader.body, `value="`+second+`"`) {
		t.Errorf("the form for another try has no token: %s", reader.body)
	}
	reader.header.Del("Accept")
	reader.want(200, "POST", "/reset", "token", second, "new", better)
	reader.want(403, "POST", "/reset", "token", second, "new", right)
	v.want(401, "GET", "/me")
	v.want(wrong, "POST", "/login", "email", ada, "password", right)
	v.want(200, "POST", "/login", "email", ada, "password", better)
}

// The fourth mail is not sent at once, to whomever, and the answer says that it is in a quarter of an hour.
func TestMailLimit(t *testing.T) {
	s := start(t)
	for _, email := range []string{ada, "nobody@example.org"} {
		v := s.visitor()
		for range 3 {
			v.want(202, "POST", "/forgot", "email", email)
		}
		v.want(429, "POST", "/forgot", "email", email)
		after, err := strconv.Atoi(v.answer.Header.Get("Retry-After"))
		if err != nil || after > 15*60 || after < 10*60 { // this test's own time is less than the difference
			t.Errorf("Retry-After: %d s, %v; want 15 minutes", after, err)
		}
	}
}

// Forms of other sites are not followed, as a browser says where they come from.
func TestCrossOrigin(t *testing.T) {
	s := start(t)
	v := s.visitor()
	v.register()
	for _, path := range []string{"/login", "/logout", "/register", "/password", "/forgot", "/reset"} {
		for name, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
			v.header = http.Header{name: {value}}
			v.want(403, "POST", path, "email", ada, "password", right, "new", better)
		}
	}
	v.header = http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {v.URL}}
	v.want(200, "GET", "/me")
	v.want(200, "POST", "/password", "password", right, "new", better)
}

func TestHeaders(t *testing.T) {
	s := start(t)
	v := s.visitor()
	v.register()
	c := v.cookie
	if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
		t.Errorf("the cookie is %v", c)
	}
	v.want(200, "GET", "/")
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
		"X-Content-Type-Options":  "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store",
	} {
		if got := v.answer.Header.Get(name); got != want {
			t.Errorf("%s: %q; want %q", name, got, want)
		}
	}
}

// A sign-in does not go on with a session that was there before, and what was given comes back as text.
func TestSession(t *testing.T) {
	s := start(t)
	v := s.visitor()
	v.register()
	planted := *v.cookie
	v.want(200, "POST", "/login", "email", ada, "password", right)
	if v.cookie.Value == planted.Value {
		t.Error("the session has the token from before")
	}
	old := s.visitor()
	old.cookie = &planted
	old.want(401, "GET", "/me")

	planted = *v.cookie
	v.want(200, "POST", "/register", "email", "bob@example.org", "password", right)
	old.cookie = &planted
	old.want(401, "GET", "/me") // nor does a registration

	v.header.Set("Accept", "text/html")
	v.want(400, "POST", "/register", "email", `"><script>`, "password", right)
	if strings.Contains(v.body, "<script>") || strings.Contains(v.body, right) {
		t.Errorf("the page has %s", v.body)
	}
}

// What is in the database is of no use as a token or password, and no other user may read the file.
func TestDatabaseHoldsNoSecret(t *testing.T) {
	file := filepath.Join(t.TempDir(), "login.db")
	s := start(t, file)
	v := s.visitor()
	v.register()
	v.want(202, "POST", "/forgot", "email", ada)
	reset := tokenIn(t, <-s.mails)
	seen := false
	for _, name := range []string{file, file + "-wal"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{v.cookie.Value, reset, right} {
			if bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s holds %s", filepath.Base(name), secret)
			}
		}
		seen = seen || bytes.Contains(data, []byte(ada)) // else this test looks at nothing
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want 0600", filepath.Base(name), info.Mode(), err)
		}
	}
	if !seen {
		t.Error("the user is not in the files")
	}
}

// An account, whether it exists or not, takes 10 wrong passwords from a client and 100 from all. Then the right one waits too,
// but from where its owner was signed in before.
func TestGuessing(t *testing.T) {
	s := start(t)
	owner := s.visitor()
	owner.header.Set("X-Forwarded-For", "192.0.2.1")
	owner.register()
	owner.want(200, "POST", "/login", "email", ada, "password", right)
	for _, email := range []string{ada, "nobody@example.org"} {
		v := s.visitor()
		for client := range 10 {
			v.header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", client))
			for range 5 { // both spellings are one account
				v.want(wrong, "POST", "/login", "email", email, "password", better)
				v.want(wrong, "POST", "/login", "email", strings.ToUpper(email)+" ", "password", better)
			}
			v.want(429, "POST", "/login", "email", email, "password", right)
		}
		v.header.Set("X-Forwarded-For", "203.0.113.10")
		v.want(429, "POST", "/login", "email", email, "password", right)
	}
	owner.want(200, "POST", "/login", "email", ada, "password", right)

	// At an address that is new to him a link by mail lets the owner in.
	owner.header.Set("X-Forwarded-For", "198.51.100.1")
	owner.want(429, "POST", "/login", "email", ada, "password", right)
	owner.want(202, "POST", "/forgot", "email", ada)
	owner.want(200, "POST", "/reset", "token", tokenIn(t, <-s.mails), "new", better)
	owner.want(200, "POST", "/login", "email", ada, "password", better)
}

// Sessions and links end by time, which passes in the database.
func TestLifetimes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "login.db")
	s := start(t, file)
	v := s.visitor()
	v.register()
	v.want(202, "POST", "/forgot", "email", ada)
	token := tokenIn(t, <-s.mails)
	db, err := sql.Open("sqlite3", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	later := func(table string, by time.Duration) {
		t.Helper()
		if _, err := db.Exec("UPDATE "+table+" SET expires = expires - $1", int64(by.Seconds())); err != nil {
			t.Fatal(err)
		}
	}
	const margin = 5 * time.Minute // of this test's own time
	later("sessions", store.SessionLife-margin)
	v.want(200, "GET", "/me")
	later("sessions", margin)
	v.want(401, "GET", "/me")
	s.visitor().want(200, "POST", "/login", "email", ada, "password", right)
	var sessions int
	if err := db.QueryRow("SELECT count(*) FROM sessions").Scan(&sessions); err != nil || sessions != 1 {
		t.Errorf("%d sessions are stored, %v; want 1: a sign-in removes those that are out of date", sessions, err)
	}
	later("resets", store.ResetLife-margin)
	v.want(400, "POST", "/reset", "token", token, "new", "short")
	later("resets", margin)
	v.want(403, "POST", "/reset", "token", token, "new", better)
}
