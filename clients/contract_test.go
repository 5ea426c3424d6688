// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

// Package clients has files that ask fountd from other languages, and one suite for all of them.
package clients

// The contract of a client that docs/fountd.md has: each client asks, through its testdata/adapter,
// each peer that may be at fountd's address.

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/freeport"
)

const (
	right   = "correct horse battery staple"
	bound   = 5 * time.Second // of a call that is bounded to 2 s, on a machine that is busy
	address = "192.0.2.1"
)

// A call is a request to an adapter.
type call struct {
	Call     string          `json:"call"`
	Server   string          `json:"server"`
	Password json.RawMessage `json:"password"` // text can't hold half of a surrogate pair
	Bytes    []byte          `json:"password_b64"`
	Stored   *string         `json:"stored"`
	Address  string          `json:"address"`
	CA       string          `json:"ca,omitempty"`
	Cert     string          `json:"cert,omitempty"`
	Key      string          `json:"key,omitempty"`
}

func verify(server, password, stored string) call {
	quoted, _ := json.Marshal(password)
	return call{
		Call: "verify", Server: server, Password: quoted, Bytes: []byte(password),
		Stored: &stored, Address: address,
	}
}

func hash(server, password string) call {
	c := verify(server, password, "")
	c.Call = "hash"
	c.Stored = nil
	return c
}

// An outcome is an adapter's answer.
type outcome struct {
	Outcome    string `json:"outcome"`
	Hash       string `json:"hash"`
	RetryAfter int    `json:"retry_after"`
	Text       string `json:"text"`
	Elapsed    int64  `json:"elapsed_ms"`
}

// A row is one client at one peer.
type row struct {
	*testing.T
	*client
	stored string // of right, made by this client
	shown  string
}

// want asks, and fails if the outcome is none of those that are wanted, late, or repeats a secret.
func (r *row) want(c call, wanted ...string) outcome {
	r.Helper()
	o := r.ask(r.T, c)
	r.judge(c, o, wanted...)
	return o
}

func (r *row) judge(c call, o outcome, wanted ...string) {
	r.Helper()
	r.shown = o.Outcome
	if !slices.Contains(wanted, o.Outcome) {
		r.Errorf("%s; want %s\n%s", o.Outcome, strings.Join(wanted, " or "), o.Text)
	}
	if took := time.Duration(o.Elapsed) * time.Millisecond; took >= bound {
		r.Errorf("%v; want 2 s at most", took)
	}
	secrets := []string{string(c.Bytes), base64.StdEncoding.EncodeToString(c.Bytes)}
	if c.Stored != nil {
		secrets = append(secrets, *c.Stored)
	}
	for _, secret := range secrets {
		if len(secret) > 8 && strings.Contains(o.Text+r.logged(), secret) {
			r.Errorf("the error has the secret %.40s:\n%s%s", secret, o.Text, r.logged())
		}
	}
}

// is returns what a client says, and a framework that says no more than that a password is wrong.
func (r *row) is(outcome string) []string {
	if r.hello.Framework {
		return []string{outcome, "mismatch"}
	}
	return []string{outcome}
}

// tells fails if the user is told something else by a client that has no words of a framework's.
func (r *row) tells(o outcome, words string) {
	if !r.hello.Framework && !strings.Contains(o.Text, words) {
		r.Errorf("%s; want %q", o.Text, words)
	}
}

// A peer is what may be at fountd's address.
type peer struct {
	name string
	run  func(r *row)
}

func TestContract(t *testing.T) {
	build(t)
	home := startFountd(t)
	peers := slices.Concat(fountds(home), passwords(home), broken(), foreign(), securely(), many(home))
	adapters, _ := filepath.Glob("*/testdata/adapter")
	var cells sync.Map // what a client said at a peer
	t.Cleanup(func() {
		table := fmt.Sprintf("what each client says at each peer, ! if it may not: %v\n", adapters)
		for _, p := range peers {
			table += fmt.Sprintf("%-40s", p.name)
			for _, adapter := range adapters {
				cell, _ := cells.Load(adapter + p.name)
				table += fmt.Sprintf(" %-12v", cell)
			}
			table += "\n"
		}
		t.Log(table)
	})

	for _, adapter := range adapters {
		t.Run(strings.TrimSuffix(adapter, "/testdata/adapter"), func(t *testing.T) {
			t.Parallel()
			c := startClient(t, adapter)
			t.Log(c.hello.Client)
			made := c.ask(t, hash(home.url, right))
			if made.Hash == "" {
				t.Fatalf("no hash: %+v", made)
			}
			for _, p := range peers {
				t.Run(p.name, func(t *testing.T) {
					r := &row{T: t, client: c, stored: made.Hash, shown: "."}
					defer func() {
						mark := ""
						if t.Failed() {
							mark = "!"
						}
						cells.Store(adapter+p.name, mark+r.shown)
					}()
					p.run(r)
				})
			}
			c.elsewhere.close()
			if n := len(c.elsewhere.open); n != 0 {
				t.Errorf("%d connections to where redirects and the environment's proxy lead", n)
			}
		})
	}
}

