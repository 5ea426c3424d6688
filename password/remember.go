// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Matches that need not be hashed again. What that gives up stands in docs/threat-model.md.

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fount"
	"fount/internal/erase"
)

// RememberOptions set up a Remembered. A zero field means the default beside it.
type RememberOptions struct {
	// For is how long a match is remembered after it was hashed; a hit does not
	// prolong it. Default: 5 minutes. At most 1 hour.
	For time.Duration

	// Entries is how many stored hashes it remembers a password of, 65 bytes each;
	// rounded up to a multiple of 8. Default: 8192. At most 1,048,576.
	Entries int
}

// The defaults of RememberOptions, and their ceilings.
const (
	defaultRemember, maxRemember = 5 * time.Minute, time.Hour
	defaultEntries, maxEntries   = 8192, 1 << 20
)

// Remembered is a Verifier that answers a password it has lately seen match without
// hashing it again: for Basic authentication and API clients, which send their
// password with each request. It is not a session, and no place for tokens.
//
// It remembers matches alone. A wrong password is hashed each time it comes, takes no
// place and displaces nothing. A match belongs to its stored hash: a new hash, after a
// change of the password, is verified anew, and each hash has one place, so one user
// displaces no other. If more users sign in than there are places, the match that has
// the least time left makes way.
//
// What it keeps is HMAC-SHA-256 of hash and password, under a random key of this
// value's own in memory outside the Go heap. It wipes what is out of date within a
// quarter of RememberOptions.For. A hash and a password of more than 1 KiB together
// are not remembered.
//
// The next Verifier does not see a hit: it counts and observes none, and a pepper or
// limit that was changed meanwhile does not apply to it. docs/threat-model.md says
// what else it gives up. Pool.Ready does not know what is remembered: a service that
// asks it first, as a passwordhttp.Gate with a Pool does, refuses hits in an overload.
//
// Its methods may be called from any goroutine.
type Remembered struct {
	next  Verifier
	life  time.Duration
	start time.Time
	hits  atomic.Uint64

	mu      sync.RWMutex
	key     *[macSize]byte // all zeros: closed, or in a forked child, and nothing is remembered
	places  []match
	forgets []uint64 // calls of Forget, by set
	sweeper *time.Timer
}

const (
	macSize  = 32      // bytes of HMAC-SHA-256
	ways     = 8       // places in which a stored hash may lie
	maxInput = 1 << 10 // bytes of hash and password together
)

// A match is a place in memory: the zero value is free.
type match struct {
	hash   uint64 // of the stored hash, by Remembered.place
	mac    [macSize]byte
	till   moment
	result Result
}

// A moment is a time by two clocks: the monotonic one stands still while a machine is
// suspended, and the other can be set back. What is out of date by one of them is out
// of date.
type moment struct{ monotonic, wall int64 } // ns; zero: never

func (r *Remembered) now() moment {
	now := time.Now()
	return moment{int64(now.Sub(r.start)), now.UnixNano()}
}

func (m moment) plus(d time.Duration) moment {
	return moment{m.monotonic + int64(d), m.wall + int64(d)}
}

func (m moment) after(now moment) bool {
	return m.monotonic > now.monotonic && m.wall > now.wall
}

// Remember returns a Verifier that asks next for what it does not remember. Hash is
// next's own.
func Remember(next Verifier, o RememberOptions) (*Remembered, error) {
	switch {
	case next == nil:
		return nil, errors.New("password: Remember of a nil Verifier; want a Pool or another")
	case o.For < 0 || o.For > maxRemember:
		return nil, fmt.Errorf("password: RememberOptions.For is %v; want at most %v, or 0 for %v", o.For, maxRemember, defaultRemember)
	case o.Entries < 0 || o.Entries > maxEntries:
		return nil, fmt.Errorf("password: RememberOptions.Entries is %d; want 1 to %d, or 0 for %d", o.Entries, maxEntries, defaultEntries)
	}
	if o.For == 0 {
		o.For = defaultRemember
	}
	orDefault(&o.Entries, defaultEntries)
	r := &Remembered{
		next: next, life: o.For, start: time.Now(),
		key: &erase.New[[macSize]byte](1)[0],
	}
	sets := (o.Entries + ways - 1) / ways
	r.places, r.forgets = make([]match, sets*ways), make([]uint64, sets)
	fount.Read(r.key[:])
	return r, nil
}

// Verify answers as the next Verifier does. If it remembers that password matched
// encoded, it answers itself, with the Result of then, but without NeedsRehash: a
// client that sends its password with each request would have SignIn make a new hash
// for each, until the first is stored.
func (r *Remembered) Verify(ctx context.Context, login Login, password []byte, encoded string) (Result, error) {
	if len(password)+len(encoded) > maxInput || ctx.Err() != nil {
		return r.next.Verify(ctx, login, password, encoded)
	}
	result, known, forgets := r.recall(password, encoded)
	if known {
		r.hits.Add(1)
		return result, nil
	}
	result, err := r.next.Verify(ctx, login, password, encoded)
	if err == nil {
		r.remember(password, encoded, result, forgets)
	}
	return result, err
}

// Hash is the next Verifier's.
func (r *Remembered) Hash(ctx context.Context, login Login, password []byte) (string, error) {
	return r.next.Hash(ctx, login, password)
}

