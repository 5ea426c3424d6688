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
	"strconv"
	"strings"
	"testing"
	"time"

	"fount/password"
	"fount/password/legacy"
	"fount/password/passwordhttp"
	"fount/password/passwordtest"
)

// cheap is a policy for tests.
var cheap = password.Policy{Algorithm: password.Bcrypt, Cost: 4}

const right, better = "correct horse", "battery staple"

// local are the proxies of a test, which says whom a request comes from.
var local = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// mails is an outbox whose reader waits.
type mails chan message

func (m mails) send(_ context.Context, mail message) error { m <- mail; return nil }

// A running service, until the test ends. Its requests say whom they come from.
type running struct {
	*httptest.Server
	*service
	inbox mails
	t     *testing.T
}

// start runs a service on that file, or on one of its own.
func start(t *testing.T, database ...string) *running {
	t.Helper()
	policy := cheap
	policy.Formats = legacy.All()
	return startWith(t, passwordtest.NewPool(t, password.Options{Policy: policy}), "http://login.example", database...)
}

func startWith(t *testing.T, pool hasher, url string, database ...string) *running {
	t.Helper()
	db, err := openStore(t.Context(), append(database, filepath.Join(t.TempDir(), "login.db"))[0])
	if err != nil {
		t.Fatal(err)
	}
	out := make(mails, 64)
	s := newService(db, pool, out, passwordhttp.Gate{Proxies: local}, url)
	r := &running{httptest.NewServer(s.handler()), s, out, t}
	t.Cleanup(func() {
		r.Server.Close()
		if err := s.mailer.close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := db.close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// A visitor is a browser: it keeps a cookie, and follows nothing.
type visitor struct {
	*testing.T
	url    string
	cookie *http.Cookie
	header http.Header
	body   string // of the last answer
	answer *http.Response
}

func (r *running) visitor() *visitor { return &visitor{T: r.t, url: r.URL, header: http.Header{}} }

func (v *visitor) do(method, path string, form url.Values) int {
	v.Helper()
	request, err := http.NewRequestWithContext(v.Context(), method, v.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
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
	defer v.answer.Body.Close()
	body, err := io.ReadAll(v.answer.Body)
	if err != nil {
		v.Fatal(err)
	}
	v.body = string(body)
	for _, c := range v.answer.Cookies() {
		if v.cookie = c; c.MaxAge < 0 {
			v.cookie = nil
		}
	}
	return v.answer.StatusCode
}

// post sends a form of pairs and wants a status.
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

// is wants who is signed in: "" is nobody.
func (v *visitor) is(email string) {
	v.Helper()
	_, after, found := strings.Cut(func() string { v.do("GET", "/", nil); return v.body }(), "signed in as <strong>")
	if found != (email != "") || !strings.HasPrefix(after, email) {
		v.Fatalf("%d %s; want that %q is signed in", v.answer.StatusCode, v.body, email)
	}
}

const ada = "ada@example.org"

func (v *visitor) register() {
	v.Helper()
	v.post(done, "/register", "email", ada, "password", right)
}

// The status of what was done, and of a password that does not match.
const done, wrong = http.StatusSeeOther, http.StatusUnauthorized

func TestAccount(t *testing.T) {
	s := start(t)
	v := s.visitor()
	email := "x" + ada
	v.is("")
	v.post(400, "/register", "email", email, "password", "only eleven")
	v.post(400, "/register", "email", email, "password", strings.Repeat("x", 129))
	v.post(400, "/register", "email", "nobody", "password", right)
	v.post(400, "/register", "email", email, "password", email)
	v.post(done, "/register", "email", " "+strings.ToUpper(email), "password", right)
	v.is(email)
	s.visitor().post(409, "/register", "email", email, "password", right)
	former := s.visitor()
	former.cookie = v.cookie
	v.post(done, "/logout")
	v.is("")
	former.is("") // not only the browser forgets it
	v.post(wrong, "/login", "email", email, "password", better)
	unknown := v.body
	v.post(wrong, "/login", "email", "x"+email, "password", right)
	if strings.ReplaceAll(v.body, "x"+email, email) != unknown || !strings.Contains(unknown, "The address or the password is not right.") {
		t.Errorf("%s; for a wrong password %s", v.body, unknown)
	}
	v.post(done, "/login", "email", email, "password", right)
	v.is(email)
}

// One name and one password have several spellings in Unicode, and keyboards differ in which they type.
func TestSpellings(t *testing.T) {
	s := start(t)
	const composed, apart = "\u00e9", "e\u0301"
	s.visitor().post(done, "/register", "email", composed+ada, "password", right+composed)
	v := s.visitor()
	v.post(done, "/login", "email", apart+ada, "password", right+apart)
	v.is(composed + ada)
	v.post(200, "/password", "password", right+apart, "new", better+apart)
	v.post(done, "/login", "email", composed+ada, "password", better+composed)
}

// A change ends every other session, wants the present password, is told by mail, and the former password is of no use after it.
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
	if v.cookie.Value == before {
		t.Error("the session has its former token")
	}
	if m := <-s.inbox; m.to != ada || m.subject != "Your password was changed" {
		t.Errorf("the mail is %+v", m)
	}
	v.is(ada)
	other.is("")
	other.post(wrong, "/login", "email", ada, "password", right)
	other.post(done, "/login", "email", ada, "password", better)
}

// link asks for a link and returns its token.
func (r *running) link(v *visitor) string {
	r.t.Helper()
	v.post(200, "/forgot", "email", ada)
	m := <-r.inbox
	_, after, found := strings.Cut(m.text, "http://login.example/reset?token=")
	token, _, _ := strings.Cut(after, "\n")
	if !found || len(token) != 43 || m.to != ada {
		r.t.Fatalf("a mail without a link: %+v", m)
	}
	return token
}

// A link works once, and not after the next one was sent. The answer does not tell whether there is an account.
func TestReset(t *testing.T) {
	s := start(t)
	v, stranger := s.visitor(), s.visitor()
	v.register()
	stranger.post(200, "/forgot", "email", "bob@example.org")
	none := strings.ReplaceAll(stranger.body, "bob@example.org", ada)
	first := s.link(stranger)
	if stranger.body != none {
		t.Errorf("with an account: %s\nwithout: %s", stranger.body, none)
	}
	second := s.link(stranger)
	reader := s.visitor()
	reader.post(403, "/reset", "token", first, "new", better)
	reader.post(403, "/reset", "token", "", "new", better)
	reader.post(403, "/reset", "token", v.cookie.Value, "new", better) // a session is no link
	reader.post(400, "/reset", "token", second, "new", "short")
	if !strings.Contains(reader.body, `value="`+second+`"`) {
		t.Errorf("the form for another try has no token: %s", reader.body)
	}
	reader.post(200, "/reset", "token", second, "new", better)
	if m := <-s.inbox; m.subject != "Your password was changed" {
		t.Errorf("the mail is %+v", m)
	}
	reader.post(403, "/reset", "token", second, "new", right)
	v.is("")
	v.post(wrong, "/login", "email", ada, "password", right)
	v.post(done, "/login", "email", ada, "password", better)
}

// A client that floods gets few mails, and takes none from others: it is refused, and others get theirs, for the same address and
// for others.
func TestMailLimit(t *testing.T) {
	s := start(t)
	flood, owner := s.visitor(), s.visitor()
	flood.header.Set("X-Forwarded-For", "203.0.113.1")
	owner.header.Set("X-Forwarded-For", "192.0.2.1")
	owner.register()
	mailed := 0
	for i := range 2000 {
		if flood.do("POST", "/forgot", url.Values{"email": {fmt.Sprintf("user%d@example.org", i%50)}}) == 200 {
			mailed++
		}
	}
	if after, err := strconv.Atoi(flood.answer.Header.Get("Retry-After")); mailed > 10 || err != nil || after > 5*60 || after < 60 {
		t.Errorf("%d mails, and the next after %d s, %v; want few, and 5 minutes", mailed, after, err)
	}
	flood.post(429, "/forgot", "email", ada)
	for range 3 {
		s.link(owner)
	}
	others := s.visitor()
	for client := range 100 { // from everywhere for one address
		others.header.Set("X-Forwarded-For", fmt.Sprintf("198.51.100.%d", client))
		if others.do("POST", "/forgot", url.Values{"email": {ada}}) == 429 {
			return
		}
		<-s.inbox
	}
	t.Error("an address gets 100 mails at once")
}

// Forms of other sites are not followed, as a browser says where they come from.
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
	v.is(ada)
	v.post(200, "/password", "password", right, "new", better)
}

func TestHeaders(t *testing.T) {
	for url, hsts := range map[string]string{"http://login.example": "", "https://login.example": "max-age=63072000; includeSubDomains"} {
		v := startWith(t, passwordtest.NewPool(t, password.Options{}), url).visitor()
		v.register()
		c := v.cookie
		if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
			t.Errorf("the cookie is %v", c)
		}
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

// A sign-in does not go on with a session that was there before, and what was given comes back as text.
func TestSession(t *testing.T) {
	s := start(t)
	v, old := s.visitor(), s.visitor()
	v.register()
	for _, path := range []string{"/login", "/register"} {
		planted := *v.cookie
		v.post(done, path, "email", strings.TrimPrefix(path, "/login")+ada, "password", right)
		if v.cookie.Value == planted.Value {
			t.Error("the session has the token from before")
		}
		old.cookie = &planted
		old.is("")
	}
	v.post(400, "/register", "email", `"><script>`, "password", right)
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
	token := s.link(v)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{v.cookie.Value, token, right} {
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("it holds %s", secret)
		}
	}
	if !bytes.Contains(data, []byte(ada)) { // else this test looks at nothing
		t.Error("the user is not in the file")
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v; want 0600", info.Mode(), err)
	}
}

// An account, whether it exists or not, takes 10 wrong passwords from a client and 100 from all. Then the right one waits too,
// but from where its owner was signed in before.
func TestGuessing(t *testing.T) {
	s := start(t)
	owner := s.visitor()
	owner.header.Set("X-Forwarded-For", "192.0.2.1")
	owner.register()
	owner.post(done, "/login", "email", ada, "password", right)
	for _, email := range []string{ada, "nobody@example.org"} {
		v := s.visitor()
		for client := range 10 {
			v.header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", client))
			for range 5 { // both spellings are one account
				v.post(wrong, "/login", "email", email, "password", better)
				v.post(wrong, "/login", "email", strings.ToUpper(email)+" ", "password", better)
			}
			v.post(429, "/login", "email", email, "password", right)
		}
		v.header.Set("X-Forwarded-For", "203.0.113.10")
		v.post(429, "/login", "email", email, "password", right)
	}
	owner.post(done, "/login", "email", ada, "password", right)

	// At an address that is new to him a link by mail lets the owner in.
	owner.header.Set("X-Forwarded-For", "198.51.100.1")
	owner.post(429, "/login", "email", ada, "password", right)
	owner.post(200, "/reset", "token", s.link(owner), "new", better)
	owner.post(done, "/login", "email", ada, "password", better)
}

// Sessions and links end by time, which passes in the database, and a user's oldest when there are too many.
func TestLifetimes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "login.db")
	s := start(t, file)
	v := s.visitor()
	v.register()
	token := s.link(v)
	later := func(k kind, by time.Duration) {
		t.Helper()
		if _, err := s.store.db.Exec("UPDATE tokens SET expires = expires - $1 WHERE kind = $2", int64(by.Seconds()), k.name); err != nil {
			t.Fatal(err)
		}
	}
	const margin = 5 * time.Minute // of this test's own time
	later(session, session.life-margin)
	v.is(ada)
	later(session, margin)
	v.is("")
	v.post(401, "/password", "password", right, "new", better)
	later(link, link.life-margin)
	v.post(400, "/reset", "token", token, "new", "short")
	later(link, margin)
	v.post(403, "/reset", "token", token, "new", better)
	s.visitor().post(done, "/register", "email", "bob@example.org", "password", right)
	if all := rows(t, s.store.db, "tokens"); len(all) != 1 {
		t.Errorf("%d tokens are stored; want 1: another user's sign-in removes those that are out of date", len(all))
	}

	v.post(done, "/login", "email", ada, "password", right)
	for range session.most {
		v.is(ada)
		s.visitor().post(done, "/login", "email", ada, "password", right)
	}
	v.is("")
	if all := rows(t, s.store.db, "tokens"); len(all) != session.most+1 {
		t.Errorf("%d sessions are stored; want %d of ada and one of bob", len(all), session.most)
	}
}