// fountds are fountd itself, in its states.
func fountds(home *fountd) []peer {
	fresh := func(signal syscall.Signal, wanted ...string) func(r *row) {
		return func(r *row) {
			f := startFountd(r.T)
			f.Process.Signal(signal)
			if signal != syscall.SIGTERM {
				syscall.Wait4(f.Process.Pid, nil, syscall.WUNTRACED, nil)
			}
			r.want(verify(f.url, right, r.stored), wanted...)
		}
	}
	return []peer{
		{"right", func(r *row) { r.want(verify(home.url, right, r.stored), "match") }},
		{"wrong", func(r *row) { r.want(verify(home.url, "guess", r.stored), "mismatch") }},
		{"unknown user", func(r *row) { r.want(verify(home.url, right, ""), "mismatch") }},
		{"null for a stored hash", func(r *row) {
			c := verify(home.url, right, "")
			c.Stored = nil
			r.want(c, "mismatch")
		}},
		{"stored hash with CR LF", func(r *row) {
			r.want(verify(home.url, right, r.stored+"\r\n"), append(r.is("defect"), "match")...)
			r.want(verify(home.url, "guess", r.stored+"\r\n"), "defect", "mismatch")
		}},
		{"stored hash of 641 bytes", func(r *row) {
			r.want(verify(home.url, right, r.stored+strings.Repeat("x", 641-len(r.stored))), r.is("defect")...)
		}},
		{"another policy", func(r *row) {
			f := startFountd(r.T, "--policy", "argon2id,m=128,t=3,p=1")
			o := r.want(verify(f.url, right, r.stored), "match")
			if o.Hash == "" || o.Hash == r.stored {
				r.Fatalf("new hash %q; want one", o.Hash)
			}
			r.want(verify(f.url, right, o.Hash), "match")
			r.want(verify(f.url, "guess", o.Hash), "mismatch")
		}},
		{"its socket", func(r *row) {
			r.needs(r.hello.Unix, "socket")
			r.want(verify(home.socket, right, r.stored), "match")
			r.want(verify(home.socket, "guess", r.stored), "mismatch")
		}},
		{"overloaded", func(r *row) {
			f := startFountd(r.T, "--policy", "argon2id,m=65536,t=3,p=1", "--max-wait", "1ms")
			flood(f)
			for range 50 {
				if o := r.want(hash(f.url, right), "match", "unavailable"); o.Outcome == "unavailable" {
					return
				}
			}
			r.Error("never unavailable")
		}},
		{"draining", fresh(syscall.SIGTERM, "match", "unavailable")},
		{"stopped", fresh(syscall.SIGSTOP, "unavailable")},
		{"killed", fresh(syscall.SIGKILL, "unavailable")},
		{"restarted under load", func(r *row) {
			f := startFountd(r.T)
			restarted := make(chan bool)
			go func() {
				defer close(restarted)
				for range 2 {
					time.Sleep(2 * time.Second)
					f.restart()
				}
			}()
			for during := true; during; {
				r.want(verify(f.url, right, r.stored), "match", "unavailable")
				r.want(verify(f.url, "guess", r.stored), "mismatch", "unavailable")
				select {
				case <-restarted:
					during = false
				default:
				}
			}
			r.want(verify(f.url, right, r.stored), "match")
		}},
		{"HAProxy, without a server", func(r *row) {
			r.want(verify(haproxy(r.T, freeport.New(r.T)), right, r.stored), "unavailable")
		}},
		{"HAProxy, before rubbish", func(r *row) {
			rubbish := listen(r.T, func(e *exchange) { e.write("rubbish\r\n\r\n") })
			r.want(verify(haproxy(r.T, rubbish.host), right, r.stored), "unavailable")
		}},
		{"nginx, without a server", func(r *row) {
			r.want(verify(nginx(r.T, freeport.New(r.T)), right, r.stored), "unavailable")
		}},
	}
}

