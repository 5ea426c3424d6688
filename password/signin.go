// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"log/slog"
	"time"

	"fount/internal/erase"
)

// upgradeTime is how long SignIn tries to make and save a new hash.
const upgradeTime = 10 * time.Second

// SignIn verifies given against stored by v, and returns what v.Verify does. If the stored hash
// should be replaced, a goroutine then makes a new one, as an upgrade, and has save store it: the
// caller does not wait for it, and nothing that goes wrong there fails the sign-in. An upgrade that
// fails, that the pool refuses, or that takes longer than 10 s is left to the next sign-in.
//
// save stores the hash new where old still stands, and reports whether it did, in one step such as
// UPDATE users SET hash = new WHERE name = ... AND hash = old: otherwise an upgrade could undo a
// change of the password made meanwhile. It is called at most once, has the values of ctx, and ends
// within 10 s even if ctx's request is over. Its errors and panics go to slog.Default as warnings.
// A nil save upgrades nothing.
//
// given is a string, as forms and JSON have it, or bytes, which the caller may wipe when SignIn has
// returned. SignIn works with copies that it wipes. Close the pool before the store: Close waits
// until what it hashes is saved, also where v is a Verifier that hands its context on to the pool.
func SignIn[P ~string | ~[]byte](ctx context.Context, v Verifier, login Login, given P, stored string,
	save func(ctx context.Context, old, new string) (saved bool, err error)) (Result, error) {
	secret := append(make([]byte, 0, len(given)), given...)
	result, err := v.Verify(ctx, login, secret, stored)
	if err == nil && result.NeedsRehash && save != nil {
		u := upgrade{v: v, login: login, given: secret, stored: stored, save: save}
		go u.run(context.WithoutCancel(ctx))
	} else {
		erase.Wipe(secret)
	}
	return result, err
}

// An upgrade is a stored hash that is to be replaced.
type upgrade struct {
	v      Verifier
	login  Login
	given  []byte // its own
	stored string
	save   func(ctx context.Context, old, new string) (bool, error)
	ended  func() // tells the pool that hashes it; nil: none is to be told
}

// upgradeKey is an upgrade's in its context.
type upgradeKey struct{}

func (u *upgrade) run(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, upgradeTime)
	defer cancel()
	defer func() {
		if u.ended != nil {
			defer u.ended()
		}
		erase.Wipe(u.given)
		if v := recover(); v != nil { // which in a request's goroutine ends nothing else
			slog.WarnContext(ctx, "password: saving an upgraded hash panicked", "value", v)
		}
	}()
	u.login.Upgrade = true
	encoded, err := u.v.Hash(context.WithValue(ctx, upgradeKey{}, u), u.login, u.given)
	erase.Wipe(u.given)
	if err != nil {
		return // the pool has counted it
	}
	saved, err := u.save(ctx, u.stored, encoded)
	switch {
	case err != nil:
		slog.WarnContext(ctx, "password: an upgraded hash was not saved", "error", err)
	case !saved:
		slog.DebugContext(ctx, "password: an upgraded hash came too late: another is stored")
	}
}
