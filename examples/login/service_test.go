// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/password"
	"fount/password/legacy"
	"fount/password/passwordhttp"
	"fount/password/passwordtest"
)

var cheap = password.Policy{Algorithm: password.Bcrypt, Cost: 4}

const (
	ada           = "ada@example.org"
	right, better = "correct horse", "battery staple"

	done, wrong = http.StatusSeeOther, http.StatusUnauthorized // statuses
)

// A running service lasts as long as the test. The tests say, as a proxy, whom requests come from.
type running struct {
	*httptest.Server
	*service
	pool  *passwordtest.Pool
	inbox chan message
	t     *testing.T
}

// start runs a service on a file, or on one of its own.
func start(t *testing.T, database ...string) *running {
	t.Helper()
	policy := cheap
	policy.Formats = legacy.All()
	pool := passwordtest.NewPool(t, password.Options{Policy: policy})
	db, err := openStore(t.Context(), append(database, filepath.Join(t.TempDir(), "login.db"))[0])
	if err != nil {
		t.Fatal(err)
	}
	inbox := make(chan message, 64)
	out := func(_ context.Context, m message) error { inbox <- m; return nil }
	gate := passwordhttp.Gate{Pool: pool, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	s := newService(db, out, gate, "http://login.example")
	r := &running{httptest.NewServer(s.handler()), s, pool, inbox, t}
	t.Cleanup(func() {
		r.Server.Close()
		s.mailer.close()
		db.Close()
	})
	return r
}

// A visitor keeps its cookie, as a browser does, and follows no redirects.
type visitor struct {
	*testing.T
	url    string
	cookie *http.Cookie
	header http.Header
	body   string // of the last answer
	answer *http.Response
}

// visitor returns one from 203.0.113.n.
func (r *running) visitor(n ...int) *visitor {
	v := &visitor{T: r.t, url: r.URL, header: http.Header{}}
	v.moves(append(n, 200)[0])
	return v
}

func (v *visitor) moves(n int) { v.header.Set("X-Forwarded-For", fmt.Sprint("203.0.113.", n)) }

func (v *visitor) do(method, path string, form url.Values) int {
	v.Helper()
	return v.send(method, path, "application/x-www-form-urlencoded", form.Encode())
}

func (v *visitor) send(method, path, kind, body string) int {
	v.Helper()
	request, err := http.NewRequestWithContext(v.Context(), method, v.url+path, strings.NewReader(body))
	if err != nil {
		v.Fatal(err)
	}
	request.Header.Set("Content-Type", kind)
	for name, values := range v.header {
		request.Header[name] = values
	}
	if v.cookie != nil {
		request.AddCookie(v.cookie)
	}
	v.answer, err = http.DefaultTransport.RoundTrip(request)
	if err != nil {
		v.Fatal(err)
	}
	all, _ := io.ReadAll(v.answer.Body)
	v.answer.Body.Close()
	v.body = string(all)
	for _, c := range v.answer.Cookies() {
		if v.cookie = c; c.MaxAge < 0 {
			v.cookie = nil
		}
	}
	return v.answer.StatusCode
}

// post sends a form of pairs and checks the status.
func (v *visitor) post(status int, path string, pairs ...string) {
	v.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	if got := v.do("POST", path, form); got != status {
		v.Fatalf("POST %s %v: %d %s; want %d", path, form, got, v.body, status)
	}
}

// is checks who is signed in, where "" is nobody.
func (v *visitor) is(email string) {
	v.Helper()
	v.do("GET", "/", nil)
	_, after, found := strings.Cut(v.body, "signed in as <strong>")
	if found != (email != "") || !strings.HasPrefix(after, email) {
		v.Fatalf("%d %s; want that %q is signed in", v.answer.StatusCode, v.body, email)
	}
}

func (v *visitor) register() {
	v.Helper()
	v.post(done, "/register", "email", ada, "password", right)
}

func TestAccount(t *testing.T) {
	s := start(t)
	v, former := s.visitor(), s.visitor()
	v.is("")
	v.post(400, "/register", "email", ada, "password", "only eleven")
	v.post(400, "/register", "email", ada, "password", strings.Repeat("x", 129))
	v.post(done, "/register", "email", " "+strings.ToUpper(ada), "password", right)
	v.is(ada)
	s.visitor().post(409, "/register", "email", ada, "password", right)
	former.cookie = v.cookie
	v.post(done, "/logout")
	v.is("")
	former.is("") // not only the browser has forgotten it
	v.post(wrong, "/login", "email", ada, "password", better)
	unknown := v.body
	v.post(wrong, "/login", "email", "x"+ada, "password", right)
	if strings.ReplaceAll(v.body, "x"+ada, ada) != unknown {
		t.Errorf("%s; for a wrong password %s", v.body, unknown)
	}
	v.post(done, "/login", "email", ada, "password", right)
	former.cookie = v.cookie
	v.post(done, "/login", "email", ada, "password", right)
	v.is(ada)
	former.is("") // a sign-in ends the session before it
	v.post(400, "/register", "email", `"><script>`, "password", right)
	if strings.Contains(v.body, "<script>") || strings.Contains(v.body, right) {
		t.Errorf("the page has %s", v.body)
	}
}

// All Unicode spellings of a name or a password are the same one.
func TestSpellings(t *testing.T) {
	v := start(t).visitor()
	const composed, apart = "\u00e9", "e\u0301"
	v.post(done, "/register", "email", composed+ada, "password", right+composed)
	v.post(done, "/login", "email", apart+ada, "password", right+apart)
	v.is(composed + ada)
	v.post(200, "/password", "password", right+apart, "new", better+apart)
	v.post(done, "/login", "email", composed+ada, "password", better+composed)
}

// A change of the password needs the present one, ends all other sessions, and is told by mail.
func TestChangePassword(t *testing.T) {
	s := start(t)
	v, other := s.visitor(), s.visitor()
	v.register()
	other.post(done, "/login", "email", ada, "password", right)
	s.visitor().post(401, "/password", "password", right, "new", better)
	v.post(wrong, "/password", "password", better, "new", better)
	v.post(400, "/password", "password", right, "new", "short")
	before := v.cookie.Value
	v.post(200, "/password", "password", right, "new", better)
	if m := <-s.inbox; m.to != ada || m.subject != "Your password was changed" || v.cookie.Value == before {
		t.Errorf("the mail is %+v, and the session's token was %s, now %s", m, before, v.cookie.Value)
	}
	v.is(ada)
	other.is("")
	other.post(wrong, "/login", "email", ada, "password", right)
}

// link asks for a link and returns its token.
func (r *running) link(v *visitor) string {
	r.t.Helper()
	v.post(200, "/forgot", "email", ada)
	m := <-r.inbox
	_, after, found := strings.Cut(m.text, "http://login.example/reset?token=")
	if !found || m.to != ada {
		r.t.Fatalf("a mail without a link: %+v", m)
	}
	return strings.Fields(after)[0]
}

// A link works once, and not after the next was sent. The answer does not tell of an account.
func TestReset(t *testing.T) {
	s := start(t)
	v, reader := s.visitor(), s.visitor()
	v.register()
	reader.post(200, "/forgot", "email", "bob@example.org")
	none := strings.ReplaceAll(reader.body, "bob@example.org", ada)
	first := s.link(reader)
	if reader.body != none {
		t.Errorf("with an account: %s\nwithout: %s", reader.body, none)
	}
	second := s.link(reader)
	for _, token := range []string{first, "", v.cookie.Value} { // a session is no link
		reader.post(403, "/reset", "token", token, "new", better)
	}
	reader.post(400, "/reset", "token", second, "new", "short")
	reader.post(200, "/reset", "token", second, "new", better)
	if m := <-s.inbox; m.subject != "Your password was changed" {
		t.Errorf("the mail is %+v", m)
	}
	reader.post(403, "/reset", "token", second, "new", right)
	v.is("")
	v.post(wrong, "/login", "email", ada, "password", right)
	v.post(done, "/login", "email", ada, "password", better)
}

// A client that floods gets few mails and takes none from others.
func TestMailLimit(t *testing.T) {
	s := start(t)
	v, flood, mailed := s.visitor(), s.visitor(201), 0
	v.register()
	for i := range 500 {
		if flood.do("POST", "/forgot", url.Values{"email": {fmt.Sprintf("user%d@example.org", i%50)}}) == 200 {
			mailed++
		}
	}
	if mailed > 10 || flood.answer.Header.Get("Retry-After") == "" {
		t.Errorf("%d mails, and then %v", mailed, flood.answer.Header)
	}
	flood.post(429, "/forgot", "email", ada)
	s.link(v)
	for client := range 100 { // a botnet asks for one address
		v.moves(client)
		if v.do("POST", "/forgot", url.Values{"email": {ada}}) == 429 {
			return
		}
		<-s.inbox
	}
	t.Error("an address gets 100 mails at once")
}

// Forms from other sites do nothing.
func TestCrossOrigin(t *testing.T) {
	s := start(t)
	v := s.visitor()
	v.register()
	for _, path := range []string{"/login", "/logout", "/register", "/password", "/forgot", "/reset"} {
		for name, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
			v.header = http.Header{name: {value}}
			v.post(403, path, "email", ada, "password", right, "new", better)
		}
	}
	v.header = http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {v.url}}
	v.post(200, "/password", "password", right, "new", better)
}