// Forget wipes what it remembers of a stored hash. A call that is being hashed
// meanwhile is not remembered either. A new hash needs no Forget: what was
// remembered belongs to the old one. Forget is for what else ends a password, where
// the service goes on passing the same hash.
func (r *Remembered) Forget(encoded string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	hash := r.place(encoded)
	r.forgets[r.set(hash)]++
	if m := r.find(hash); m != nil {
		*m = match{}
	}
}

// Close forgets everything, remembers nothing more, and closes the next Verifier if
// it has a method Close(context.Context) error, as a Pool has; else it returns nil.
func (r *Remembered) Close(ctx context.Context) error {
	r.mu.Lock()
	erase.Wipe(r.key[:])
	clear(r.places)
	if r.sweeper != nil {
		r.sweeper.Stop()
	}
	r.mu.Unlock()
	if next, ok := r.next.(interface{ Close(context.Context) error }); ok {
		return next.Close(ctx)
	}
	return nil
}

// Hits returns how many calls were answered from memory.
func (r *Remembered) Hits() uint64 { return r.hits.Load() }

// recall returns the result of a match that is remembered, and the number of Forgets
// by now, of this hash or of one that lies beside it.
func (r *Remembered) recall(password []byte, encoded string) (result Result, known bool, forgets uint64) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if *r.key == ([macSize]byte{}) {
		return Result{}, false, 0
	}
	hash, mac := r.place(encoded), r.mac(password, encoded)
	forgets = r.forgets[r.set(hash)]
	// The comparison may end early: who does not have the key can't choose a MAC, and learns nothing of one.
	m := r.find(hash)
	if m == nil || m.mac != mac || !m.till.after(r.now()) {
		return Result{}, false, forgets
	}
	return m.result, true, forgets
}

// remember keeps a match, unless something was to be forgotten since it began.
func (r *Remembered) remember(password []byte, encoded string, result Result, forgets uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	hash := r.place(encoded)
	if r.forgets[r.set(hash)] != forgets || *r.key == ([macSize]byte{}) {
		return
	}
	result.NeedsRehash = false // this caller is told
	m := r.find(hash)
	if m == nil {
		m = r.leastTimeLeft(hash)
	}
	*m = match{hash: hash, mac: r.mac(password, encoded), till: r.now().plus(r.life), result: result}
	r.sweepLater()
}

// place returns 64 bits by which a stored hash is found: of SHA-256 of the key's half and the
// whole hash, for wrapped ones and a Firebase project's end alike. Nobody can choose stored hashes that
// meet others. hash/maphash would be faster, but built with purego it reads crypto/rand before
// main: a failure there is not fount's to name.
func (r *Remembered) place(encoded string) uint64 {
	const half = macSize / 2
	var message [half + maxInput]byte
	copy(message[:half], r.key[:])
	n := half + copy(message[half:], encoded)
	sum := sha256.Sum256(message[:n])
	erase.Wipe(message[:half])
	return binary.LittleEndian.Uint64(sum[:])
}

// set returns the number of the places in which a stored hash may lie.
func (r *Remembered) set(hash uint64) uint64 { return hash % uint64(len(r.forgets)) }

// beside returns those places.
func (r *Remembered) beside(hash uint64) []match {
	i := r.set(hash) * ways
	return r.places[i : i+ways]
}

func (r *Remembered) find(hash uint64) *match {
	set := r.beside(hash)
	for i := range set {
		if set[i].hash == hash && set[i].till != (moment{}) {
			return &set[i]
		}
	}
	return nil
}

// leastTimeLeft returns the place that a new match takes: free ones have no time left.
func (r *Remembered) leastTimeLeft(hash uint64) *match {
	set := r.beside(hash)
	least := &set[0]
	for i := range set {
		if set[i].till.monotonic < least.till.monotonic {
			least = &set[i]
		}
	}
	return least
}

// sweep wipes what is out of date, and comes back for what is left.
func (r *Remembered) sweep() {
	r.mu.Lock()
	r.sweeper = nil
	r.mu.Unlock()
	left := false
	for piece := range slices.Chunk(r.places, 1024) { // some 10 µs each: calls have their turns in between
		left = r.sweepPiece(piece) || left
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if left {
		r.sweepLater()
	}
}

// sweepPiece reports whether it left anything.
func (r *Remembered) sweepPiece(places []match) (left bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	for i := range places {
		if places[i].till.after(now) {
			left = true
		} else {
			places[i] = match{}
		}
	}
	return left
}

// sweepLater is called with the lock.
func (r *Remembered) sweepLater() {
	if r.sweeper == nil {
		r.sweeper = time.AfterFunc(r.life/4, r.sweep)
	}
}

// mac returns HMAC-SHA-256 (RFC 2104) of hash and password under the key, as Pool.principal makes it: without an allocation, and
// it leaves nothing of the password on the stack, which grows before anything is on it.
func (r *Remembered) mac(password []byte, encoded string) (sum [macSize]byte) {
	scrubStack()
	var block [sha256.BlockSize + 8 + maxInput]byte
	pad := block[:sha256.BlockSize]
	copy(pad, r.key[:])
	xor(pad, 0x36)
	message := binary.BigEndian.AppendUint64(pad, uint64(len(encoded))) // so that hash and password can't be divided otherwise
	message = append(append(message, encoded...), password...)
	inner := sha256.Sum256(message)
	erase.Wipe(message[len(pad):])
	xor(pad, 0x36^0x5c)
	sum = sha256.Sum256(append(pad, inner[:]...))
	erase.Wipe(block[:len(pad)+len(inner)])
	scrubStack()
	return sum
}
