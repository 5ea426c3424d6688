// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"crypto/sha256"
	"errors"
	"sync/atomic"
	"time"

	"fount"
	"fount/internal/erase"
)

// A Worker opens requests and seals replies. It may be used from any goroutine.
type Worker struct {
	keys   atomic.Pointer[map[KeyID]Key]
	memory memory
}

// NewWorker returns a worker with the fleet's keys.
func NewWorker(keys ...Key) *Worker {
	w := &Worker{memory: memory{tokens: burst}}
	w.SetKeys(keys...)
	return w
}

// SetKeys replaces the keys. Requests to a key that is gone are refused from then on.
func (w *Worker) SetKeys(keys ...Key) {
	m := map[KeyID]Key{}
	for _, k := range keys {
		m[k.ID] = k
	}
	w.keys.Store(&m)
}

// A Call is a request that was opened. It may be used from any goroutine.
type Call struct {
	// Request's Left is the time that was left when it arrived. Password lies in the call.
	Request Request

	secret  [32]byte
	request [sha256.Size]byte
	plain   []byte
}

// Open opens a request that has arrived at now. The error is a Refusal to be sent back as it is. It is Unsupported's reply, with
// a call, if the request opens but asks for something unknown: err is then ErrUnsupported.
//
// Left is less than the header says if the request took longer to arrive than the fastest of its encapsulation.
func (w *Worker) Open(now time.Time, request []byte) (*Call, error) {
	h, size, err := parseHeader(request)
	if err != nil {
		return nil, err
	}
	key, ok := (*w.keys.Load())[h.Key]
	if !ok {
		return nil, Refusal{Reason: UnknownKey}
	}
	encapsulated := request[size : size+encapsulatedSize]
	r, err := w.memory.recall(now, identify(h.Key, encapsulated), func() (secrets, error) { return decapsulate(key, encapsulated) })
	if err != nil {
		return nil, err
	}
	from := size + encapsulatedSize + nonceSize
	plain, err := open(make([]byte, 0, len(request)-from-tagSize), r.secrets.request[:], request[from-nonceSize:from], request, from)
	if err != nil {
		return nil, Refusal{Reason: Unreadable}
	}
	c := &Call{Request: Request{Kind: h.Kind, Left: h.Left, Cost: h.Cost}, secret: r.secrets.reply, plain: plain}
	sequence, age, err := c.Request.parse(plain)
	if err != nil {
		c.Request = Request{Kind: h.Kind}
		if !errors.Is(err, errCritical) {
			c.Wipe()
			return nil, Refusal{Reason: Unreadable}
		}
	}
	if err == nil {
		delay, refusal := w.memory.admit(now, r, sequence, time.Duration(age)*time.Microsecond)
		if refusal == nil && delay >= h.Left {
			refusal = Refusal{Reason: Late}
		}
		if refusal != nil {
			c.Wipe()
			return nil, refusal
		}
		c.Request.Left -= delay
	}
	c.request = sha256.Sum256(request)
	if err != nil {
		return c, ErrUnsupported
	}
	return c, nil
}

// Seal returns a reply of ReplySize bytes.
func (c *Call) Seal(r Reply) ([]byte, error) {
	const from = replyHeader + saltSize
	b := make([]byte, from, ReplySize)
	copy(b, []byte{Major, Minor, formSealed})
	fount.Read(b[replyHeader:])
	b, err := r.appendTo(b)
	if err != nil {
		return nil, err
	}
	key := replyKey(&c.secret, &c.request, b[replyHeader:from])
	defer erase.Wipe(key)
	return seal(key, firstNonce, b, from), nil
}

// Wipe overwrites the password, the other fields that came sealed, and the secret of the reply.
func (c *Call) Wipe() {
	erase.Wipe(c.plain)
	erase.Wipe(c.secret[:])
}