// Every answer has the headers, and the cookie the attributes, that OWASP ASVS wants.
func TestHeaders(t *testing.T) {
	s := start(t)
	v := s.visitor()
	v.register()
	if c := v.cookie; !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode {
		t.Errorf("the cookie is %v", c)
	}
	for url, hsts := range map[string]string{"http://login.example": "", "HTTPS://login.example": "max-age=63072000; includeSubDomains"} {
		s.url = url
		v.is(ada)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
			"X-Content-Type-Options":  "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store", "Strict-Transport-Security": hsts,
		} {
			if got := v.answer.Header.Get(name); got != want {
				t.Errorf("%s: %q; want %q", name, got, want)
			}
		}
	}
}

// The database holds no token and no password, and other users can't read it.
func TestDatabaseHoldsNoSecret(t *testing.T) {
	file := filepath.Join(t.TempDir(), "login.db")
	s := start(t, file)
	v := s.visitor()
	v.register()
	for _, secret := range []string{v.cookie.Value, s.link(v), right} {
		data, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(data, []byte(ada)) || bytes.Contains(data, []byte(secret)) {
			t.Errorf("%d bytes with %s, %v", len(data), secret, err)
		}
	}
	private(t, file)
}

func private(t *testing.T, file string) {
	t.Helper()
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v; want 0600", info.Mode(), err)
	}
}

