// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package api has the messages of fountd's HTTP API. It imports the standard library alone.
//
//	POST /v1/verify  Request  ->  200 VerifyReply
//	POST /v1/hash    Request  ->  200 HashReply
//	GET  /v1/policy           ->  200 Policy
//	GET  /v1/top              ->  200 Top
//
// Every other status has a Problem as its body (RFC 9457). Bodies are JSON in UTF-8 (RFC 8259).
//
// Requests are read strictly: what is unknown, null, missing, twice there or of another type is an
// error that names the member, as a misspelt deadline_ms would be no deadline. Of replies clients
// skip unknown members, and treat an unknown Reason by the status.
//
// Passwords never become strings: they are decoded into bytes that their owner can wipe.
package api

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// The paths.
const (
	PathVerify = "/v1/verify"
	PathHash   = "/v1/hash"
	PathPolicy = "/v1/policy"
	PathTop    = "/v1/top" // on --admin and a Unix socket
)

// The media types of requests and replies, and of problems.
const (
	MediaType        = "application/json"
	MediaTypeProblem = "application/problem+json"
)

// HeaderWait says in a reply how long the server needs for all that it has, in milliseconds.
const HeaderWait = "Fountd-Wait"

// The bounds of a message. A server answers a longer body with ReasonTooLarge, without reading it.
const (
	MaxRequest   = 32 << 10  // bytes; above the longest password with each byte escaped
	MaxReply     = 16 << 10  // bytes
	MaxPassword  = 4096      // bytes that a client sends; a server takes fewer, and says how many
	MaxPrincipal = 256       // bytes
	MaxHash      = 1024      // bytes; the longest stored hash that fountd reads has 320
	MaxDeadline  = time.Hour // of deadline_ms
)

// A Class says what a call is for.
type Class string

// The classes. The empty one means ClassSignIn.
const (
	ClassSignIn         Class = "sign_in"         // a password to verify
	ClassChangePassword Class = "change_password" // counts as ClassSignIn
	ClassRehash         Class = "rehash"          // password.Login.Upgrade
)

// A Request asks whether Hash was made from Password, or for a new hash of it. Its members are
//
//	password     string, or password_b64 with padded base64: exactly one of them
//	hash         string, required; empty for an unknown user
//	principal    string, at most MaxPrincipal bytes; absent: ""
//	class        "sign_in", "change_password" or "rehash"; absent: "sign_in"
//	deadline_ms  integer, 1 to 3600000: the time left; absent: none
//	upgrade      boolean; absent: false
//
// A request for a new hash has no hash and no upgrade.
type Request struct {
	Password  []byte // its owner wipes it
	Hash      string
	Principal string        // where the attempt comes from
	Class     Class         // never empty once decoded
	Deadline  time.Duration // the time left when it was sent, in whole milliseconds; 0: none
	Upgrade   bool          // answer a match that needs a rehash with the new hash
}

// A VerifyReply is the answer to PathVerify. Without Match all else is zero.
type VerifyReply struct {
	Match       bool   `json:"match"`
	NeedsRehash bool   `json:"needs_rehash"`   // store a new hash
	Truncated   bool   `json:"truncated"`      // only its first 72 bytes were compared
	Hash        string `json:"hash,omitempty"` // with Upgrade: store it; none in an overload
}

// A HashReply is the answer to PathHash.
type HashReply struct {
	Hash string `json:"hash"`
}

// A Policy is how a server makes new hashes, and what it reads.
type Policy struct {
	Policy string   `json:"policy"`  // as its setting: "argon2id,m=19456,t=2,p=1"
	KeyIDs []string `json:"key_ids"` // of the peppers, each ID:hhhhhhhh; the first makes new hashes
	Legacy bool     `json:"legacy"`  // the forms of other makers are read
}

// A Top names those who use most of a server, for those who look at it.
type Top struct {
	Principals []TopPrincipal `json:"principals"`   // up to ten, that with the most weight first
	ID         string         `json:"id,omitempty"` // of the principal that the query names
}

// A TopPrincipal is one of them, by an ID that tells its name to nobody.
type TopPrincipal struct {
	ID     string `json:"id"`
	Weight int64  `json:"weight_ms"` // workers' time, queued and of the last seconds
}

