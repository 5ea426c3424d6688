// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package api

import (
	"encoding/json"
	"net/http"
	"time"
)

// A Problem is the body of every reply whose status is not 200: problem details by RFC 9457. It holds no password, hash or
// principal. The time to wait also stands in the header Retry-After, in whole seconds, rounded up.
type Problem struct {
	Type       string `json:"type"`   // "about:blank": Title says what the status means
	Title      string `json:"title"`  // the status in words
	Status     int    `json:"status"` // the HTTP status
	Detail     string `json:"detail,omitempty"`
	Reason     Reason `json:"reason,omitempty"`
	RetryAfter int64  `json:"retry_after_ms,omitempty"` // milliseconds until the next attempt
}

// NewProblem returns the problem for a reason, with the reason's status. Wait is rounded up to whole milliseconds.
func NewProblem(reason Reason, detail string, wait time.Duration) Problem {
	status := reason.Status()
	return Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Reason: reason,
		RetryAfter: int64((max(wait, 0) + time.Millisecond - 1) / time.Millisecond),
	}
}

// A Reason says in one word why there is no result. Where package password's Observation has a reason, it is the same word.
type Reason string

// The reasons, by status.
const (
	ReasonInvalid Reason = "invalid" // 400: not the JSON that this package decodes; Detail names the member

	ReasonNotFound  Reason = "not_found"  // 404: no such path
	ReasonMethod    Reason = "method"     // 405: see the header Allow
	ReasonTooLarge  Reason = "too_large"  // 413: the body is longer than MaxRequest
	ReasonMediaType Reason = "media_type" // 415: the request's Content-Type is not MediaType

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
	var reason string
	err := object(body, false, []member{
		{"type", text(&p.Type)}, {"title", text(&p.Title)}, {"detail", text(&p.Detail)}, {"reason", text(&reason)},
		{"status", func(v value) (err error) {
			status, err := integer(v, 100, 599)
			p.Status = int(status)
			return err
		}},
		{"retry_after_ms", func(v value) (err error) {
			p.RetryAfter, err = integer(v, 0, maxRetryAfter.Milliseconds())
			return err
		}},
	}, "status")
	p.Reason = Reason(reason)
	return p, err
}

const maxRetryAfter = 24 * time.Hour // what a server asks for is seconds
