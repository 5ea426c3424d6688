// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// The errors of Hash and Verify, for errors.Is. No error's text in this package holds a password, a
// stored hash, a salt, a sum or a secret.
var (
	// ErrMismatch: the password is not the one that was hashed. An empty one never is.
	ErrMismatch = errors.New("password: mismatch")

	// ErrMalformed: the stored string is not a hash that this package reads: it is damaged, or
	// another program's. The text says which, where that is known.
	ErrMalformed = errors.New("password: unreadable hash")

	// ErrCost: the stored hash, or the policy, asks for more work than the policy's Limits allow.
	ErrCost = errors.New("password: cost above the limits")

	// ErrKey: the stored hash names a key that the policy's Keys do not hold.
	ErrKey = errors.New("password: unknown key")

	// ErrTooLong: the password is longer than 1024 bytes, or, for a new bcrypt without a key, than
	// 72 bytes.
	ErrTooLong = errors.New("password: password too long")

	// ErrEmpty: the password to hash is empty. No password could match its hash.
	ErrEmpty = errors.New("password: empty password; want at least 1 byte")

	// ErrNUL: the password for a bcrypt without a key has a NUL byte. Implementations of bcrypt
	// disagree on those.
	ErrNUL = errors.New("password: password with a NUL byte; want none for bcrypt without Keys")

	// ErrClosed is a Pool's answer to calls after Close, and to calls that Close did not wait for.
	ErrClosed = errors.New("password: pool is closed")

	// ErrNotBegun matches the errors of calls of which no hash was begun: what was refused, what was
	// canceled, expired or closed while it waited, and what was found wrong before any work. They
	// have tried no password. Any other call has, even if its error says no more than that its
	// context ended: a limit on guesses counts it.
	ErrNotBegun = errors.New("password: no hash was begun")
)

// A notBegun is an error of a call of which no hash was begun.
type notBegun struct{ error }

func (e notBegun) Is(target error) bool { return target == ErrNotBegun }
func (e notBegun) Unwrap() error        { return e.error }

// errMemory: the hash needs more than the pool's memory.
var errMemory = fmt.Errorf("%w", ErrCost)

// A Reason is why a call ended with its outcome, one lower-case word. Endings has those of each
// outcome, and ReasonOf that of an error.
type Reason string

// The reasons.
const (
	NoReason Reason = ""

	ReasonDeadline Reason = "deadline" // refused: would not be ready in time
	ReasonQueue    Reason = "queue"    // refused: Options.Queue calls wait
	ReasonShare    Reason = "share"    // refused: its caller or principal has its share
	ReasonShed     Reason = "shed"     // refused: an upgrade, and too many wait
	ReasonClosed   Reason = "closed"   // refused: the pool is closed; canceled: Close did not wait
	ReasonLate     Reason = "late"     // dropped: it could not be done in time after all
	ReasonLeft     Reason = "left"     // canceled: the client left
	ReasonGone     Reason = "gone"     // canceled: the context was done before the call

	ReasonMalformed Reason = "malformed" // invalid, as those below: ErrMalformed
	ReasonCost      Reason = "cost"      // ErrCost: above Limits
	ReasonMemory    Reason = "memory"    // ErrCost: needs more than the pool's memory
	ReasonKey       Reason = "key"       // ErrKey
	ReasonTooLong   Reason = "too_long"  // ErrTooLong
	ReasonEmpty     Reason = "empty"     // an empty password
	ReasonNUL       Reason = "nul"       // ErrNUL
	ReasonOther     Reason = "other"     // a wrong policy
)

// String returns the word, or "none".
func (r Reason) String() string { return cmp.Or(string(r), "none") }

// MarshalText returns the same.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// OverloadedError is a Pool's answer to a call that it can't answer in time. Match it with
// errors.AsType; fount/backoff's Retry waits as long as it says.
type OverloadedError struct {
	// Reason is why: ReasonDeadline, ReasonQueue, ReasonShare, ReasonShed or ReasonLate. It is
	// NoReason from a server that did not say.
	Reason Reason

	// After is how long to wait before the next attempt, with jitter, so that clients that were
	// refused together do not come back together.
	After time.Duration
}

// Error says how long to wait.
func (e OverloadedError) Error() string {
	return "password: overloaded, retry after " + strconv.FormatInt(e.After.Milliseconds(), 10) + " ms"
}

// RetryAfter returns After, for code that matches errors by their methods.
func (e OverloadedError) RetryAfter() time.Duration { return e.After }

// reasons are those of errors. Of an error that is two the first counts.
var reasons = []struct {
	reason Reason
	err    error
}{
	{ReasonMemory, errMemory}, {ReasonMalformed, ErrMalformed}, {ReasonCost, ErrCost}, {ReasonKey, ErrKey},
	{ReasonTooLong, ErrTooLong}, {ReasonEmpty, ErrEmpty}, {ReasonNUL, ErrNUL}, {ReasonClosed, ErrClosed},
}

// Err returns the error of the package that an invalid call of the reason has, such as ErrCost;
// ErrClosed for ReasonClosed; and nil for the reasons that have none of their own.
func (r Reason) Err() error {
	for _, of := range reasons {
		if of.reason == r {
			return of.err
		}
	}
	return nil
}

// ReasonOf returns why a call ended with err, which a Verifier returned: OverloadedError's Reason, or
// that of the package's error which err is; ReasonEmpty for ErrMismatch where no hash was begun, and
// NoReason for nil, any other ErrMismatch and a context's error. It is ReasonOther for all others.
func ReasonOf(err error) Reason {
	if o, ok := errors.AsType[OverloadedError](err); ok {
		return o.Reason
	}
	for _, r := range reasons {
		if errors.Is(err, r.err) {
			return r.reason
		}
	}
	mismatch := errors.Is(err, ErrMismatch)
	switch {
	case mismatch && errors.Is(err, ErrNotBegun):
		return ReasonEmpty
	case err == nil, mismatch, errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return NoReason
	}
	return ReasonOther
}
