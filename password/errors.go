// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// The errors of Hash and Verify. Match them with errors.Is. No error's text in this package
// contains a password, a stored hash, a salt, a sum or a secret.
var (
	// ErrMismatch means that the password is wrong. An empty one always is.
	ErrMismatch = errors.New("password: mismatch")

	// ErrMalformed means that the stored string is damaged, or of a form that is not read. The text
	// says more if the form is known.
	ErrMalformed = errors.New("password: unreadable hash")

	// ErrCost means that a hash takes more time or memory than the policy's Limits or the Pool
	// allow.
	ErrCost = errors.New("password: cost above the limits")

	// ErrKey means that the stored hash names a key that the policy's Keys do not hold.
	ErrKey = errors.New("password: unknown key")

	// ErrTooLong means that the password is longer than 1024 bytes, or longer than 72 for a new
	// bcrypt without Keys.
	ErrTooLong = errors.New("password: password too long")

	// ErrEmpty means that the password to hash is empty. Verify would never accept it.
	ErrEmpty = errors.New("password: empty password; want at least 1 byte")

	// ErrNUL means that the password to hash has a NUL byte, and the policy is bcrypt without Keys.
	// Implementations of bcrypt disagree on NUL.
	ErrNUL = errors.New("password: password with a NUL byte; want none for bcrypt without Keys")

	// ErrClosed is a Pool's error for calls after Close, and for calls that Close did not wait for.
	ErrClosed = errors.New("password: pool is closed")

	// ErrNotBegun matches every error of a call that began no hash, and so tried no password: the
	// call was refused, ended while it waited, or was invalid. The error matches a second one,
	// which says why. A limit on guesses must count calls with any other error.
	ErrNotBegun = errors.New("password: no hash was begun")
)

func tooLong(password []byte, limit int, what string) error {
	return fmt.Errorf("%w: %d bytes; want at most %d%s", ErrTooLong, len(password), limit, what)
}

// notBegun makes an error match ErrNotBegun.
type notBegun struct{ error }

func (e notBegun) Is(target error) bool { return target == ErrNotBegun }
func (e notBegun) Unwrap() error        { return e.error }

// errMemory is ErrCost of a hash that needs more than the pool's memory.
var errMemory = fmt.Errorf("%w", ErrCost)

// A Reason is why a call ended with its Outcome: one lower-case word. Endings lists the reasons of
// each outcome.
type Reason string

// The reasons.
const (
	NoReason Reason = "" // the outcome says it all

	ReasonDeadline Reason = "deadline" // refused: would not be ready in time
	ReasonQueue    Reason = "queue"    // refused: Options.Queue calls wait
	ReasonShare    Reason = "share"    // refused: its caller or principal uses more than its share
	ReasonShed     Reason = "shed"     // refused: an upgrade, and too many upgrades wait
	ReasonClosed   Reason = "closed"   // refused: the pool is closed; canceled: Close did not wait
	ReasonLate     Reason = "late"     // dropped: it could not be done in time after all
	ReasonLeft     Reason = "left"     // canceled: the client left
	ReasonGone     Reason = "gone"     // canceled: the context was done before the call

	ReasonMalformed Reason = "malformed" // invalid, as those below: ErrMalformed
	ReasonCost      Reason = "cost"      // ErrCost: above Limits
	ReasonMemory    Reason = "memory"    // ErrCost: needs more than the pool's memory
	ReasonKey       Reason = "key"       // ErrKey
	ReasonTooLong   Reason = "too_long"  // ErrTooLong
	ReasonEmpty     Reason = "empty"     // ErrEmpty of Hash, ErrMismatch of Verify
	ReasonNUL       Reason = "nul"       // ErrNUL
	ReasonOther     Reason = "other"     // any other error, as of a wrong policy
)

// String returns the word, or "none" for NoReason.
func (r Reason) String() string { return cmp.Or(string(r), "none") }

// MarshalText returns what String does.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (r *Reason) UnmarshalText(text []byte) error {
	*r = Reason(text)
	if *r == Reason(NoReason.String()) {
		*r = NoReason
	}
	return nil
}

// OverloadedError is a Pool's error for a call that it can't answer in time. Match it with
// errors.AsType. Package fount/backoff's Retry waits as long as it says.
type OverloadedError struct {
	// Reason is ReasonDeadline, ReasonQueue, ReasonShare, ReasonShed or ReasonLate, or NoReason if
	// a remote server did not say.
	Reason Reason

	// After is how long to wait before the next attempt, at least a millisecond. It is partly
	// random, so that clients refused together don't come back together. In an error of your own
	// passwordhttp takes 0 for a millisecond.
	After time.Duration
}

// Error says how long to wait.
func (e OverloadedError) Error() string {
	return fmt.Sprintf("password: overloaded, retry after %d ms", e.After.Milliseconds())
}

// RetryAfter returns After, for code that matches errors by their methods.
func (e OverloadedError) RetryAfter() time.Duration { return e.After }

// reasons maps errors to reasons. If an error matches several, the first counts.
var reasons = []struct {
	reason Reason
	err    error
}{
	{ReasonMemory, errMemory}, {ReasonMalformed, ErrMalformed}, {ReasonCost, ErrCost}, {ReasonKey, ErrKey},
	{ReasonTooLong, ErrTooLong}, {ReasonEmpty, ErrEmpty}, {ReasonNUL, ErrNUL}, {ReasonClosed, ErrClosed},
}

// Err returns the package's error for r, such as ErrCost, or nil for a reason that has none of its
// own, such as those of OverloadedError.
func (r Reason) Err() error {
	for _, of := range reasons {
		if of.reason == r {
			return of.err
		}
	}
	return nil
}

// ReasonOf returns the Reason of a Verifier's error: that of an OverloadedError, or the one whose
// Err it matches. It returns NoReason for nil, a context's error and ErrMismatch, ReasonEmpty if an
// ErrMismatch matches ErrNotBegun too, and ReasonOther for any other error.
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