// passwords are those at which encodings break.
func passwords(home *fountd) []peer {
	var peers []peer
	unlike := func(name, password, other string) {
		peers = append(peers, peer{name, func(r *row) {
			o := r.want(hash(home.url, password), "match")
			r.want(verify(home.url, other, o.Hash), "mismatch")
			r.want(verify(home.url, password, o.Hash), "match")
		}})
	}
	unlike("1 byte", "x", "y")
	unlike("1,024 bytes", strings.Repeat("x", 1024), strings.Repeat("x", 1023)+"y")
	unlike("NUL", "before\x00behind", "before")
	unlike("combining characters", "e\u0301galite\u0301", "\u00e9galit\u00e9")
	unlike("outside of the BMP", "\U0001f434 battery", "? battery")

	peers = append(peers, peer{"half of a surrogate pair", func(r *row) {
		c := hash(home.url, "\xed\xa0\x80 battery")
		c.Password = json.RawMessage(`"\ud800 battery"`)
		o := r.want(c, "match", "invalid")
		if o.Outcome == "match" {
			r.want(verify(home.url, "? battery", o.Hash), "mismatch")
		}
	}})
	for _, n := range []int{1025, 40_000} {
		peers = append(peers, peer{fmt.Sprint(n, " bytes"), func(r *row) {
			r.want(verify(home.url, strings.Repeat("x", n), r.stored), r.is("invalid")...)
			o := r.want(hash(home.url, strings.Repeat("x", n)), "invalid")
			r.tells(o, "The password is too long.")
		}})
	}
	return append(peers, peer{"empty", func(r *row) {
		r.want(verify(home.url, "", r.stored), "mismatch", "invalid")
		r.tells(r.want(hash(home.url, ""), "invalid"), "The password is empty.")
	}})
}

const match = `{"match":true,"needs_rehash":false,"truncated":false}`

