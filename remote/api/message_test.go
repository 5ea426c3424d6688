// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fount/internal/problem"
)

func TestDecodeRequest(t *testing.T) {
	for body, want := range map[string]Request{
		`{"password":"a","hash":"h"}`: {Password: []byte("a"), Hash: "h"},
		`{"password":"","hash":""}`:   {Password: []byte{}},
		` { "password_b64" : "/wA=" , "hash" : "$2b$" , "principal" : "192.0.2.1" , "class" : "upgrade" , "deadline_ms" : 1500 , "renew" : true } `: {
			Password: []byte{0xff, 0}, Hash: "$2b$", Principal: "192.0.2.1", Upgrade: true, Deadline: 1500 * time.Millisecond, Renew: true,
		},
		`{"password":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀","hash":"","class":"upgrade","deadline_ms":1e3,"renew":false}`: {
			Password: []byte("\"\\/\b\f\n\r\té😀é😀"), Upgrade: true, Deadline: time.Second,
		},
		`{"pass\u0077ord":"a","hash":"","deadline_ms":3600000.0}`: {Password: []byte("a"), Deadline: time.Hour},
	} {
		got, err := DecodeRequest(PathVerify, []byte(body))
		if err != nil || !equalRequests(got, want) || got.Password == nil {
			t.Errorf("%s: %+v, %v; want %+v", body, got, err, want)
		}
	}
}

func equalRequests(a, b Request) bool {
	same := bytes.Equal(a.Password, b.Password)
	a.Password, b.Password = nil, nil
	return same && a.Hash == b.Hash && a.Principal == b.Principal && a.Upgrade == b.Upgrade && a.Deadline == b.Deadline && a.Renew == b.Renew
}

// Each error names the member, and says nothing of its value.
func TestDecodeRequestRefuses(t *testing.T) {
	long := strings.Repeat("x", MaxPassword+1)
	for body, field := range map[string]string{
		``: "", `{"password":"a","hash":"h"`: "", `{"password":"a"} {}`: "", `["password"]`: "", "{\"password\":\"\xff\"}": "",
		`{}`: "hash", `{"hash":"h"}`: "password", `{"password":"s3cret"}`: "hash",
		`{"password":"a","hash":"h","deadlin_ms":5}`: `"deadlin_ms"`, `{"Password":"a","hash":"h"}`: `"Password"`,
		`{"` + long + `":1}`: `"` + long[:32] + `"`,
		`{"password":"s3cret","password_b64":"czNjcmV0","hash":"h"}`: "password_b64",
		`{"password":null,"hash":"h"}`:                               "password", `{"password":{"a":["s3cret"]},"hash":"h"}`: "password",
		`{"password":"s3cret\ud800","hash":"h"}`: "password", `{"password":"\ud800\u0041","hash":"h"}`: "password",
		`{"password_b64":"s3cret","hash":"h"}`: "password_b64",
		`{"password_b64":"YQ==\n","hash":"h"}`: "password_b64", `{"password_b64":"YR==","hash":"h"}`: "password_b64",
		`{"password":"a","hash":"h","h\u0061sh":"i"}`: "hash", `{"password":"a","password":"a","hash":"h"}`: "password",
		`{"password":"a","hash":true}`: "hash", `{"password":"a","hash":"h","principal":"` + long[:257] + `"}`: "principal",
		`{"password":"a","hash":"h","class":"sign-in"}`: "class", `{"password":"a","hash":"h","class":""}`: "class",
		`{"password":"a","hash":"h","deadline_ms":0}`: "deadline_ms", `{"password":"a","hash":"h","deadline_ms":1.5}`: "deadline_ms",
		`{"password":"a","hash":"h","deadline_ms":3600001}`: "deadline_ms", `{"password":"a","hash":"h","deadline_ms":1e999}`: "deadline_ms",
		`{"password":"a","hash":"h","deadline_ms":"5"}`: "deadline_ms", `{"password":"a","hash":"h","renew":"true"}`: "renew",
	} {
		got, err := DecodeRequest(PathVerify, []byte(body))
		invalid, ok := errors.AsType[InvalidError](err)
		if !ok || invalid.Field != field || strings.Contains(err.Error(), "s3cret") || !equalRequests(got, Request{}) {
			t.Errorf("%.80s: %+v, %v; want an error of %q", body, got, err, field)
		}
	}
}

