// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"fount/password"
)

// The longest contents of a request, in bytes.
const (
	MaxPassword  = 1024
	MaxEncoded   = 320
	MaxPrincipal = 255 // a longer one travels as its SHA-256
)

// The sealed parts before they are sealed: always as long, whatever is in them.
const (
	requestSize = 2048
	replySize   = 512
)

// A Request is what a client asks of a fleet.
type Request struct {
	Kind      Kind
	Left      time.Duration // until the client gives up; more than MaxLeft counts as that
	Cost      Cost          // see there for unknown users
	Password  []byte
	Encoded   string // Verify: the stored hash, "" for an unknown user
	Principal string
	Class     password.Class
	Upgrade   bool // Verify: if the password matches and its hash needs a rehash, reply with a new one
}

// The fields of a request.
const (
	tagSequence  = 1 // number of the request in its encapsulation
	tagAge       = 2 // microseconds from the encapsulation to the request
	tagPassword  = 3
	tagEncoded   = 4
	tagPrincipal = 5
	tagClass     = 6
	tagOptions   = 7 // bits; a bit that is not known is ignored
)

const optionUpgrade = 1

// appendTo appends the fields, padded. b must have room for requestSize bytes, so that no copy of the password is left behind.
func (r *Request) appendTo(b []byte, sequence, age uint32) ([]byte, error) {
	switch {
	case len(r.Password) > MaxPassword:
		return nil, password.ErrTooLong
	case len(r.Encoded) > MaxEncoded:
		return nil, fmt.Errorf("%w: %d bytes; want at most %d", password.ErrMalformed, len(r.Encoded), MaxEncoded)
	case r.Kind == Hash && (r.Encoded != "" || r.Upgrade):
		return nil, errors.New("fleet: Encoded or Upgrade in a request for a new hash")
	}
	start := len(b)
	b = appendNumber(b, tagSequence, sequence)
	b = appendNumber(b, tagAge, age)
	b = appendField(b, tagPassword, r.Password)
	if r.Encoded != "" {
		b = appendField(b, tagEncoded, []byte(r.Encoded))
	}
	principal := r.Principal
	if len(principal) > MaxPrincipal {
		sum := sha256.Sum256([]byte(principal))
		principal = "sha256:" + hex.EncodeToString(sum[:])
	}
	b = appendField(b, tagPrincipal, []byte(principal))
	b = appendField(b, tagClass, []byte{byte(r.Class)})
	if r.Upgrade {
		b = appendField(b, tagOptions, []byte{optionUpgrade})
	}
	return pad(b, start+requestSize), nil
}

// parse reads the fields of a request. Password is a part of b.
func (r *Request) parse(b []byte) (sequence, age uint32, err error) {
	const required = 1<<tagSequence | 1<<tagAge | 1<<tagPassword
	have := 0
	err = readFields(b, func(tag byte, value []byte) (bool, error) {
		var err error
		switch tag {
		case tagSequence:
			sequence, err = number(value)
		case tagAge:
			age, err = number(value)
		case tagPassword:
			r.Password = value
		case tagEncoded:
			r.Encoded = string(value)
		case tagPrincipal:
			r.Principal = string(value)
		case tagClass:
			if len(value) != 1 {
				return true, errFields
			}
			r.Class = password.Class(value[0])
		case tagOptions:
			if len(value) == 0 {
				return true, errFields
			}
			r.Upgrade = value[0]&optionUpgrade != 0
		default:
			return false, nil
		}
		have |= 1 << tag
		return true, err
	})
	switch {
	case err != nil:
		return 0, 0, err
	case have&required != required, len(r.Password) > MaxPassword, len(r.Encoded) > MaxEncoded, len(r.Principal) > MaxPrincipal,
		r.Kind == Hash && (r.Encoded != "" || r.Upgrade):
		return 0, 0, errFields
	}
	return sequence, age, nil
}

// A Verdict says what came of a request that was opened.
type Verdict uint8

const (
	Match Verdict = iota + 1
	Mismatch
	Hashed
	Malformed  // and the following: the errors of package password
	TooCostly  // ErrCost
	KeyMissing // ErrKey
	TooLong
	Empty
	NUL
	Overloaded  // after it was admitted, or with no room for it after all
	Closed      // the worker's pool
	Expired     // the time left ran out
	Unsupported // it asks for what this worker's version does not know
	Failed      // anything else
)

// ErrUnsupported and ErrFailed are errors of a worker that package password does not have.
var (
	ErrUnsupported = errors.New("fleet: the worker's version does not know what was asked")
	ErrFailed      = errors.New("fleet: the worker failed")
)

