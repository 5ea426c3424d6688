// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package api defines the messages of fountd's HTTP API.
//
//	POST /v1/verify  Request  ->  200 VerifyReply
//	POST /v1/hash    Request  ->  200 HashReply
//	GET  /v1/policy           ->  200 Policy
//	GET  /v1/top              ->  200 Top
//
// Every other status has a Problem as its body (RFC 9457). Bodies are JSON in UTF-8 (RFC 8259).
//
// Requests are read strictly: a member that is unknown, null, missing, repeated or of a wrong type
// is an error that names it, as a misspelt deadline_ms would be ignored otherwise. In replies
// clients skip unknown members, and handle an unknown Reason by the status.
//
// Passwords are decoded into bytes, which can be wiped, and never into strings.
package api

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"fount/internal/erase"
	"fount/internal/problem"
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
	MediaTypeProblem = problem.MediaType
)

// HeaderWait is the header of replies that says how long the server's queue takes, in milliseconds.
const HeaderWait = "Fountd-Wait"

// The limits of a message. A server rejects a longer body with ReasonTooLarge.
const (
	MaxRequest   = 8 << 10   // bytes; enough for the longest password that fountd takes with each byte escaped
	MaxReply     = 16 << 10  // bytes
	MaxPassword  = 4096      // bytes that a client sends; a server may accept fewer, and then says how many
	MaxPrincipal = 256       // bytes
	MaxHash      = 1024      // bytes; fountd reads stored hashes of at most 640
	MaxDeadline  = time.Hour // of deadline_ms
)

// A Request asks whether Hash was made from Password, or for a new hash of it. Its members are
//
//	password     string, or password_b64 with padded base64: exactly one of them
//	hash         string, required; empty for an unknown user
//	principal    string, at most MaxPrincipal bytes; absent: ""
//	class        "sign_in" or "upgrade"; absent: "sign_in"
//	deadline_ms  integer, 1 to 3600000: the time left; absent: none
//	renew        boolean; absent: false
//
// A request for a new hash has no hash and no renew.
type Request struct {
	Password  []byte // the caller wipes it
	Hash      string
	Principal string        // where the attempt comes from
	Upgrade   bool          // the class: password.Login.Upgrade
	Deadline  time.Duration // the time left when it was sent, in whole milliseconds; if 0, unlimited
	Renew     bool          // if a match needs a rehash, answer with the new hash
}

// A VerifyReply is the answer to PathVerify. Unless Match is true, the other fields are zero.
type VerifyReply struct {
	Match       bool   `json:"match"`
	NeedsRehash bool   `json:"needs_rehash"`   // store a new hash
	Truncated   bool   `json:"truncated"`      // only the password's first 72 bytes were compared
	Hash        string `json:"hash,omitempty"` // the new hash to store, if Renew was set; absent in an overload
}

// A HashReply is the answer to PathHash.
type HashReply struct {
	Hash string `json:"hash"`
}

// A Policy describes how a server makes new hashes and which hashes it reads.
type Policy struct {
	Policy string   `json:"policy"`  // as its setting: "argon2id,m=19456,t=2,p=1"
	KeyIDs []string `json:"key_ids"` // of the peppers, each ID:hhhhhhhh; the first makes new hashes
	Legacy bool     `json:"legacy"`  // it reads the hash formats of other software
}

// A Top lists the principals that use most of a server.
type Top struct {
	Principals []TopPrincipal `json:"principals"`   // up to ten, the heaviest first
	ID         string         `json:"id,omitempty"` // of the principal that the query names
}

// A TopPrincipal is one of them. Its ID does not reveal its name.
type TopPrincipal struct {
	ID     string `json:"id"`
	Weight int64  `json:"weight_ms"` // machine time, queued and of the last seconds; 2000 is all of it
}