// An account, whether it exists or not, takes 10 wrong passwords from a client and 100 from all.
// Then even the right one waits, unless it comes from where the owner has signed in before.
func TestGuessing(t *testing.T) {
	s := start(t)
	owner, v := s.visitor(), s.visitor()
	owner.register()
	owner.post(done, "/login", "email", ada, "password", right)
	for _, email := range []string{ada, "nobody@example.org"} {
		for client := range 10 {
			v.moves(client)
			for range 5 { // two spellings of one account
				v.post(wrong, "/login", "email", email, "password", better)
				v.post(wrong, "/login", "email", strings.ToUpper(email)+" ", "password", better)
			}
			v.post(429, "/login", "email", email, "password", right)
		}
		v.moves(10)
		v.post(429, "/login", "email", email, "password", right)
	}
	owner.post(done, "/login", "email", ada, "password", right)
	// From a new place, a link by mail lets the owner in.
	owner.moves(201)
	owner.post(429, "/password", "password", right, "new", better)
	owner.post(429, "/login", "email", ada, "password", right)
	owner.post(200, "/reset", "token", s.link(owner), "new", better)
	owner.post(done, "/login", "email", ada, "password", better)
}

// Sessions and links end with time, and a user's oldest session when there are too many. The test
// moves time in the database.
func TestLifetimes(t *testing.T) {
	s := start(t)
	v := s.visitor()
	v.register()
	token := s.link(v)
	const margin = 5 * time.Minute // for the test itself
	later := func(by time.Duration) {
		if _, err := s.store.Exec("UPDATE tokens SET expires = expires - $1", int64(by.Seconds())); err != nil {
			t.Fatal(err)
		}
	}
	stored := func(want int) {
		t.Helper()
		var n int
		if err := s.store.QueryRow("SELECT count(*) FROM tokens").Scan(&n); err != nil || n != want {
			t.Errorf("%d tokens are stored, %v; want %d", n, err, want)
		}
	}
	later(session.life - margin)
	v.is(ada)
	later(margin)
	v.is("")
	v.post(401, "/password", "password", right, "new", better)
	v.post(403, "/reset", "token", token, "new", better)
	s.visitor().post(done, "/register", "email", "bob@example.org", "password", right)
	stored(1) // bob's: each sign-in removes all that are out of date

	v.post(done, "/login", "email", ada, "password", right)
	for range session.max {
		v.is(ada)
		s.visitor().post(done, "/login", "email", ada, "password", right)
	}
	v.is("")
	stored(1 + session.max)
}

