// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"fount/internal/problem"
)

func TestDecodeRequest(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want Request
	}{
		"the least": {
			body: `{"password":"a","hash":"h"}`,
			want: Request{Password: []byte("a"), Hash: "h"},
		},
		"empty strings": {
			body: `{"password":"","hash":""}`,
			want: Request{Password: []byte{}},
		},
		"all members": {
			body: ` { "password_b64" : "/wA=" , "hash" : "$2b$" , "principal" : "192.0.2.1" , "class" : "upgrade" , "deadline_ms" : 1500 , "renew" : true } `,
			want: Request{Password: []byte{0xff, 0}, Hash: "$2b$", Principal: "192.0.2.1", Upgrade: true, Deadline: 1500 * time.Millisecond, Renew: true},
		},
		"escapes": {
			body: `{"pass\u0077ord":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀","hash":"","class":"sign_in","renew":false}`,
			want: Request{Password: []byte("\"\\/\b\f\n\r\té😀é😀")},
		},
		"an integer in another form": {
			body: `{"password":"a","hash":"","deadline_ms":3600.0e3}`,
			want: Request{Password: []byte("a"), Deadline: time.Hour},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := DecodeRequest(PathVerify, []byte(c.body))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v, %v; want %+v", got, err, c.want)
			}
		})
	}
}

// Each error names the member, and says nothing of its value.
func TestDecodeRequestRefuses(t *testing.T) {
	long := strings.Repeat("x", MaxPassword+1)
	for field, bodies := range map[string][]string{
		"":                    {``, `{"password":"a","hash":"h"`, `{"password":"a"} {}`, `["password"]`, "{\"password\":\"\xff\"}"},
		`"deadlin_ms"`:        {`{"password":"a","hash":"h","deadlin_ms":5}`},
		`"Password"`:          {`{"Password":"a","hash":"h"}`},
		`"` + long[:32] + `"`: {`{"` + long + `":1}`},
		"password": {
			`{"hash":"h"}`,
			`{"password":null,"hash":"h"}`,
			`{"password":{"a":["s3cret"]},"hash":"h"}`,
			`{"password":"a","password":"a","hash":"h"}`,
			`{"password":"s3cret\ud800","hash":"h"}`,
			`{"password":"\ud800\u0041","hash":"h"}`,
		},
		"password_b64": {
			`{"password":"s3cret","password_b64":"czNjcmV0","hash":"h"}`,
			`{"password_b64":"s3cret","hash":"h"}`,
			`{"password_b64":"YQ==\n","hash":"h"}`,
			`{"password_b64":"YR==","hash":"h"}`,
		},
		"hash": {
			`{}`,
			`{"password":"s3cret"}`,
			`{"password":"a","hash":true}`,
			`{"password":"a","hash":"h","h\u0061sh":"i"}`,
		},
		"principal": {`{"password":"a","hash":"h","principal":"` + long[:MaxPrincipal+1] + `"}`},
		"class":     {`{"password":"a","hash":"h","class":"sign-in"}`, `{"password":"a","hash":"h","class":""}`},
		"deadline_ms": {
			`{"password":"a","hash":"h","deadline_ms":0}`,
			`{"password":"a","hash":"h","deadline_ms":1.5}`,
			`{"password":"a","hash":"h","deadline_ms":3600001}`,
			`{"password":"a","hash":"h","deadline_ms":1e999}`,
			`{"password":"a","hash":"h","deadline_ms":"5"}`,
		},
		"renew": {`{"password":"a","hash":"h","renew":"true"}`},
	} {
		t.Run(field, func(t *testing.T) {
			for _, body := range bodies {
				got, err := DecodeRequest(PathVerify, []byte(body))
				invalid, ok := errors.AsType[InvalidError](err)
				if !ok || invalid.Field != field || strings.Contains(err.Error(), "s3cret") || !reflect.DeepEqual(got, Request{}) {
					t.Errorf("%.80s: %+v, %v", body, got, err)
				}
			}
		})
	}
	t.Run("of a new hash", func(t *testing.T) {
		for _, body := range []string{`{"password":"a","hash":"h"}`, `{"password":"a","renew":true}`, `{}`} {
			if got, err := DecodeRequest(PathHash, []byte(body)); err == nil {
				t.Errorf("%s: %+v", body, got)
			}
		}
	})
}