// DecodeRequest decodes a request to a path. It does not keep body, which the caller wipes. Its
// error is an InvalidError.
func DecodeRequest(path string, body []byte) (Request, error) {
	var r Request
	members := []member{
		{"password", r.secret(unquote)},
		{"password_b64", r.secret(unbase64)},
		{"principal", text(&r.Principal, MaxPrincipal)},
		{"class", r.setClass},
		{"deadline_ms", r.setDeadline},
	}
	var required []string
	if path == PathVerify {
		members = append(members, member{"hash", text(&r.Hash, MaxRequest)}, member{"renew", boolean(&r.Renew)})
		required = []string{"hash"}
	}

	err := object(body, true, members, required...)
	if err == nil && r.Password == nil {
		err = InvalidError{"password", "is missing; want it, or password_b64"}
	}
	if err != nil {
		erase.Wipe(r.Password)
		return Request{}, err
	}
	return r, nil
}

func (r *Request) secret(decode func(value) ([]byte, error)) func(value) error {
	return func(v value) error {
		if r.Password != nil {
			return errors.New("is a second password; want either password or password_b64")
		}

		password, err := decode(v)
		r.Password = password
		return err
	}
}

func (r *Request) setClass(v value) error {
	word, err := unquote(v)
	r.Upgrade = string(word) == "upgrade"
	if err == nil && !r.Upgrade && string(word) != "sign_in" {
		return errors.New(`is not a class; want "sign_in" or "upgrade"`)
	}
	return err
}

func (r *Request) setDeadline(v value) error {
	const most = MaxDeadline / time.Millisecond
	ms, err := strconv.ParseFloat(string(v), 64) // 5, 5.0 and 5e0 are one integer, as in JSON Schema
	if err != nil || ms != math.Trunc(ms) || ms < 1 || ms > float64(most) {
		return fmt.Errorf("is not an integer from 1 to %d", most)
	}
	r.Deadline = time.Duration(ms) * time.Millisecond
	return nil
}

// AppendJSON appends the request to a path as JSON, with the password in base64. If b has room for
// Size bytes, it makes no other copy. Hash and Principal must be UTF-8.
func (r Request) AppendJSON(b []byte, path string) []byte {
	b = append(b, `{"password_b64":"`...)
	b = append(base64.StdEncoding.AppendEncode(b, r.Password), '"')

	if r.Principal != "" {
		b = appendString(append(b, `,"principal":`...), r.Principal)
	}
	if r.Upgrade {
		b = append(b, `,"class":"upgrade"`...)
	}
	if r.Deadline >= time.Millisecond {
		b = fmt.Appendf(b, `,"deadline_ms":%d`, r.Deadline.Milliseconds())
	}
	if path == PathVerify {
		b = appendString(append(b, `,"hash":`...), r.Hash)
	}
	if r.Renew {
		b = append(b, `,"renew":true`...)
	}

	return append(b, '}')
}

// Size returns an upper bound on the bytes that AppendJSON appends.
func (r Request) Size() int {
	return base64.StdEncoding.EncodedLen(len(r.Password)) + 6*(len(r.Principal)+len(r.Hash)) + 128
}

func appendString(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string can always be encoded
	return append(b, quoted...)
}

// DecodeVerifyReply decodes a reply and skips unknown members.
func DecodeVerifyReply(body []byte) (VerifyReply, error) {
	var r VerifyReply
	err := object(body, false, []member{
		{"match", boolean(&r.Match)},
		{"needs_rehash", boolean(&r.NeedsRehash)},
		{"truncated", boolean(&r.Truncated)},
		{"hash", text(&r.Hash, MaxReply)},
	}, "match")

	if err == nil && !r.Match && r != (VerifyReply{}) {
		err = InvalidError{"match", "is false, but a member that only a match has is set"}
	}
	if err != nil {
		return VerifyReply{}, err
	}
	return r, nil
}

// DecodeHashReply decodes a reply and skips unknown members. An empty hash is an error.
func DecodeHashReply(body []byte) (HashReply, error) {
	var r HashReply
	err := object(body, false, []member{{"hash", text(&r.Hash, MaxReply)}}, "hash")
	if err == nil && r.Hash == "" {
		err = InvalidError{"hash", "is empty"}
	}
	return r, err
}

