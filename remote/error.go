// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"fount"
	"fount/password"
	"fount/remote/api"
)

// An Error says why a call has no result. It wraps the error that a password.Pool would return. If
// it wraps none, the configuration or the server is at fault, and a retry does not help.
type Error struct {
	// Reason is the one that fountd gave, such as "queue", or empty if fountd did not answer.
	Reason api.Reason

	detail   string // one line
	as       []error
	notBegun bool // password.ErrNotBegun: no server has begun a hash
}

// Error returns the server's message as one line. It holds no password, hash or principal.
func (e *Error) Error() string {
	text := "remote: " + e.detail
	if o, ok := errors.AsType[password.OverloadedError](e); ok {
		text += "; retry after " + o.After.Round(time.Millisecond).String()
	}
	return text
}

// Unwrap returns the errors of package password, and the cause of a missing answer.
func (e *Error) Unwrap() []error { return e.as }

// Is reports whether target is password.ErrNotBegun and no server began a hash: none was
// reached, or it said so.
func (e *Error) Is(target error) bool { return target == password.ErrNotBegun && e.notBegun }

// A notSent is an error after which it is certain that no server got the request.
type notSent struct{ error }

func (e notSent) Unwrap() error { return e.error }

// unsent returns the error of a call that was not sent.
func unsent(as error, format string, args ...any) *Error {
	return &Error{detail: fmt.Sprintf(format, args...), as: []error{as}, notBegun: true}
}

// errorOf returns the error for a problem in a server's answer.
func errorOf(p api.Problem) error {
	e := &Error{Reason: p.Reason, detail: "fountd: " + printable(cmp.Or(p.Detail, string(p.Reason), p.Title)), notBegun: p.NotBegun}
	reason := password.Reason(p.Reason)
	own := reason.Err()
	closed := p.Reason == api.ReasonClosed
	mayPass := slices.Contains([]int{429, 502, 503, 504}, p.Status) // 429 and 502 are a proxy's

	if p.Reason.Status() != p.Status {
		reason = password.NoReason // a proxy's
	}
	later := password.OverloadedError{Reason: reason, After: wait(time.Duration(p.RetryAfter) * time.Millisecond)}

	switch {
	case p.Reason == api.ReasonExpired:
		e.as = []error{context.DeadlineExceeded}
	case closed && mayPass: // another server, or a restarted one, may answer
		e.as = []error{later, own}
	case own != nil && !closed:
		e.as = []error{own}
	case mayPass:
		e.as = []error{later}
	}
	return e
}

// wait returns how long to wait before a retry: what the server said, or one to two seconds.
func wait(said time.Duration) time.Duration {
	return cmp.Or(said, time.Second+fount.N(time.Second))
}

const maxLine = 300 // bytes

// printable turns text from a server into one short line.
func printable(text string) string {
	if len(text) > maxLine {
		text = text[:maxLine] + "..."
	}
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}
