// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"log/slog"
	"time"

	"fount/internal/erase"
	"fount/password/internal/client"
)

// A Login says for whom a password is hashed.
type Login struct {
	// Caller, if not empty, is the program that asks for many principals, as fountd's clients do.
	// Callers share the machine first, and each one's principals share what it has: a caller that
	// invents principals gains nothing. Set it only to a name that was authenticated.
	Caller string

	// Principal is where the attempt comes from: an address without its port (see PrincipalOf) or a
	// client's ID; "" is a principal like any other. It is not the account: an attacker tries many
	// accounts from one address. The pool keeps only a keyed hash of it, as of Caller.
	Principal string

	// Upgrade says that the call replaces the hash of a password that has just matched. Upgrades
	// have a queue of their own: they take what sign-ins leave free, and in a lasting overload
	// about a hundredth of the machine.
	Upgrade bool
}

// PrincipalOf returns the Login.Principal for an address in the form of
// [net/http.Request.RemoteAddr]: the host without its port, which changes with each connection and
// may be missing.
//
// Each IPv4 address is a principal, even if written as an IPv6 one or, by a translator (NAT64,
// SIIT-DC), as one of 64:ff9b::/96 (RFC 6052): what is sent there goes to your network's
// translator, so no other host can connect from it. Each /56 of IPv6 is one, because a home usually
// has that, 256 networks (RFC 6177); zones are dropped. Everything that is not an address, such as
// "@" of a Unix socket, is one principal, "": otherwise its writer could be a new one each time.
//
// Behind a proxy, RemoteAddr is the proxy's, and of a Unix socket a name that the client may have
// chosen to look like an address: package passwordhttp knows both.
func PrincipalOf(remoteAddr string) string {
	return client.Principal(client.Parse(remoteAddr), client.Network)
}

// A Verifier verifies and hashes passwords: a Pool, a client of fount/remote, what accountlimit's
// For returns, or passwordtest's Pool. The methods may be called from any goroutine.
type Verifier interface {
	// Verify and Hash are as Pool's.
	Verify(ctx context.Context, login Login, password []byte, encoded string) (Result, error)
	Hash(ctx context.Context, login Login, password []byte) (string, error)

	// Ready returns the error with which a Verify by login would be refused now, or nil. It asks no
	// other process, so a remote server may refuse what Ready does not. The error matches
	// ErrNotBegun.
	Ready(ctx context.Context, login Login) error
}

// upgradeTime is how long SignIn tries to make and save a new hash.
const upgradeTime = 10 * time.Second

// SignIn verifies given against stored by v, and returns what v.Verify does. If the stored hash
// should be replaced, a goroutine then makes a new one, as an upgrade, and has save store it: the
// caller does not wait for it. One that fails, or takes longer than 10 s, is left to the next
// sign-in.
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