// A form that can't be read is its sender's mistake: the answer says so, and the log has nothing of the password in it.
func TestBadForms(t *testing.T) {
	var log bytes.Buffer
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	s := start(t)
	for _, path := range []string{"/login", "/register", "/password", "/forgot", "/reset"} {
		for _, c := range []struct {
			kind, body string
			want       int
		}{
			{"application/x-www-form-urlencoded", "email=ada@example.org&password=100%sure", 400},
			{"application/x-www-form-urlencoded", "email=ada@example.org;password=correct", 400},
			{"application/x-www-form-urlencoded", "password=" + strings.Repeat("x", 17<<10), 413},
			{"application/json", `{"email": "ada@example.org", "password": "correct horse"}`, 415},
			{"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=email\r\n\r\nada\r\n--x--\r\n", 415},
			{"", "email=ada@example.org", 415},
		} {
			answer, err := http.Post(s.URL+path, c.kind, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if answer.StatusCode != c.want {
				t.Errorf("%s %s %.40s: %d; want %d", path, c.kind, c.body, answer.StatusCode, c.want)
			}
		}
	}
	v := s.visitor()
	for _, email := range []string{"a\x00da@example.org", "a\xffda@example.org"} {
		v.post(wrong, "/login", "email", email, "password", right)
		v.post(400, "/register", "email", email, "password", right)
		v.post(400, "/forgot", "email", email)
	}
	v.post(403, "/reset", "token", "\x00\xff", "new", right)
	v.post(400, "/register", "email", ada, "password", "correct\x00horse")
	v.post(400, "/register", "email", ada, "password", strings.Repeat("x", 73)) // too long for bcrypt
	if log.Len() > 0 {
		t.Errorf("the log has %s", &log)
	}
}

// A refusal asks the store nothing, which is not there, and tells a person when to come back; what was typed is kept, but for
// the password.
func TestRefusal(t *testing.T) {
	pool := passwordtest.NewPool(t, password.Options{})
	pool.Fail(password.OverloadedError{After: 3 * time.Second})
	server := httptest.NewServer(newService(nil, pool, nil, passwordhttp.Gate{}, "").handler())
	defer server.Close()
	for _, path := range []string{"/login", "/register", "/reset"} {
		v := (&running{Server: server, t: t}).visitor()
		v.post(503, path, "email", ada, "password", right, "new", better)
		if after := v.answer.Header.Get("Retry-After"); after == "" || !strings.Contains(v.body, "Please try again in "+after+" seconds.") {
			t.Errorf("%s: Retry-After is %q, and no wait in words: %s", path, after, v.body)
		}
		if strings.Contains(v.body, right) || path != "/reset" && !strings.Contains(v.body, `value="`+ada+`"`) {
			t.Errorf("%s: the password comes back, or the address is lost: %s", path, v.body)
		}
	}
}