func TestDecodeHashRequest(t *testing.T) {
	got, err := DecodeRequest(PathHash, []byte(`{"password":"a","principal":"p","class":"upgrade","deadline_ms":7}`))
	if err != nil || string(got.Password) != "a" || got.Principal != "p" || !got.Upgrade || got.Deadline != 7*time.Millisecond {
		t.Errorf("%+v, %v", got, err)
	}
	for _, body := range []string{`{"password":"a","hash":"h"}`, `{"password":"a","renew":true}`, `{}`} {
		if got, err := DecodeRequest(PathHash, []byte(body)); err == nil {
			t.Errorf("%s: %+v", body, got)
		}
	}
}

// A request that is written within the bounds fits in MaxRequest and in Size, and is read as it
// was. The largest that may be written by others fits too.
func TestLargestRequest(t *testing.T) {
	r := Request{
		Password: bytes.Repeat([]byte{0xff}, MaxPassword), Hash: strings.Repeat("h", MaxHash), Principal: strings.Repeat("\x01", MaxPrincipal),
		Upgrade: true, Deadline: MaxDeadline, Renew: true,
	}
	body := r.AppendJSON(nil, PathVerify)
	if len(body) > MaxRequest || len(body) > r.Size() {
		t.Errorf("%d bytes; want at most %d, and Size's %d", len(body), MaxRequest, r.Size())
	}
	if got, err := DecodeRequest(PathVerify, body); err != nil || !equalRequests(got, r) {
		t.Errorf("read as %+v, %v", got, err)
	}
	if body := r.AppendJSON(nil, PathHash); len(body) > r.Size() {
		t.Errorf("%d bytes; want at most Size's %d", len(body), r.Size())
	}
	escaped := `{"password":"` + strings.Repeat(`\u0041`, 1024) + `","hash":"` + strings.Repeat("h", MaxHash) +
		`","principal":"` + strings.Repeat("p", MaxPrincipal) + `","class":"sign_in","deadline_ms":3600000,"renew":false}`
	if _, err := DecodeRequest(PathVerify, []byte(escaped)); err != nil || len(escaped) > MaxRequest {
		t.Errorf("%d bytes, %v; want at most %d", len(escaped), err, MaxRequest)
	}
}

// With room enough AppendJSON writes in place: it leaves no copy of the password behind.
func TestAppendJSONInPlace(t *testing.T) {
	r := Request{Password: []byte("s3cret"), Hash: "h"}
	room := make([]byte, 0, r.Size())
	if body := r.AppendJSON(room, PathVerify); &body[0] != &room[:1][0] {
		t.Error("AppendJSON has moved the message")
	}
}

func TestDecodeReplies(t *testing.T) {
	verify := func(body string) (any, error) { return DecodeVerifyReply([]byte(body)) }
	hash := func(body string) (any, error) { return DecodeHashReply([]byte(body)) }
	aProblem := func(body string) (any, error) { return DecodeProblem([]byte(body)) }
	for _, c := range []struct {
		decode func(string) (any, error)
		body   string
		want   any // nil: an error
	}{
		{verify, `{"match":false,"needs_rehash":false,"truncated":false}`, VerifyReply{}},
		{verify, `{"match":true,"needs_rehash":true,"truncated":true,"hash":"h","later":[{"a":"]}\""},null]}`, VerifyReply{true, true, true, "h"}},
		{verify, `{"match":false,"needs_rehash":true}`, nil},
		{verify, `{"Match":true}`, nil},
		{verify, `{"match":null}`, nil},
		{verify, `{"match":true,"match":true}`, nil},
		{verify, `<html>`, nil},
		{hash, `{"hash":"h"}`, HashReply{"h"}},
		{hash, `{"hash":""}`, nil},
		{aProblem, `{"status":503,"title":"Service Unavailable","reason":"queue","retry_after_ms":1200,"not_begun":true,"detail":"d"}`,
			Problem{problem.Details{Type: problem.Blank, Title: "Service Unavailable", Status: 503, RetryAfter: 1200}, "d", ReasonQueue, true}},
		{aProblem, `{"status":503,"not_begun":"true"}`, nil},
		{aProblem, `{"type":"urn:x","status":503}`, Problem{Details: problem.Details{Type: "urn:x", Status: 503}}},
		{aProblem, `{"status":99}`, nil},
		{aProblem, `{"status":503,"retry_after_ms":86400001}`, nil},
		{aProblem, `{"status":503,"retry_after_ms":-1}`, nil},
	} {
		got, err := c.decode(c.body)
		if (err == nil) != (c.want != nil) || err == nil && got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.body, got, err, c.want)
		}
	}
}

