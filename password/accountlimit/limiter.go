// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package accountlimit

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"fount"
	"fount/password"
)

// A Rate is how many failures there may be: so many at once, then one each Every.
type Rate struct {
	Failures int
	Every    time.Duration
}

// Options set up a Limiter. A zero field means the default beside it.
type Options struct {
	// Account is for one account and all clients that are not known.
	// Default: 100, then one each 15 minutes.
	Account Rate

	// Client is for one account and one client. Default: 10, then one each 6 minutes.
	Client Rate

	// Known is how long a client is known after the account was last signed in from it.
	// Default: 30 days.
	Known time.Duration

	// Entries is how many accounts with failures it counts exactly, how many of their
	// clients, and how many known clients it remembers: 66 bytes for the three. Above
	// that see the package's documentation. It should be at least the hashes a second
	// of the machine times Account.Every in seconds, and at least the clients from which
	// users sign in within Known. Default: 131,072. At most 16,777,216.
	Entries int
}

const maxEntries = 1 << 24

// complete returns o with its defaults, or an error that names the wrong field.
func (o Options) complete() (Options, error) {
	o.Account = o.Account.or(Rate{100, 15 * time.Minute})
	o.Client = o.Client.or(Rate{10, 6 * time.Minute})
	if o.Known == 0 {
		o.Known = 30 * 24 * time.Hour
	}
	if o.Entries == 0 {
		o.Entries = 1 << 17
	}
	switch {
	case o.Known < 0:
		return o, fmt.Errorf("accountlimit: Options.Known is %v; want more than 0, or 0 for 30 days", o.Known)
	case o.Entries < 0 || o.Entries > maxEntries:
		return o, fmt.Errorf("accountlimit: Options.Entries is %d; want 1 to %d, or 0 for 131072", o.Entries, maxEntries)
	}
	return o, errors.Join(o.Account.check("Account"), o.Client.check("Client"))
}

func (r Rate) or(d Rate) Rate {
	if r == (Rate{}) {
		return d
	}
	return r
}

const century = 100 * 365 * 24 * time.Hour // nanoseconds in 64 bits hold three

func (r Rate) check(name string) error {
	if r.Failures < 1 || r.Every <= 0 || r.Every > century/time.Duration(r.Failures) {
		return fmt.Errorf("accountlimit: Options.%s is %d each %v; want at least 1, each more than 0, and all refilled within 100 years",
			name, r.Failures, r.Every)
	}
	return nil
}

// A LimitedError says that an account has had too many wrong passwords, from this
// client or from all unknown ones: After is how long until the next may be tried. It
// was not hashed and does not count. It is the answer for accounts that don't exist,
// too. It is no password.OverloadedError: that speaks of the server, this of a guesser.
// fount/backoff waits for either as long as it says.
type LimitedError struct{ After time.Duration }

// Error says how long to wait.
func (e LimitedError) Error() string {
	return "accountlimit: too many wrong passwords, retry after " + e.After.Round(time.Second).String()
}

// RetryAfter returns After.
func (e LimitedError) RetryAfter() time.Duration { return e.After }

// A Limiter counts the wrong passwords of accounts. Its methods may be called from any
// goroutine.
//
// An account is what the store finds its user by: pass it in one spelling, such as
// lower case or the user's ID, or each spelling has guesses of its own. Pass names
// without a user too: they count alike. The Limiter keeps only keyed hashes.
type Limiter struct {
	options Options
	start   time.Time
	key     [32]byte

	mu       sync.Mutex
	accounts table
	clients  table
	known    knowns
	refused  uint64
}

// New returns a Limiter.
func New(o Options) (*Limiter, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	return &Limiter{
		options: o, start: time.Now(), key: fount.Key(),
		accounts: newTable(o.Account, o.Entries, true), clients: newTable(o.Client, o.Entries, false), known: newKnowns(o.Entries),
	}, nil
}

