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
	// Caller, if not empty, is the program that asks on behalf of principals, as fountd's clients
	// do. Callers share the machine, and the principals of a caller share its part, so a caller
	// that invents principals gains nothing. Set it only to an authenticated name.
	Caller string

	// Principal is where the attempt comes from: an address without its port (see PrincipalOf), or
	// a client's ID; "" is a principal like any other. It is not the account: an attacker tries
	// many accounts from one address. The pool keeps only keyed hashes of Principal and Caller.
	Principal string

	// Upgrade says that the call replaces the hash of a password that has just matched. Upgrades
	// have a queue of their own: they run when no sign-in waits, and get about a hundredth of the
	// machine in a lasting overload.
	Upgrade bool
}

// PrincipalOf returns the Login.Principal for an address in the form of
// [net/http.Request.RemoteAddr]: the host without the port, which may be missing.
//
// Each IPv4 address is a principal, also if it is mapped into IPv6 or, by a translator (NAT64,
// SIIT-DC), into 64:ff9b::/96 (RFC 6052): those addresses are your network's translator's, and no
// other host can connect from them. Each /56 of IPv6 is a principal, because a home usually has one
// (RFC 6177); zones are dropped. All that is no address, such as "@" of a Unix socket, is the
// principal "", so that nobody can invent principals.
//
// Behind a proxy, RemoteAddr is the proxy's. On a Unix socket it is a name that the client may have
// chosen to look like an address. Package passwordhttp handles both.
func PrincipalOf(remoteAddr string) string {
	return client.Principal(client.Parse(remoteAddr), client.Network)
}

// A Verifier verifies and hashes passwords: a Pool, a client of fount/remote, what accountlimit's
// For returns, or passwordtest's Pool. The methods may be called from any goroutine.
type Verifier interface {
	// Verify and Hash do what Pool's do.
	Verify(ctx context.Context, login Login, password []byte, encoded string) (Result, error)
	Hash(ctx context.Context, login Login, password []byte) (string, error)

	// Ready returns the error with which a Verify by login would be refused now, or nil. It asks no
	// other process, so a remote server may refuse later. The error matches ErrNotBegun.
	Ready(ctx context.Context, login Login) error
}

// upgradeTime is how long SignIn tries to make and save a new hash.
const upgradeTime = 10 * time.Second

// SignIn verifies given against stored by v, and returns what v.Verify does. If the stored hash
// needs a rehash, a goroutine then makes a new one, as an upgrade, and calls save; SignIn does not
// wait for it. If that fails or takes longer than 10 s, the next sign-in tries again. A match that
// other passwords would give as well replaces nothing: see Result.NeedsRehash.
//
// save replaces old by new if old is still stored, and reports whether it did. It must do so in one
// step, such as UPDATE users SET hash = new WHERE name = ... AND hash = old: otherwise an upgrade
// could undo a change of the password made meanwhile. It is called at most once. Its context has
// the values of ctx and ends within 10 s, not with ctx. Its errors and panics go to slog.Default as
// warnings. If save is nil, no hash is replaced.
//
// given is a string, or bytes that the caller may wipe when SignIn has returned. SignIn works with
// copies that it wipes. At shutdown, close the pool before the store: Close waits until upgrades
// are saved, also if v is a Verifier that passes its context on to the pool.
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

// An upgrade replaces a stored hash.
type upgrade struct {
	v      Verifier
	login  Login
	given  []byte // its own
	stored string
	save   func(ctx context.Context, old, new string) (bool, error)
	done   func() // if not nil, ends Pool.Close's wait for it
}

// upgradeKey is the context key of an *upgrade, by which Pool.Hash finds it.
type upgradeKey struct{}

func (u *upgrade) run(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, upgradeTime)
	defer cancel()
	defer func() {
		if u.done != nil {
			defer u.done()
		}
		erase.Wipe(u.given)
		if v := recover(); v != nil { // as net/http does for a handler
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