// A form that can't be read is a 4xx, and leaves nothing of the password in the log.
func TestBadForms(t *testing.T) {
	var log bytes.Buffer
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	v := start(t).visitor()
	for _, path := range []string{"/login", "/register", "/password", "/forgot", "/reset"} {
		for body, kind := range map[string]string{
			"password=100%sure":                       "application/x-www-form-urlencoded",
			"password=" + strings.Repeat("x", 17<<10): "application/x-www-form-urlencoded",
			`{"password": "correct horse"}`:           "application/json",
			"--x\r\nContent-Disposition: form-data; name=password\r\n\r\ncorrect horse\r\n--x--\r\n": "multipart/form-data; boundary=x",
		} {
			got := v.send("POST", path, kind, body)
			if form := kind == "application/x-www-form-urlencoded"; form && got != 400 || !form && got != 415 {
				t.Errorf("%s %s %.40s: %d", path, kind, body, got)
			}
		}
	}
	v.post(400, "/register", "email", "a\xffda@example.org", "password", right)
	v.post(403, "/reset", "token", "\x00\xff", "new", right)
	v.post(400, "/register", "email", ada, "password", "correct\x00horse")
	v.post(400, "/register", "email", ada, "password", strings.Repeat("x", 73)) // of bcrypt
	if !strings.Contains(v.body, "at most 72 bytes") {
		t.Errorf("the page does not say what is wrong: %s", v.body)
	}
	if log.Len() > 0 {
		t.Errorf("the log has %s", &log)
	}
}

// In an overload the store, which is closed, is asked nothing. The page says when to come back, and
// keeps the address but not the password.
func TestOverload(t *testing.T) {
	s := start(t)
	s.pool.Fail(password.OverloadedError{After: 3 * time.Second})
	s.store.Close()
	v := s.visitor()
	for _, path := range []string{"/login", "/register", "/reset"} {
		v.post(503, path, "email", ada, "password", right, "new", better)
		after := v.answer.Header.Get("Retry-After")
		if after == "" || !strings.Contains(v.body, after+"s.") || strings.Contains(v.body, right) ||
			path != "/reset" && !strings.Contains(v.body, `value="`+ada+`"`) {
			t.Errorf("%s, Retry-After %q: %s", path, after, v.body)
		}
	}
}
