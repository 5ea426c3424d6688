// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package accountlimit

import (
	"cmp"
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

	// Entries is how many accounts' failures it tells apart, and half of the clients for
	// which it has places: 96 bytes for all. It should be at least the hashes a second of
	// the machine times Account.Every in seconds, and at least the clients from which
	// users sign in within Known. Default: 131,072. At most 16,777,216.
	Entries int
}

const maxEntries = 1 << 24

// complete returns o with its defaults, or an error that names the wrong field.
func (o Options) complete() (Options, error) {
	o.Account = cmp.Or(o.Account, Rate{100, 15 * time.Minute})
	o.Client = cmp.Or(o.Client, Rate{10, 6 * time.Minute})
	o.Known = cmp.Or(o.Known, 30*24*time.Hour)
	o.Entries = cmp.Or(o.Entries, 1<<17)
	switch {
	case o.Known < 0:
		return o, fmt.Errorf("accountlimit: Options.Known is %v; want more than 0, or 0 for 30 days", o.Known)
	case o.Entries < 0 || o.Entries > maxEntries:
		return o, fmt.Errorf("accountlimit: Options.Entries is %d; want 1 to %d, or 0 for 131072", o.Entries, maxEntries)
	}
	return o, errors.Join(o.Account.check("Account"), o.Client.check("Client"))
}

// longest is how long a bucket may take to fill: buckets that accounts share hold some times more,
// and nanoseconds in 64 bits 292 years.
const longest = 10 * 365 * 24 * time.Hour

func (r Rate) check(name string) error {
	if r.Failures < 1 || r.Every <= 0 || r.Every > longest/time.Duration(r.Failures) {
		return fmt.Errorf("accountlimit: Options.%s is %d each %v; want at least 1, each more than 0, and all refilled within 10 years",
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
	accounts sketch
	clients  clients
}

// New returns a Limiter.
func New(o Options) (*Limiter, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	return &Limiter{
		options: o, start: time.Now(), key: fount.Key(),
		accounts: newSketch(o.Entries), clients: make(clients, (2*o.Entries+ways-1)/ways),
	}, nil
}

// An Attempt is a password, or another secret, that is being tried.
type Attempt struct {
	limiter         *Limiter
	account, client digest
	known           bool
	begun           time.Duration
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
	now, o := time.Since(l.start), l.options
	var wait time.Duration
	c := l.clients.find(a.client)
	if c != nil {
		wait = o.Client.wait(c.full, now)
	}
	a.begun, a.known = now, c != nil && c.known > now
	if !a.known {
		wait = max(wait, o.Account.wait(l.accounts.full(a.account), now))
	}
	if wait > 0 {
		return nil, LimitedError{wait}
	}
	c = l.clients.place(a.client, 0, now)
	c.full = o.Client.charge(c.full, now)
	if !a.known {
		l.accounts.charge(a.account, o.Account, now)
	}
	return a, nil
}

// End says what became of the attempt: nil for a right password, which makes the client
// known; password.ErrMismatch for a wrong one that was hashed, which counts. With any
// other error nothing was answered, and nothing counts, but that the account's bucket has
// not refilled in the meantime. Calls after the first do nothing.
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
	now, o := time.Since(l.start), l.options
	if !a.known {
		l.accounts.refund(a.account, o.Account, a.begun, now)
	}
	if c := l.clients.find(a.client); c != nil {
		c.full -= o.Client.Every
	}
	if err != nil {
		return
	}
	// Once a day: who guesses behind the owner's address must not have a full bucket with each of the
	// owner's sign-ins.
	c := l.clients.place(a.client, now+o.Known, now)
	if c.full > now && now >= c.forgives {
		c.full, c.forgives = 0, now+24*time.Hour
	}
}

// Trust makes a client known as a right password does: for an owner who has shown
// otherwise who he is, such as by a link in a mail.
func (l *Limiter) Trust(account, client string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Since(l.start)
	l.clients.place(l.id(account, client), now+l.options.Known, now).full = 0
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

func (l *Limiter) id(account, client string) (d digest) {
	mac := hmac.New(sha256.New, l.key[:])
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(account))))
	mac.Write([]byte(account))
	mac.Write([]byte(client))
	sum := mac.Sum(nil)
	for i := range d {
		d[i] = binary.BigEndian.Uint64(sum[8*i:])
	}
	return d
}
