// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// For whom a hash is made, and how a Pool is set up.

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"fount/internal/turn"
	"fount/password/internal/client"
)

// A Login says for whom a password is hashed.
type Login struct {
	// Caller, if not empty, is the program that asks for many principals, as fountd's clients do.
	// Callers share the machine first, where one may have a quarter more than the mean, and each
	// one's principals share what it has: a caller that invents principals gains nothing. Set it
	// only to a name that was authenticated. The pool keeps only a keyed hash of it.
	Caller string

	// Principal is where the attempt comes from: an address without its port (see PrincipalOf) or a
	// client's ID; "" is a principal like any other. It is not the account: an attacker tries many
	// accounts from one address. Principals share the queue fairly. The pool keeps only a keyed
	// hash.
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
	return client.Principal(client.Parse(remoteAddr))
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

// Options set up a Pool. A zero field means the default beside it.
type Options struct {
	Policy Policy // of new hashes and unknown users, and what stored hashes may cost

	// Stored has one stored hash of each kind that the store has beside Policy's, the most frequent
	// first, as Sample chooses them. Without them the time of a refusal reveals users with a hash
	// of another policy, until they next sign in (Django's CVE-2016-2513). With them, every
	// password that does not match takes a hash of Policy and one of each of Stored, in this order;
	// one that matches takes the hashes up to its own. PBKDF2 with one digest is one kind: what
	// does not match goes on, for nothing, to the most iterations in Policy and Stored. A call
	// whose deadline does not leave time for all is refused, so NewPool returns ErrCost if Stored
	// takes more than 1 s beside Policy, as Sample estimates it. An empty string is an error.
	// Default: none.
	Stored []string

	// Workers is how many hashes run at once; several bcrypts side by side count as one, and
	// argon2's lanes are filled one after another. More than GOMAXPROCS hash no faster and delay
	// the rest of the process. Default: GOMAXPROCS, or the CPU quota of the process's control
	// group, rounded up, if that is less; both may change.
	Workers int

	// Memory is how many bytes the running hashes may hold together: argon2 and scrypt wait for it.
	// A hash that needs more than all of it gets ErrCost. Memory that an argon2 held is kept for
	// the next, up to this limit, until a minute passes without one. Default: for each worker the
	// largest hash of Policy and Stored, at least 256 MiB.
	Memory int64

	// Queue is how many calls may wait. In practice MaxWait bounds the queue. Default: 8192.
	Queue int

	// MaxWait is how long a call may wait until its hash begins, even if its context allows more or
	// has no deadline: r.Context() does not say how long a client waits. Default: five times as
	// long as hashes of its kind take, several bcrypts side by side, or as the longest that runs or
	// waits, at least 300 ms. In less, one client that floods keeps others out, upgrades take
	// sign-ins' time, and an overload loses some of the machine; in more, nothing is gained, and
	// everybody waits longer. Stats has the wait in force.
	MaxWait time.Duration

	// Observe is called once for each call of Verify and Hash that ends, and for each refusal by
	// Ready, with the call's context, to make spans, exemplars and log lines. It runs on the
	// caller's goroutine, after all counting, just before the call returns: if it is slow, it
	// delays only that caller, to whom its panic propagates. It must be safe for concurrent use.
	// Default: none.
	Observe func(context.Context, Observation)
}

// DefaultQueue is the default of Options.Queue.
const DefaultQueue = 8192

// complete returns o with its defaults, for hashes of each bytes of memory, or an error that names
// the wrong field.
func (o Options) complete(each int64) (Options, error) {
	switch {
	case o.Workers < 0 || o.Queue < 0 || o.MaxWait < 0:
		return o, fmt.Errorf("password: Options.Workers, Options.Queue and Options.MaxWait are %d, %d and %v; want none below 0",
			o.Workers, o.Queue, o.MaxWait)
	case o.Memory < 0 || o.Memory > 0 && o.Memory < each:
		return o, fmt.Errorf("password: Options.Memory is %d bytes; want at least %d, one hash of the policy",
			o.Memory, each)
	}
	o.Memory = cmp.Or(o.Memory, max(int64(cmp.Or(o.Workers, turn.Cores()))*each, leastMemory))
	o.Queue = cmp.Or(o.Queue, DefaultQueue)
	return o, nil
}
