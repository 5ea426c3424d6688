// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package accountlimit limits how often one account's password may be guessed, without locking its
// owner out of known clients. It does not limit load, as a password.Pool does, and does not stop an
// attacker who tries one password on many accounts.
//
// A [Limiter] counts wrong passwords in buckets that refill with time:
//
//   - one for each account and client: 10 at once, then one every 6 minutes (240 a day). A client
//     is an address or a network ([password.PrincipalOf]), or a device's token;
//   - one for each account and all its unknown clients together: 100 at once, then one every 15
//     minutes (96 a day, 35,000 a year).
//
// A client is known to an account for 30 days after a right password. A known client takes nothing
// from the account's bucket. A right password costs nothing, and once a day it also forgives the
// client's earlier wrong ones.
//
// An attempt counts if a hash was begun, or may have been, and the password was not found right:
// also if the client leaves, its deadline passes or a server's answer is lost, because the time
// until then may tell whether the password is right. An attempt whose error is
// password.ErrNotBegun does not count, such as one refused in an overload.
//
// While a botnet keeps an account's bucket empty, the owner can't sign in from a new client: offer
// another way, such as a link by mail, and call [Limiter.Trust]. An attacker behind the owner's
// address counts as the owner, with 10 guesses and 250 a day, and can use up the owner's. OWASP's
// device cookies tell the two apart: use their token as the client.
//
// NIST SP 800-63B (section 5.2.2) wants a password disabled after 100 consecutive failures. This
// package disables none: instead, refuse the 35,000 most used passwords when one is chosen.
//
// A Limiter has a fixed size, and forgets everything when the process ends. Accounts share buckets,
// so an account may have more failures counted than its own, never fewer: across all accounts,
// unknown clients are refused after 100 times Entries wrong passwords, and then get Entries more
// each 15 minutes. When the table of clients is full, those with the fewest failures are forgotten
// and may guess anew, within their account's limit. Only a right password, or Trust, displaces a
// known client.
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

// A Rate allows so many Failures at once, and then one more each Every.
type Rate struct {
	Failures int
	Every    time.Duration
}

// Options configure a Limiter. A zero field means the default beside it.
type Options struct {
	// Account is for one account and all its unknown clients together. Default: 100, then one each
	// 15 minutes.
	Account Rate

	// Client is for one account and one client. Default: 10, then one each 6 minutes.
	Client Rate

	// Entries is how many accounts are told apart, and half the number of clients that are
	// remembered. An entry takes 96 bytes. Entries should be at least the machine's hashes a second
	// times Account.Every in seconds, and at least the number of clients that sign in within 30
	// days. Default: 131,072. At most 16,777,216.
	Entries int
}

const (
	maxEntries = 1 << 24
	knownFor   = 30 * 24 * time.Hour

	// longest is how long a bucket may take to refill. Shared ones may take up to 292 years.
	longest = 10 * 365 * 24 * time.Hour
)

// complete returns o with its defaults, or an error that names the wrong field.
func (o Options) complete() (Options, error) {
	o.Account = cmp.Or(o.Account, Rate{100, 15 * time.Minute})
	o.Client = cmp.Or(o.Client, Rate{10, 6 * time.Minute})
	o.Entries = cmp.Or(o.Entries, 1<<17)

	for _, r := range []Rate{o.Account, o.Client} {
		isValid := r.Failures >= 1 && r.Every > 0 && r.Every <= longest/time.Duration(r.Failures)
		if !isValid {
			return o, fmt.Errorf("accountlimit: Options.Account or Client is %d each %v; want at least 1, each more than 0, and all refilled within 10 years",
				r.Failures, r.Every)
		}
	}
	if o.Entries < 0 || o.Entries > maxEntries {
		return o, fmt.Errorf("accountlimit: Options.Entries is %d; want 1 to %d, or 0 for 131072", o.Entries, maxEntries)
	}
	return o, nil
}

// A LimitedError means that too many wrong passwords were tried for an account, which may not
// exist, from this client or from all unknown clients. The password was not hashed, and does not
// count. After is how long until the next one may be tried.
type LimitedError struct{ After time.Duration }

// Error says how long to wait.
func (e LimitedError) Error() string {
	return "accountlimit: too many wrong passwords, retry after " + e.After.Round(time.Second).String()
}

// RetryAfter returns After, for fount/backoff.
func (e LimitedError) RetryAfter() time.Duration { return e.After }

// A Limiter counts the wrong passwords of accounts. Any goroutine may call its methods.
//
// Name an account always in the same spelling, such as the user's ID or the name in lower case:
// otherwise each spelling has its own guesses. Pass names of unknown users too: they count alike.
// The Limiter keeps only keyed hashes of names.
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

	l := &Limiter{
		options: o,
		start:   time.Now(),
		key:     fount.Key(),
		clients: make(clients, (2*o.Entries+ways-1)/ways),
	}
	for row := range l.accounts {
		l.accounts[row] = make([]time.Duration, o.Entries)
	}
	return l, nil
}

// An Attempt is one try of a password or another secret. Only one goroutine at a time may use it.
type Attempt struct {
	limiter         *Limiter
	account, client digest
	known           bool
	begun           time.Duration
	ended           bool
}

