// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package accountlimit slows the guessing of one account's password without locking its owner out
// of clients that he used before. It is not a limit on load, which is the pool's, and it does not
// stop somebody who tries one password on many accounts.
//
// A [Limiter] counts wrong passwords in buckets that refill with time:
//
//   - one for each account and client: 10 at once, then one every 6 minutes (240 a day). A client
//     is an address or a network ([password.PrincipalOf]), or a device's token;
//   - one for each account and all clients that it was not signed in from before: 100 at once, then
//     one every 15 minutes (96 a day, 35,000 a year).
//
// A client from which the account was signed in within 30 days is known: it has its own bucket and
// takes nothing from the account's. A right password costs nothing, and once a day forgives the
// client's wrong ones before it.
//
// Each password counts of which a hash was begun, or may have been, and that is not found right,
// also if the client leaves, its deadline passes or a server's answer is lost: the time until then
// can tell whether it is right. What an overload refuses, or ends in a Pool's queue, does not count
// (password.ErrNotBegun).
//
// While a botnet keeps an account's bucket empty, its owner can't sign in from a new client: let
// him in by another way, such as a link by mail, and call [Limiter.Trust]. A guesser behind the
// owner's own address counts as the owner: he has 10 guesses and 250 a day, and can use up the
// owner's. OWASP's device cookies tell the two apart: use their token as the client.
//
// NIST SP 800-63B (section 5.2.2) wants a password disabled after 100 consecutive failures. This
// package disables nothing: refuse the 35,000 most used passwords when one is chosen.
//
// Counts end with the process and have a fixed size. Accounts share buckets, so an account may have
// more failures counted than its own, never fewer: across all accounts, unknown clients are refused
// after 100 times Entries wrong passwords, and then get Entries more each 15 minutes. When the
// table of clients is full, those with the fewest failures are forgotten and may guess anew, within
// their account's limit. Only right passwords displace a known client.
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
	// Account is for one account and all clients that are not known. Default: 100, then one each 15
	// minutes.
	Account Rate

	// Client is for one account and one client. Default: 10, then one each 6 minutes.
	Client Rate

	// Entries is how many accounts' failures it tells apart, and half of the clients for which it
	// has places, 96 bytes each: at least the hashes a second of the machine times Account.Every in
	// seconds, and at least the clients from which users sign in within 30 days. Default: 131,072.
	// At most 16,777,216.
	Entries int
}

const (
	maxEntries = 1 << 24
	knownFor   = 30 * 24 * time.Hour

	// longest is how long a bucket may take to fill. Shared ones hold more, up to 292 years.
	longest = 10 * 365 * 24 * time.Hour
)

// complete returns o with its defaults, or an error that names the wrong field.
func (o Options) complete() (Options, error) {
	o.Account = cmp.Or(o.Account, Rate{100, 15 * time.Minute})
	o.Client = cmp.Or(o.Client, Rate{10, 6 * time.Minute})
	o.Entries = cmp.Or(o.Entries, 1<<17)
	for _, r := range []Rate{o.Account, o.Client} {
		if r.Failures < 1 || r.Every <= 0 || r.Every > longest/time.Duration(r.Failures) {
			return o, fmt.Errorf("accountlimit: Options.Account or Client is %d each %v; want at least 1, each more than 0, and all refilled within 10 years",
				r.Failures, r.Every)
		}
	}
	if o.Entries < 0 || o.Entries > maxEntries {
		return o, fmt.Errorf("accountlimit: Options.Entries is %d; want 1 to %d, or 0 for 131072", o.Entries, maxEntries)
	}
	return o, nil
}

// A LimitedError says that an account, which may not exist, has had too many wrong passwords, from
// this client or from all unknown ones: After is how long until the next may be tried. This one was
// not hashed and does not count.
type LimitedError struct{ After time.Duration }

// Error says how long to wait.
func (e LimitedError) Error() string {
	return "accountlimit: too many wrong passwords, retry after " + e.After.Round(time.Second).String()
}

// RetryAfter returns After, for fount/backoff.
func (e LimitedError) RetryAfter() time.Duration { return e.After }