// DecodeRequest reads a request to a path. It keeps nothing of body, which the caller wipes. The
// error is an InvalidError.
func DecodeRequest(path string, body []byte) (Request, error) {
	r := Request{Class: ClassSignIn}
	members := []member{
		{"password", r.secret(unquote)}, {"password_b64", r.secret(unbase64)},
		{"principal", r.setPrincipal}, {"class", r.setClass}, {"deadline_ms", r.setDeadline},
	}
	var required []string
	if path == PathVerify {
		members = append(members, member{"hash", text(&r.Hash)}, member{"upgrade", boolean(&r.Upgrade)})
		required = []string{"hash"}
	}
	err := object(body, true, members, required...)
	if err == nil && r.Password == nil {
		err = InvalidError{"password", "is missing; want it, or password_b64"}
	}
	if err != nil {
		clear(r.Password)
		return Request{}, err
	}
	return r, nil
}

func (r *Request) secret(decode func(value) ([]byte, error)) func(value) error {
	return func(v value) error {
		if r.Password != nil {
			return errors.New("is a second password; want one of password and password_b64")
		}
		password, err := decode(v)
		r.Password = password
		return err
	}
}

func (r *Request) setPrincipal(v value) error {
	if err := text(&r.Principal)(v); err != nil {
		return err
	}
	if n := len(r.Principal); n > MaxPrincipal {
		return fmt.Errorf("has %d bytes; want at most %d", n, MaxPrincipal)
	}
	return nil
}

func (r *Request) setClass(v value) error {
	word, err := unquote(v)
	if err != nil {
		return err
	}
	switch class := Class(word); class {
	case ClassSignIn, ClassChangePassword, ClassRehash:
		r.Class = class
		return nil
	}
	return fmt.Errorf("is not a class; want %q, %q or %q", ClassSignIn, ClassChangePassword, ClassRehash)
}

func (r *Request) setDeadline(v value) error {
	ms, err := integer(v, 1, MaxDeadline.Milliseconds())
	r.Deadline = time.Duration(ms) * time.Millisecond
	return err
}

// AppendJSON appends the request as it goes to a path, with the password in base64. It makes no
// other copy where b has room for Size bytes more. Hash and Principal must be UTF-8.
func (r Request) AppendJSON(b []byte, path string) []byte {
	b = append(b, `{"password_b64":"`...)
	b = append(base64.StdEncoding.AppendEncode(b, r.Password), '"')
	if r.Principal != "" {
		b = appendString(append(b, `,"principal":`...), r.Principal)
	}
	if r.Class != "" && r.Class != ClassSignIn {
		b = appendString(append(b, `,"class":`...), string(r.Class))
	}
	if r.Deadline >= time.Millisecond {
		b = fmt.Appendf(b, `,"deadline_ms":%d`, r.Deadline.Milliseconds())
	}
	if path == PathVerify {
		b = appendString(append(b, `,"hash":`...), r.Hash)
	}
	if r.Upgrade {
		b = append(b, `,"upgrade":true`...)
	}
	return append(b, '}')
}

// Size is at least what AppendJSON appends, in bytes.
func (r Request) Size() int {
	return base64.StdEncoding.EncodedLen(len(r.Password)) + 6*(len(r.Principal)+len(r.Class)+len(r.Hash)) + 128
}

func appendString(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // strings always have a JSON form
	return append(b, quoted...)
}

// DecodeVerifyReply reads a reply, and skips members that it does not know.
func DecodeVerifyReply(body []byte) (VerifyReply, error) {
	var r VerifyReply
	err := object(body, false, []member{
		{"match", boolean(&r.Match)}, {"needs_rehash", boolean(&r.NeedsRehash)},
		{"truncated", boolean(&r.Truncated)}, {"hash", text(&r.Hash)},
	}, "match")
	if err == nil && !r.Match && r != (VerifyReply{}) {
		err = InvalidError{"match", "is false beside what only a match has"}
	}
	if err != nil {
		return VerifyReply{}, err
	}
	return r, nil
}

// DecodeHashReply reads a reply. Its hash is not empty.
func DecodeHashReply(body []byte) (HashReply, error) {
	var r HashReply
	err := object(body, false, []member{{"hash", text(&r.Hash)}}, "hash")
	if err == nil && r.Hash == "" {
		err = InvalidError{"hash", "is empty"}
	}
	return r, err
}

// A Problem is the body of every reply whose status is not 200, by RFC 9457. It holds no password,
// hash or principal. The header Retry-After has its wait in whole seconds, rounded up.
type Problem struct {
	Type       string `json:"type"`   // "about:blank": Title says what the status means
	Title      string `json:"title"`  // the status in words
	Status     int    `json:"status"` // the HTTP status
	Detail     string `json:"detail,omitempty"`
	Reason     Reason `json:"reason,omitempty"`
	RetryAfter int64  `json:"retry_after_ms,omitempty"` // milliseconds until the next attempt

	// NotBegun is password.ErrNotBegun: no hash was begun. Where it is absent or false, or there is
	// no problem at all, one may have been, and a limit on guesses counts the call.
	NotBegun bool `json:"not_begun,omitempty"`
}