// broken are peers that send no whole answer, or none in time.
func broken() []peer {
	header := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 53\r\n\r\n"
	unavailable := []string{"unavailable"}
	noAnswer := []string{"unavailable", "defect"}
	say := func(tries int, wanted []string, answer func(e *exchange)) func(r *row) {
		return func(r *row) {
			s := listen(r.T, answer)
			r.want(verify(s.url, right, r.stored), wanted...)
			s.close()
			if n := len(s.open); n != tries {
				r.Errorf("%d connections; want %d", n, tries)
			}
		}
	}
	after := func(text string) func(e *exchange) {
		return func(e *exchange) { e.write(text); e.hang() }
	}
	return []peer{
		{"nobody listens", func(r *row) { r.want(verify("http://"+freeport.New(r.T), right, r.stored), "unavailable") }},
		{"no socket", func(r *row) {
			r.needs(r.hello.Unix, "socket")
			r.want(verify(filepath.Join(r.TempDir(), "none.sock"), right, r.stored), "unavailable")
		}},
		{"a black hole", func(r *row) { r.want(verify("http://"+blackHole(r.T), right, r.stored), "unavailable") }},
		{"hangs before the header", say(1, unavailable, after(""))},
		{"hangs behind the header", say(1, unavailable, after(header))},
		{"hangs in the body", say(1, unavailable, after(header+match[:20]))},
		{"drips", say(1, unavailable, func(e *exchange) {
			for _, b := range []byte(header + match) {
				if !e.write(string(b)) {
					return
				}
				time.Sleep(time.Second)
			}
		})},
		{"endless body", func(r *row) {
			var sent int
			s := listen(r.T, func(e *exchange) {
				e.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
				for e.write(strings.Repeat(" ", 4096)) {
					sent += 4096
				}
			})
			r.want(verify(s.url, right, r.stored), noAnswer...)
			s.close()
			if sent > 32<<20 {
				r.Errorf("%d bytes; want 64 KiB, and what buffers hold", sent)
			}
		}},
		{"endless header", say(1, noAnswer, func(e *exchange) {
			for e.write("HTTP/1.1 200 OK\r\n") && e.write("X: "+strings.Repeat("x", 1000)+"\r\n") {
			}
		})},
		{"101 for an answer", say(1, noAnswer, after("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"))},
		{"ends without a byte", say(2, unavailable, func(e *exchange) {})},
		{"resets", say(2, unavailable, func(e *exchange) { e.reset() })},
		{"ends once without a byte", say(2, []string{"match"}, func(e *exchange) {
			if e.n == 2 {
				e.write(header + match)
			}
		})},
		{"ends once, late", func(r *row) {
			var asked [3]struct {
				Deadline  int `json:"deadline_ms"`
				Principal string
			}
			s := listen(r.T, func(e *exchange) {
				json.Unmarshal([]byte(e.body), &asked[e.n])
				if time.Sleep(1300 * time.Millisecond); e.n == 2 {
					e.write(header + match)
				}
			})
			r.want(verify(s.url, right, r.stored), "unavailable")
			s.close()
			first, second := asked[1], asked[2]
			inTime := first.Deadline <= 1000 && second.Deadline <= 700
			if first.Principal != address || !inTime {
				r.Errorf("asked for %+v; want %s and 1000 ms, then the time left", asked, address)
			}
		}},
		{"ends in the header", say(1, noAnswer, func(e *exchange) { e.write(header[:30]) })},
		{"ends in the body", say(1, noAnswer, func(e *exchange) { e.write(header + match[:20]) })},
		{"ends at the next call", func(r *row) {
			s := listen(r.T, func(e *exchange) {
				e.write(header + match)
				e.read() // of a connection that is kept
			})
			for range 3 {
				r.want(verify(s.url, right, r.stored), "match")
			}
		}},
		{"a body behind the body", say(1, append(noAnswer, "match"), func(e *exchange) { e.write(header + match + match) })},
		{"chunked rubbish", say(1, noAnswer, func(e *exchange) {
			e.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n" + match)
		})},
		{"HTTP/1.0", say(1, []string{"match"}, func(e *exchange) {
			e.write("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + match)
		})},
		{"Connection: close, and a charset", say(1, []string{"match"}, func(e *exchange) {
			e.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n\r\n" + match)
		})},
	}
}

// foreign are whole answers that fountd does not give, or with what others repeat.
func foreign() []peer {
	const jsonType, problemType, htmlType = "application/json", "application/problem+json", "text/html"
	var peers []peer

	// say adds a peer. What is wanted of "unavailable" has the seconds of Retry-After.
	say := func(name, want string, status int, typ, body string, header ...string) {
		peers = append(peers, peer{name, func(r *row) {
			s := listen(r.T, func(e *exchange) {
				fill := strings.NewReplacer("BODY", e.body, "PASSWORD", right, "ELSEWHERE", r.elsewhere.url)
				body := fill.Replace(body)
				e.write(fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n%s\r\n%s",
					status, http.StatusText(status), typ, len(body), fill.Replace(strings.Join(header, "")), body))
			})
			wanted := strings.Fields(want)
			if want == "invalid" {
				wanted = r.is(want)
			}
			o := r.want(verify(s.url, right, r.stored), wanted...)
			if o.Outcome == "unavailable" && fmt.Sprint(o.RetryAfter) != wanted[1] {
				r.Errorf("retry after %d s; want %s", o.RetryAfter, wanted[1])
			}
			s.close()
			if n := len(s.open); n != 1 {
				r.Errorf("%d connections; want 1", n)
			}
		}})
	}

	say("match in a page", "defect", 200, htmlType, match)
	say("not JSON", "defect", 200, jsonType, match[:20])
	say("another API's JSON", "defect", 200, jsonType, `{"ok":true}`)
	say(`match "true"`, "defect", 200, jsonType, `{"match":"true","needs_rehash":true,"hash":"x"}`)
	say("match 1", "defect", 200, jsonType, `{"match":1}`)
	say("match null", "defect", 200, jsonType, `{"match":null}`)
	say("match twice", "defect mismatch", 200, jsonType, `{"match":true,"match":false}`)
	say("its own request", "defect", 200, jsonType, "BODY")
	say("201", "defect", 201, jsonType, match)
	say("204", "defect", 204, jsonType, "")
	say("301 elsewhere", "defect", 301, jsonType, match, "Location: ELSEWHERE\r\n")
	say("401", "defect", 401, jsonType, match, "WWW-Authenticate: Basic realm=x\r\n")
	say("407", "defect", 407, jsonType, match, "Proxy-Authenticate: Basic realm=x\r\n")
	say("422 with the request", "defect", 422, jsonType, `{"detail":[{"type":"missing","input":BODY}]}`)
	say("too_long with the password", "invalid", 422, problemType, `{"reason":"too_long","detail":"PASSWORD"}`)
	say("problem with the password", "defect", 422, problemType, `{"reason":"PASSWORD","detail":"PASSWORD"}`)
	say("500 with the password", "defect", 500, problemType, `{"reason":"internal","detail":"PASSWORD"}`)
	say("503 with the password", "unavailable 1", 503, problemType, `{"reason":"queue","detail":"PASSWORD"}`)
	say("429, seconds", "unavailable 7", 429, htmlType, "", "Retry-After: 7\r\n")
	say("503, seconds", "unavailable 7", 503, problemType, `{"reason":"deadline"}`, "Retry-After: 7\r\n")
	say("503, a date", "unavailable 1", 503, htmlType, "", "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n")
	say("503, absent", "unavailable 1", 503, htmlType, "<html>No server is available.</html>")
	say("503, negative", "unavailable 1", 503, htmlType, "", "Retry-After: -7\r\n")
	say("503, huge", "unavailable 1", 503, htmlType, "", "Retry-After: 99999999999999999999\r\n")
	say("504", "unavailable 1", 504, problemType, `{"reason":"expired"}`)
	return peers
}