// A Limiter counts the wrong passwords of accounts. Its methods may be called from any goroutine.
//
// An account is what the store finds its user by: pass it in one spelling, such as lower case or
// the user's ID, or each spelling has guesses of its own. Pass names without a user too: they count
// alike. The Limiter keeps only keyed hashes.
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
	l := &Limiter{options: o, start: time.Now(), key: fount.Key(), clients: make(clients, (2*o.Entries+ways-1)/ways)}
	for row := range l.accounts {
		l.accounts[row] = make([]time.Duration, o.Entries)
	}
	return l, nil
}

// An Attempt is a password, or another secret, that is being tried. It is one goroutine's.
type Attempt struct {
	limiter         *Limiter
	account, client digest
	known           bool
	begun           time.Duration
	ended           bool
}

// Begin counts an attempt as a failure until End says otherwise, so that many at once are no more
// than the limit allows: of one client at most Client.Failures are under way at once. Let a program
// that signs in with each request do so once, before it sends several at a time. The error is nil
// or a LimitedError.
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
	c = l.clients.place(a.client, 0, now)
	c.full = o.Client.charge(c.full, now)
	if !a.known {
		for _, b := range l.accounts.buckets(a.account) {
			*b = o.Account.charge(*b, now)
		}
	}
	return a, nil
}

// End says what became of the attempt: nil for a right password, which makes the client known, or
// the error of Verify. One that is password.ErrNotBegun does not count; any other counts, as does
// an attempt without End. Calls after the first do nothing.
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
	now, o := time.Since(l.start), l.options
	if !a.known {
		// But for what has refilled since: without the charge the bucket may have been full for so
		// long, and what later charges hold of that is others'.
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
	// Once a day: who guesses behind the owner's address must not have a full bucket with each of
	// the owner's sign-ins.
	c := l.clients.place(a.client, now+knownFor, now)
	if c.full > now && now >= c.forgives {
		c.full, c.forgives = 0, now+24*time.Hour
	}
}

// Trust makes a client known as a right password does: for an owner who has shown otherwise who he
// is, such as by a link in a mail.
func (l *Limiter) Trust(account, client string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Since(l.start)
	l.clients.place(l.id(account, client), now+knownFor, now).full = 0
}

// For returns a Verifier that asks v about the passwords of one account, between Begin and End. The
// client is Login.Principal. Hash and Ready are v's own. An overload counts as a guess unless v's
// error is password.ErrNotBegun, as a Pool's and a remote client's are.
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

// All that is kept of a bucket is when it is full again, since the Limiter was made: the generic
// cell rate algorithm (ITU-T I.371), in which a failure is Every more.

// wait returns how long until there is room for a failure; at most 0: there is.
func (r Rate) wait(full, now time.Duration) time.Duration {
	return r.charge(full, now) - now - time.Duration(r.Failures)*r.Every
}

func (r Rate) charge(full, now time.Duration) time.Duration { return max(full, now) + r.Every }

// A digest is a keyed hash of an account, or of an account and a client.
type digest [4]uint64

// A sketch has the buckets of any number of accounts in a fixed size: each account has one in each
// row, in which others may lie too, so none has fewer failures than its own (count-min: Cormode and
// Muthukrishnan, 2005).
type sketch [len(digest{})][]time.Duration

// buckets yields the account's.
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
	known    time.Duration // until when it is
	forgives time.Duration // when a right password empties the bucket again
}

const ways = 8 // places in which a client may lie

// clients has a fixed number of places.
type clients [][ways]client

// find returns nil for a client that has no place.
func (c clients) find(id digest) *client {
	set := &c[id[0]%uint64(len(c))]
	for i := range set {
		if set[i].id == id[0] {
			return &set[i]
		}
	}
	return nil
}

// place returns the client's place, or takes that of the client that is known for the shortest time
// and has the fewest failures. A client that is not known until displaces none that is: if there
// are only those, its place is none in the table.
func (c clients) place(id digest, until, now time.Duration) *client {
	p := c.find(id)
	if p == nil {
		set := &c[id[0]%uint64(len(c))]
		p = &set[0]
		for i := range set {
			s := &set[i]
			known, least := max(s.known, now), max(p.known, now)
			if known < least || known == least && s.full < p.full {
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