// Begin starts an attempt. It counts as a failure until End says otherwise, so a client has at most
// Client.Failures attempts under way at once. A program that signs in with each request should do
// so once before it sends several at a time. The error is nil or a LimitedError.
func (l *Limiter) Begin(account, client string) (*Attempt, error) {
	a := &Attempt{limiter: l, account: l.id(account, ""), client: l.id(account, client)}

	l.mu.Lock()
	defer l.mu.Unlock()

	o := &l.options
	now := time.Since(l.start)
	a.begun = now

	var wait time.Duration
	c := l.clients.find(a.client)
	if c != nil {
		wait = o.Client.wait(c.full, now)
		a.known = c.known > now
	}
	if !a.known {
		buckets := l.accounts.buckets(a.account)
		full := *buckets[0] // of the one with the fewest failures
		for _, b := range buckets[1:] {
			full = min(full, *b)
		}
		wait = max(wait, o.Account.wait(full, now))
	}

	if wait > 0 {
		return nil, LimitedError{wait}
	}

	c = l.clients.findOrAdd(a.client, 0, now)
	c.full = o.Client.charge(c.full, now)
	if !a.known {
		for _, b := range l.accounts.buckets(a.account) {
			*b = o.Account.charge(*b, now)
		}
	}
	return a, nil
}

// End ends the attempt with the error of Verify. If err is nil, the client becomes known. If err is
// password.ErrNotBegun, the attempt does not count; any other error counts, as does an attempt
// without End. Calls after the first do nothing.
func (a *Attempt) End(err error) {
	if a.ended {
		return
	}
	a.ended = true
	if err != nil && !errors.Is(err, password.ErrNotBegun) {
		return
	}

	l := a.limiter
	l.mu.Lock()
	defer l.mu.Unlock()

	o := &l.options
	now := time.Since(l.start)
	if !a.known {
		// Take back the charge, but for what has refilled since Begin: without the charge, the
		// bucket might have been full by then, and not have refilled any further.
		for _, b := range l.accounts.buckets(a.account) {
			*b -= max(0, o.Account.Every-(now-a.begun))
		}
	}
	if c := l.clients.find(a.client); c != nil {
		c.full -= o.Client.Every
	}
	if err != nil {
		return
	}

	// Only once a day: otherwise an attacker behind the owner's address would get a full bucket
	// with each of the owner's sign-ins.
	c := l.clients.findOrAdd(a.client, now+knownFor, now)
	if c.full > now && now >= c.forgives {
		c.full = 0
		c.forgives = now + 24*time.Hour
	}
}

// Trust makes a client known, as a right password does. It is for owners who have proved their
// identity in another way, such as by a link in a mail.
func (l *Limiter) Trust(account, client string) {
	l.mu.Lock()
	defer l.mu.Unlock()

	now := time.Since(l.start)
	l.clients.findOrAdd(l.id(account, client), now+knownFor, now).full = 0
}

// For returns a Verifier for one account. Its Verify calls v's between Begin and End, with
// Login.Principal as the client. Hash and Ready are v's own. v must return password.ErrNotBegun for
// a call that it refuses, as a Pool and a remote client do: other errors count as guesses.
func (l *Limiter) For(v password.Verifier, account string) password.Verifier {
	return limited{v, l, account}
}

type limited struct {
	password.Verifier
	limiter *Limiter
	account string
}

func (v limited) Verify(ctx context.Context, login password.Login, given []byte, encoded string) (password.Result, error) {
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

// wait returns the time until another failure is allowed: 0 or less if it is now. full is the time
// at which a bucket will be full again, since the Limiter was made; each failure adds Every. This
// is the generic cell rate algorithm (ITU-T I.371).
func (r Rate) wait(full, now time.Duration) time.Duration {
	return r.charge(full, now) - now - time.Duration(r.Failures)*r.Every
}

// charge returns the bucket with one more failure.
func (r Rate) charge(full, now time.Duration) time.Duration { return max(full, now) + r.Every }

// A digest is a keyed hash of an account, or of an account and a client.
type digest [4]uint64

// A sketch has buckets for any number of accounts in a fixed size. Each account has one bucket in
// each row, and may share it with others, so it has at least its own failures (count-min: Cormode
// and Muthukrishnan, 2005).
type sketch [len(digest{})][]time.Duration

// buckets returns the account's buckets, one of each row.
func (s *sketch) buckets(id digest) (all [len(digest{})]*time.Duration) {
	for row := range s {
		all[row] = &s[row][id[row]%uint64(len(s[row]))]
	}
	return all
}

// A client is a client of an account.
type client struct {
	id       uint64
	full     time.Duration // its bucket
	known    time.Duration // until when the client is known
	forgives time.Duration // from when on a right password forgives wrong ones
}

const ways = 8 // entries of a set

// clients is a table of fixed size. A client may be in any entry of one set.
type clients [][ways]client

// find returns the client's entry, or nil.
func (c clients) find(id digest) *client {
	set := &c[id[0]%uint64(len(c))]
	for i := range set {
		if set[i].id == id[0] {
			return &set[i]
		}
	}
	return nil
}

// findOrAdd returns the client's entry, and makes it known until then. A new client replaces the
// one that is known for the shortest time, and of those the one with the fewest failures. But with
// until 0 it replaces no known client: if all are known, the entry is not part of the table.
func (c clients) findOrAdd(id digest, until, now time.Duration) *client {
	p := c.find(id)
	if p == nil {
		set := &c[id[0]%uint64(len(c))]
		p = &set[0]
		for i := range set {
			s := &set[i]
			known := max(s.known, now)
			shortest := max(p.known, now)
			if known < shortest || known == shortest && s.full < p.full {
				p = s
			}
		}

		if p.known > now && until == 0 {
			p = new(client)
		}
		*p = client{id: id[0]}
	}

	p.known = max(p.known, until)
	return p
}