// NewProblem returns the problem for a reason. Wait is rounded up to milliseconds, and a day at
// most, as DecodeProblem takes. With a status of 4xx nothing was begun; of 5xx that is for the caller
// to say.
func NewProblem(reason Reason, detail string, wait time.Duration) Problem {
	status := reason.Status()
	return Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Reason: reason,
		RetryAfter: int64((min(max(wait, 0), maxRetryAfter*time.Millisecond) + time.Millisecond - 1) / time.Millisecond),
		NotBegun:   status < http.StatusInternalServerError,
	}
}

// A Reason says in one word why there is no result, as package password's Observation does.
type Reason string

// The reasons, by status.
const (
	ReasonInvalid Reason = "invalid" // 400: Detail names the member

	ReasonNotFound  Reason = "not_found"  // 404: no such path
	ReasonMethod    Reason = "method"     // 405: see the header Allow
	ReasonTooLarge  Reason = "too_large"  // 413: the body is longer than MaxRequest
	ReasonMediaType Reason = "media_type" // 415: the request's Content-Type is not MediaType
	ReasonHost      Reason = "host"       // 421: in plaintext over TCP, the Host is another machine's

	// 422: the request is read, and can't be served whenever it comes.
	ReasonMalformed Reason = "malformed" // password.ErrMalformed
	ReasonCost      Reason = "cost"      // password.ErrCost: above the policy's limits
	ReasonMemory    Reason = "memory"    // password.ErrCost: needs more than the pool's memory
	ReasonKey       Reason = "key"       // password.ErrKey
	ReasonTooLong   Reason = "too_long"  // password.ErrTooLong
	ReasonEmpty     Reason = "empty"     // password.ErrEmpty: of a new hash
	ReasonNUL       Reason = "nul"       // password.ErrNUL

	ReasonInternal Reason = "internal" // 500: the server's own fault

	// 503: not now. The problem says how long to wait.
	ReasonDeadline Reason = "deadline" // would not be ready in time
	ReasonQueue    Reason = "queue"    // the queue is full
	ReasonShare    Reason = "share"    // its principal has its share of the queue
	ReasonShed     Reason = "shed"     // an upgrade during an overload
	ReasonLate     Reason = "late"     // admitted, and can't be done in time after all
	ReasonOverload Reason = "overload" // overloaded, for none of the reasons above
	ReasonClosed   Reason = "closed"   // the server shuts down

	ReasonExpired Reason = "expired" // 504: admitted, and deadline_ms passed before the answer
)

// Status returns the HTTP status that goes with the reason; 500 for one that is not declared here.
func (r Reason) Status() int {
	switch r {
	case ReasonInvalid:
		return http.StatusBadRequest
	case ReasonNotFound:
		return http.StatusNotFound
	case ReasonMethod:
		return http.StatusMethodNotAllowed
	case ReasonTooLarge:
		return http.StatusRequestEntityTooLarge
	case ReasonMediaType:
		return http.StatusUnsupportedMediaType
	case ReasonHost:
		return http.StatusMisdirectedRequest
	case ReasonMalformed, ReasonCost, ReasonMemory, ReasonKey, ReasonTooLong, ReasonEmpty, ReasonNUL:
		return http.StatusUnprocessableEntity
	case ReasonDeadline, ReasonQueue, ReasonShare, ReasonShed, ReasonLate, ReasonOverload, ReasonClosed:
		return http.StatusServiceUnavailable
	case ReasonExpired:
		return http.StatusGatewayTimeout
	}
	return http.StatusInternalServerError
}

// RetryAfterSeconds is the value of the header Retry-After, rounded up; 0: no header.
func (p Problem) RetryAfterSeconds() int64 { return (p.RetryAfter + 999) / 1000 }

// JSON returns the problem as a body.
func (p Problem) JSON() []byte {
	body, _ := json.Marshal(p) // strings and numbers always have a JSON form
	return body
}

// DecodeProblem reads a problem. Members that it does not know are skipped. Status is required.
func DecodeProblem(body []byte) (Problem, error) {
	p := Problem{Type: "about:blank"}
	if err := json.Unmarshal(body, &p); err != nil || p.Status < 100 || p.Status > 599 || p.RetryAfter < 0 || p.RetryAfter > maxRetryAfter {
		return Problem{}, InvalidError{"", "is no problem"}
	}
	return p, nil
}

const maxRetryAfter = 24 * 3600 * 1000 // what a server asks for is seconds