// An Attempt is a password, or another secret, that is being tried.
type Attempt struct {
	limiter         *Limiter
	account, client uint64
	known           bool
	receipts        [2]receipt // of account and client
	ended           bool
}

// Begin counts an attempt as a failure until End says otherwise, so that many at once
// are no more than the limit allows. So of one client at most Client.Failures are under
// way at once, and one that begins more is told to wait as if those had failed: let a
// program that signs in with each request do so once, before it sends several at a time.
// Its error is nil or a LimitedError.
func (l *Limiter) Begin(account, client string) (*Attempt, error) {
	a := &Attempt{limiter: l, account: l.id(account, ""), client: l.id(account, client)}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Since(l.start)
	var wait time.Duration
	if k := l.known.find(a.client, now); k != nil {
		a.known = true
		if wait = l.options.Client.wait(k.full, now); wait <= 0 {
			k.full = l.options.Client.charge(k.full, now)
		}
	} else if wait = max(l.accounts.wait(a.account, now), l.clients.wait(a.client, now)); wait <= 0 {
		a.receipts = [2]receipt{l.accounts.charge(a.account, now), l.clients.charge(a.client, now)}
	}
	if wait > 0 {
		l.refused++
		return nil, LimitedError{wait}
	}
	return a, nil
}

// End says what became of the attempt: nil for a right password, which makes the client
// known; password.ErrMismatch for a wrong one that was hashed, which counts. With any
// other error nothing was answered, and nothing counts. Calls after the first do nothing.
func (a *Attempt) End(err error) {
	if a.ended {
		return
	}
	a.ended = true
	if errors.Is(err, password.ErrMismatch) {
		return
	}
	l := a.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Since(l.start)
	if !a.known {
		l.accounts.refund(a.receipts[0])
		l.clients.refund(a.receipts[1])
	} else if k := l.known.find(a.client, now); k != nil {
		k.full -= l.options.Client.Every
	}
	if err == nil {
		l.known.add(a.client, now, now+l.options.Known).forgive(now)
	}
}

// Trust makes a client known as a right password does: for an owner who has shown
// otherwise who he is, such as by a link in a mail.
func (l *Limiter) Trust(account, client string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Since(l.start)
	l.known.add(l.id(account, client), now, now+l.options.Known).full = 0
}

// Stats are counts since the Limiter was made.
type Stats struct {
	Refused   uint64 // attempts that got a LimitedError
	Displaced uint64 // accounts and clients whose failures a newcomer inherited: the tables are full
}

// Stats returns what was counted.
func (l *Limiter) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Stats{Refused: l.refused, Displaced: l.accounts.all + l.clients.all}
}

// For returns a Verifier that asks v about the passwords of one account, within the
// limits. The client is Login.Principal. An empty password is v's to answer, and does not
// count: nobody hashes it, so it would cost a guesser nothing to lock an account by it.
// Hash is v's own.
func (l *Limiter) For(v password.Verifier, account string) password.Verifier {
	return limited{v, l, account}
}

type limited struct {
	password.Verifier
	limiter *Limiter
	account string
}

func (v limited) Verify(ctx context.Context, login password.Login, given []byte, encoded string) (password.Result, error) {
	if len(given) == 0 {
		return v.Verifier.Verify(ctx, login, given, encoded)
	}
	attempt, err := v.limiter.Begin(v.account, login.Principal)
	if err != nil {
		return password.Result{}, err
	}
	result, err := v.Verifier.Verify(ctx, login, given, encoded)
	attempt.End(err)
	return result, err
}

// id returns a keyed hash of an account, or of an account and a client.
func (l *Limiter) id(account, client string) uint64 {
	mac := hmac.New(sha256.New, l.key[:])
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(account))))
	mac.Write([]byte(account))
	mac.Write([]byte(client))
	return binary.BigEndian.Uint64(mac.Sum(nil))
}