func TestProblem(t *testing.T) {
	p := NewProblem(ReasonQueue, "d", 1500*time.Microsecond)
	if p.Status != 503 || p.RetryAfter != 2 || p.RetryAfterSeconds() != 1 {
		t.Errorf("%+v", p)
	}
	if got, err := DecodeProblem(p.JSON()); err != nil || got != p {
		t.Errorf("read as %+v, %v; want %+v", got, err, p)
	}
}

// Whatever comes is refused or read as encoding/json reads it, and what is written of it is read
// alike.
func FuzzDecodeRequest(f *testing.F) {
	for _, seed := range []string{
		`{"password":"a","hash":"h"}`, `{"password_b64":"YQ==","hash":"","principal":"p","class":"upgrade","deadline_ms":1e3,"renew":true}`,
		`{"password":"\ud83d\ude00\ud800","hash":"\u0000"}`, ` {"password" : "a}" , "hash":"]","x":[{"y":"\\\""}]} `, `{"hash":"a","hash":"b"}`, `{"a":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := bytes.Clone(body)
		got, err := DecodeRequest(PathVerify, body)
		if !bytes.Equal(body, before) {
			t.Error("the message has changed")
		}
		want, ok := reference(body)
		if ok != (err == nil) || ok && !equalRequests(got, want) {
			t.Fatalf("%+v, %v; encoding/json says %+v, %v", got, err, want, ok)
		}
		if !ok {
			return
		}
		written := got.AppendJSON(nil, PathVerify)
		again, err := DecodeRequest(PathVerify, written)
		if err != nil || !equalRequests(again, got) || len(written) > got.Size() {
			t.Errorf("%+v, written in %d bytes, Size %d, is read as %+v, %v", got, len(written), got.Size(), again, err)
		}
	})
}

// reference reads a request with encoding/json's tokens.
func reference(body []byte) (r Request, ok bool) {
	var members map[string]any
	if !utf8.Valid(body) || json.Unmarshal(body, &members) != nil || members == nil {
		return r, false
	}
	tokens, n := json.NewDecoder(bytes.NewReader(body)), 0
	for tokens.Token(); tokens.More(); n++ {
		tokens.Token()
		tokens.Decode(new(json.RawMessage))
	}
	if n != len(members) { // one stands twice
		return r, false
	}
	var raw map[string]json.RawMessage
	json.Unmarshal(body, &raw)
	for name, v := range raw { // encoding/json reads half of a surrogate pair as U+FFFD
		if s, ok := members[name].(string); ok && strings.Count(s, "\ufffd") > strings.Count(strings.ToLower(string(v)), `\ufffd`)+strings.Count(string(v), "\ufffd") {
			return r, false
		}
	}
	for name, v := range members {
		switch s, isString := v.(string); name {
		case "password":
			r.Password, ok = []byte(s), isString && members["password_b64"] == nil
		case "password_b64":
			var err error
			r.Password, err = base64.StdEncoding.Strict().DecodeString(s)
			ok = isString && err == nil && !strings.ContainsAny(s, "\r\n")
		case "hash":
			r.Hash, ok = s, isString
		case "principal":
			r.Principal, ok = s, isString && len(s) <= MaxPrincipal
		case "class":
			r.Upgrade, ok = s == "upgrade", s == "sign_in" || s == "upgrade"
		case "deadline_ms":
			n, isNumber := v.(float64)
			r.Deadline, ok = time.Duration(n)*time.Millisecond, isNumber && n == math.Floor(n) && n >= 1 && n <= 3600000
		case "renew":
			r.Renew, ok = v.(bool)
		default:
			return r, false
		}
		if !ok {
			return r, false
		}
	}
	_, hash := members["hash"]
	return r, hash && r.Password != nil
}