// A Problem is the body of every reply whose status is not 200 (RFC 9457). It holds no password,
// hash or principal. Beside those below it has the fields
//
//	Type        "about:blank": Title says what the status means
//	Title       the status in words
//	Status      the HTTP status
//	RetryAfter  milliseconds until the next attempt, in JSON retry_after_ms
//
// The header Retry-After repeats RetryAfter in whole seconds, rounded up.
type Problem struct {
	problem.Details
	Detail string `json:"detail,omitempty"`
	Reason Reason `json:"reason,omitempty"`

	// NotBegun reports password.ErrNotBegun: no hash was begun. If it is false or absent, or there
	// is no problem at all, one may have been, so a limit on guesses must count the call.
	NotBegun bool `json:"not_begun,omitempty"`
}

// NewProblem returns the problem for a reason. It rounds wait up to milliseconds and limits it to a
// day, as DecodeProblem does. It sets NotBegun for a status of 4xx; for 5xx the caller may set it.
func NewProblem(reason Reason, detail string, wait time.Duration) Problem {
	status := reason.Status()
	return Problem{
		Details:  problem.New(status, wait),
		Detail:   detail,
		Reason:   reason,
		NotBegun: status < http.StatusInternalServerError,
	}
}

// A Reason says in one word why there is no result, as password.Reason does.
type Reason string

// The reasons, by status.
const (
	ReasonInvalid Reason = "invalid" // 400: Detail names the member

	ReasonNotFound  Reason = "not_found"  // 404: no such path
	ReasonMethod    Reason = "method"     // 405: see the header Allow
	ReasonTooLarge  Reason = "too_large"  // 413: the body is longer than MaxRequest
	ReasonMediaType Reason = "media_type" // 415: the request's Content-Type is not MediaType
	ReasonHost      Reason = "host"       // 421: a plaintext request over TCP has a Host other than localhost

	// 422: the request is understood, but a retry would fail too.
	ReasonMalformed Reason = "malformed" // password.ErrMalformed
	ReasonCost      Reason = "cost"      // password.ErrCost: above the policy's limits
	ReasonMemory    Reason = "memory"    // password.ErrCost: needs more than the pool's memory
	ReasonKey       Reason = "key"       // password.ErrKey
	ReasonTooLong   Reason = "too_long"  // password.ErrTooLong
	ReasonEmpty     Reason = "empty"     // password.ErrEmpty: of a new hash
	ReasonNUL       Reason = "nul"       // password.ErrNUL

	ReasonInternal Reason = "internal" // 500: the server's own fault

	// 503: try again later. The problem says when.
	ReasonDeadline Reason = "deadline" // would not be ready in time
	ReasonQueue    Reason = "queue"    // the queue is full
	ReasonShare    Reason = "share"    // its principal already has its share of the queue
	ReasonShed     Reason = "shed"     // an upgrade during an overload
	ReasonLate     Reason = "late"     // admitted, but found too late to be done in time
	ReasonOverload Reason = "overload" // overloaded, for none of the reasons above
	ReasonClosed   Reason = "closed"   // the server shuts down

	ReasonExpired Reason = "expired" // 504: admitted, but deadline_ms passed before the answer
)

// Status returns the HTTP status of a reason, or 500 for one that is not declared here.
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

// JSON returns the problem as a body.
func (p Problem) JSON() []byte {
	body, _ := json.Marshal(p) // strings and numbers can always be encoded
	return body
}

// DecodeProblem decodes a problem and skips unknown members. Status is required.
func DecodeProblem(body []byte) (Problem, error) {
	var p Problem
	p.Type = problem.Blank
	err := json.Unmarshal(body, &p)

	isStatus := 100 <= p.Status && p.Status <= 599
	isWait := 0 <= p.RetryAfter && p.RetryAfter <= problem.MaxWait.Milliseconds()
	if err != nil || !isStatus || !isWait {
		return Problem{}, InvalidError{"", "is not a problem with a status from 100 to 599"}
	}
	return p, nil
}