// secure returns where a server of loopback has TLS.
func secure(url string) string {
	return strings.Replace(url, "http://127.0.0.1", "https://localhost", 1)
}

// securely are peers with TLS.
func securely() []peer {
	fails := []string{"unavailable", "defect"}
	wrongly := func(dnsName, authority string, age time.Duration) func(r *row) {
		return func(r *row) {
			r.needs(r.hello.TLS, "TLS")
			ours := issue(r.T, nil, "ours", 0)
			signer := ours
			if authority != "ours" {
				signer = issue(r.T, nil, authority, 0)
			}
			asked := false
			s := listenTLS(r.T, issue(r.T, signer, dnsName, age), func(e *exchange) { asked = e.body != "" })
			c := verify(secure(s.url), right, r.stored)
			c.CA = ours.cert
			r.want(c, fails...)
			if s.close(); asked {
				r.Error("it got the password")
			}
		}
	}
	mutual := func(certificate bool, wanted ...string) func(r *row) {
		return func(r *row) {
			r.needs(r.hello.TLS, "TLS")
			ca := issue(r.T, nil, "authority", 0)
			server := issue(r.T, ca, "localhost", 0)
			client := issue(r.T, ca, "client", 0)
			f := startFountd(r.T, "--tls-cert", server.cert, "--tls-key", server.key, "--tls-client-ca", ca.cert)
			c := verify(secure(f.url), right, r.stored)
			c.CA = ca.cert
			if certificate {
				c.Cert = client.cert
				c.Key = client.key
			}
			r.want(c, wanted...)
		}
	}
	return []peer{
		{"TLS", mutual(true, "match")},
		{"TLS, no certificate of the client's", mutual(false, fails...)},
		{"TLS for another name", wrongly("other.example", "ours", 0)},
		{"TLS of another authority", wrongly("localhost", "theirs", 0)},
		{"TLS, expired", wrongly("localhost", "ours", 48*time.Hour)},
		{"TLS, reset in the handshake", func(r *row) {
			r.needs(r.hello.TLS, "TLS")
			s := listen(r.T, func(e *exchange) { e.reset() })
			c := verify(secure(s.url), right, r.stored)
			c.CA = issue(r.T, nil, "authority", 0).cert
			r.want(c, fails...)
		}},
	}
}

// many are many calls at once, of which each must get its own answer.
func many(home *fountd) []peer {
	mixed := func(kind string, n int) func(r *row) {
		return func(r *row) {
			r.needs(slices.Contains(r.hello.Batches, kind), kind)
			slow := listen(r.T, func(e *exchange) {
				time.Sleep(time.Second)
				e.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"match\":false}")
			})
			var calls []call
			for i := range n {
				given := right
				if (i+i/8)%2 == 1 { // so that the next call, and the one after eight, is another
					given = "guess"
				}
				calls = append(calls, verify(home.url, given, r.stored))
			}
			calls[1].Server = slow.url

			answered := 0
			for i, o := range r.batch(r.T, kind, calls) {
				want := "match"
				if string(calls[i].Bytes) != right {
					want = "mismatch"
				}
				r.judge(calls[i], o, want, "unavailable")
				if o.Outcome != "unavailable" {
					answered++
				}
			}
			r.shown = fmt.Sprintf("%d/%d", answered, n)
			if answered == 0 {
				r.Error("no call was answered")
			}
		}
	}
	return []peer{
		{"200 threads", mixed("threads", 200)},
		{"8 forked workers, one call under way", mixed("forks", 2+8*20)},
	}
}

// build builds fountd.
func build(t *testing.T) {
	program = filepath.Join(t.TempDir(), "fountd")
	cmd := exec.Command("go", "build", "-o", program, "./fountd")
	cmd.Dir = "../cmd"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}