// A request that is written within the bounds fits in MaxRequest and in Size, and is read as it
// was. The largest that may be written by others fits too.
func TestLargestRequest(t *testing.T) {
	r := Request{
		Password:  bytes.Repeat([]byte{0xff}, MaxPassword),
		Hash:      strings.Repeat("h", MaxHash),
		Principal: strings.Repeat("\x01", MaxPrincipal),
		Upgrade:   true,
		Deadline:  MaxDeadline,
		Renew:     true,
	}
	body := r.AppendJSON(nil, PathVerify)
	if len(body) > MaxRequest || len(body) > r.Size() {
		t.Errorf("%d bytes; want at most %d, and Size's %d", len(body), MaxRequest, r.Size())
	}
	if got, err := DecodeRequest(PathVerify, body); err != nil || !reflect.DeepEqual(got, r) {
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
	queue := NewProblem(ReasonQueue, "d", 1200*time.Millisecond)
	queue.NotBegun = true
	for body, c := range map[string]struct {
		decode func(string) (any, error)
		want   any // nil: an error
	}{
		`{"match":false,"needs_rehash":false,"truncated":false}`: {decode: verify, want: VerifyReply{}},
		`{"match":true,"needs_rehash":true,"truncated":true,"hash":"h","later":[{"a":"]}\""},null]}`: {
			decode: verify, want: VerifyReply{Match: true, NeedsRehash: true, Truncated: true, Hash: "h"},
		},
		`{"match":false,"needs_rehash":true}`: {decode: verify},
		`{"Match":true}`:                      {decode: verify},
		`{"match":null}`:                      {decode: verify},
		`{"match":true,"match":true}`:         {decode: verify},
		`<html>`:                              {decode: verify},

		`{"hash":"h"}`: {decode: hash, want: HashReply{"h"}},
		`{"hash":""}`:  {decode: hash},

		`{"status":503,"title":"Service Unavailable","reason":"queue","retry_after_ms":1200,"not_begun":true,"detail":"d"}`: {
			decode: aProblem, want: queue,
		},
		`{"type":"urn:x","status":503}`:            {decode: aProblem, want: Problem{Details: problem.Details{Type: "urn:x", Status: 503}}},
		`{"status":503,"not_begun":"true"}`:        {decode: aProblem},
		`{"status":99}`:                            {decode: aProblem},
		`{"status":503,"retry_after_ms":86400001}`: {decode: aProblem},
		`{"status":503,"retry_after_ms":-1}`:       {decode: aProblem},
	} {
		t.Run(body, func(t *testing.T) {
			got, err := c.decode(body)
			if (err == nil) != (c.want != nil) || err == nil && got != c.want {
				t.Errorf("%+v, %v; want %+v", got, err, c.want)
			}
		})
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
		if err != nil {
			return
		}

		var m struct {
			Password, Hash, Principal, Class string
			Bytes                            []byte  `json:"password_b64"`
			Deadline                         float64 `json:"deadline_ms"`
			Renew                            bool
		}
		err = json.Unmarshal(body, &m)
		want := Request{
			Password: append(m.Bytes, m.Password...), Hash: m.Hash, Principal: m.Principal, Upgrade: m.Class == "upgrade",
			Deadline: time.Duration(m.Deadline) * time.Millisecond, Renew: m.Renew,
		}
		if err != nil || !equal(got, want) {
			t.Errorf("%+v; encoding/json says %+v, %v", got, want, err)
		}

		written := got.AppendJSON(nil, PathVerify)
		again, err := DecodeRequest(PathVerify, written)
		if err != nil || !equal(again, got) || len(written) > got.Size() {
			t.Errorf("%+v, written in %d bytes, Size %d, is read as %+v, %v", got, len(written), got.Size(), again, err)
		}
	})
}

// equal compares requests. No password and one of no bytes are alike.
func equal(a, b Request) bool { return fmt.Sprint(a) == fmt.Sprint(b) }