var verdictErrors = map[Verdict]error{
	Mismatch: password.ErrMismatch, Malformed: password.ErrMalformed, TooCostly: password.ErrCost, KeyMissing: password.ErrKey,
	TooLong: password.ErrTooLong, Empty: password.ErrEmpty, NUL: password.ErrNUL, Closed: password.ErrClosed,
	Expired: context.DeadlineExceeded, Unsupported: ErrUnsupported, Failed: ErrFailed,
}

// VerdictOf returns the verdict for an error of password.Verifier's methods, and for OverloadedError its After.
func VerdictOf(err error) (Verdict, time.Duration) {
	if o, ok := errors.AsType[password.OverloadedError](err); ok {
		return Overloaded, o.After
	}
	for v := Mismatch; v < Failed; v++ {
		if e := verdictErrors[v]; e != nil && errors.Is(err, e) {
			return v, 0
		}
	}
	return Failed, 0
}

// A Reply is what a worker answers.
type Reply struct {
	Verdict     Verdict
	NeedsRehash bool          // Match: see password.Result
	Truncated   bool          // Match: see password.Result
	Encoded     string        // Hashed: the new hash; Match: the one to store, if Upgrade was asked and there was time
	After       time.Duration // Overloaded: when to ask again; 0 to MaxLeft, to the microsecond
	Policy      Cost          // the cost of the fleet's policy, for requests to come
	News        *News         // the worker's, with as many kinds as there is room for, 8 at least; nil: none
}

// Err returns the error that a password.Verifier returns for this reply, nil for Match and Hashed.
func (r Reply) Err() error {
	switch r.Verdict {
	case Match, Hashed:
		return nil
	case Overloaded:
		return password.OverloadedError{After: r.After}
	}
	if err, ok := verdictErrors[r.Verdict]; ok {
		return err
	}
	return fmt.Errorf("%w: verdict %d, of a later version", ErrFailed, r.Verdict)
}

// The fields of a reply. tagEncoded is that of a request.
const (
	tagVerdict = 1
	tagResult  = 2 // bits; a bit that is not known is ignored
	tagAfter   = 3 // microseconds
	tagPolicy  = 5
	tagNews    = 6
)

const resultRehash, resultTruncated = 1, 2

// appendTo appends the fields, padded. b must have room for replySize bytes.
func (r *Reply) appendTo(b []byte) ([]byte, error) {
	if len(r.Encoded) > MaxEncoded {
		return nil, fmt.Errorf("fleet: a hash of %d bytes; want at most %d", len(r.Encoded), MaxEncoded)
	}
	var result byte
	if r.NeedsRehash {
		result |= resultRehash
	}
	if r.Truncated {
		result |= resultTruncated
	}
	start := len(b)
	b = appendField(b, tagVerdict, []byte{byte(r.Verdict)})
	b = appendField(b, tagResult, []byte{result})
	b = appendNumber(b, tagAfter, uint32(min(max(r.After, 0), MaxLeft)/time.Microsecond))
	b = appendField(b, tagEncoded, []byte(r.Encoded))
	b = appendField(b, tagPolicy, r.Policy.appendTo(nil))
	if r.News != nil {
		b = appendField(b, tagNews, r.News.AppendTo(nil, start+replySize-len(b)-3))
	}
	return pad(b, start+replySize), nil
}

// parse reads the fields of a reply to a request of a kind.
func (r *Reply) parse(b []byte, kind Kind) error {
	err := readFields(b, func(tag byte, value []byte) (bool, error) {
		switch tag {
		case tagVerdict:
			if len(value) != 1 {
				return true, errFields
			}
			r.Verdict = Verdict(value[0])
		case tagResult:
			if len(value) == 0 {
				return true, errFields
			}
			r.NeedsRehash, r.Truncated = value[0]&resultRehash != 0, value[0]&resultTruncated != 0
		case tagAfter:
			n, err := number(value)
			if err != nil {
				return true, err
			}
			r.After = min(time.Duration(n)*time.Microsecond, MaxLeft)
		case tagEncoded:
			r.Encoded = string(value)
		case tagPolicy:
			if len(value) < costSize {
				return true, errFields
			}
			r.Policy = parseCost(value)
		case tagNews:
			if n, err := ParseNews(value); err == nil { // the answer counts without them
				r.News = &n
			}
		default:
			return false, nil
		}
		return true, nil
	})
	switch {
	case err != nil:
		return err
	case r.Verdict == 0, len(r.Encoded) > MaxEncoded,
		kind == Verify && r.Verdict == Hashed,
		kind == Hash && (r.Verdict == Match || r.Verdict == Mismatch),
		(r.Verdict == Hashed) != (r.Encoded != "") && r.Verdict != Match:
		return errFields
	}
	return nil
}
