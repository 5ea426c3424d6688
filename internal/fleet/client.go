// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"fount"
	"fount/internal/erase"
)

// A client uses an encapsulation for so many requests, and for so long. Both bound what a worker has to remember.
const (
	requestsEach = 1024
	lifetime     = 60 * time.Second
	renewEach    = time.Second // the soonest that a refusal makes a client give an encapsulation up
)

// ErrForged is the error of a reply that is not the worker's to this request.
var ErrForged = errors.New("fleet: not a reply to this request")

// A Client seals requests to a fleet. It may be used from any goroutine.
type Client struct {
	to PublicKey

	mu      sync.Mutex
	current *encapsulation
}

type encapsulation struct {
	encapsulated []byte
	secrets      secrets
	made         time.Time
	used         uint32 // requests
}

// NewClient returns a client of the fleet that has the key.
func NewClient(to PublicKey) *Client { return &Client{to: to} }

// Seal returns a request of RequestSize bytes, and what opens its reply. It copies the password only into the request, where it
// is overwritten as it is sealed. The error is one of package password, or says what is wrong with r.
func (c *Client) Seal(now time.Time, r Request) ([]byte, *Pending, error) {
	if r.Kind != Verify && r.Kind != Hash {
		return nil, nil, fmt.Errorf("fleet: a request of kind %d; want Verify or Hash", r.Kind)
	}
	left := min(r.Left, MaxLeft).Truncate(time.Microsecond)
	if left <= 0 {
		return nil, nil, fmt.Errorf("fleet: a request with %v left; want at least 1 µs", r.Left)
	}
	e, sequence, age, err := c.take(now)
	if err != nil {
		return nil, nil, err
	}
	b := make([]byte, 0, RequestSize)
	b = Header{Kind: r.Kind, Key: c.to.ID, Left: left, Cost: r.Cost}.appendTo(b)
	b = append(b, e.encapsulated...)
	nonce := b[len(b) : len(b)+nonceSize]
	fount.Read(nonce) // random: a clone of the machine counts on from the same number, under the same key
	b = b[:len(b)+nonceSize]
	from := len(b)
	b, err = r.appendTo(b, sequence, age)
	if err != nil {
		return nil, nil, err
	}
	b = seal(e.secrets.request[:], nonce, b, from)
	return b, &Pending{c: c, kind: r.Kind, secret: e.secrets.reply, request: sha256.Sum256(b), made: e.made}, nil
}

// take returns an encapsulation, and the number and age of a request in it.
func (c *Client) take(now time.Time) (e encapsulation, sequence, age uint32, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o := c.current; o != nil && (o.used == requestsEach || now.Sub(o.made) > lifetime || now.Before(o.made)) {
		c.forget()
	}
	if c.current == nil {
		encapsulated, s, err := encapsulate(c.to)
		if err != nil {
			return e, 0, 0, err
		}
		c.current = &encapsulation{encapsulated: encapsulated, secrets: s, made: now}
	}
	o := c.current
	sequence = o.used
	o.used++
	return *o, sequence, uint32(now.Sub(o.made) / time.Microsecond), nil
}

func (c *Client) forget() {
	c.current.secrets.wipe()
	c.current = nil
}

// renew gives up the encapsulation that was made then.
func (c *Client) renew(now, made time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != nil && c.current.made.Equal(made) && now.Sub(made) >= renewEach {
		c.forget()
	}
}

// A Pending is a request that was sealed. It may be used from any goroutine.
type Pending struct {
	c       *Client
	kind    Kind
	secret  [32]byte
	request [sha256.Size]byte // its hash
	made    time.Time         // its encapsulation
}

// Open returns the reply. The error is ErrForged, after which the true one may still come; a Refusal, which anyone on the way
// can have written; or ErrUnsupported for a reply of a later version that this one can't use.
//
// If the refusal's Renew reports true, the client's next request has a new encapsulation, unless this one is younger than a
// second: a broker that forges refusals makes a client encapsulate once a second, not each time.
func (p *Pending) Open(now time.Time, reply []byte) (r Reply, err error) {
	if refusal, ok := parseRefusal(reply); ok {
		if refusal.Renew() {
			p.c.renew(now, p.made)
		}
		return r, refusal
	}
	const from = replyHeader + saltSize
	if len(reply) < from+tagSize || len(reply) > MaxReply || reply[0] != Major || reply[2] != formSealed {
		return r, ErrForged
	}
	key := replyKey(&p.secret, &p.request, reply[replyHeader:from])
	plain, err := open(nil, key, firstNonce, reply, from)
	erase.Wipe(key)
	if err != nil {
		return r, ErrForged
	}
	defer erase.Wipe(plain)
	if err := r.parse(plain, p.kind); errors.Is(err, errCritical) {
		return Reply{}, ErrUnsupported
	} else if err != nil {
		return Reply{}, ErrForged
	}
	return r, nil
}

// Wipe forgets the client's secrets. Requests that are sealed already can still be opened by the fleet.
func (c *Client) Wipe() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != nil {
		c.forget()
	}
}

// Wipe forgets what opens the reply.
func (p *Pending) Wipe() { erase.Wipe(p.secret[:]) }
