// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fleet seals the messages of fountd's API for their way over a broker, and holds the keys.
//
// A request is sealed to the fleet's public key by HPKE (RFC 9180) with MLKEM768-X25519, under an
// encapsulation of its own; its reply under a key that only this request yields. docs/design.md has
// the reasons, docs/threat-model.md the promises.
package fleet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hpke"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"fount"
	"fount/internal/erase"
)

// A message, by its parts:
//
//	request  version, key ID, encapsulated key, nonce, sealed: operation, length, body, zeros
//	reply    version, form, salt, sealed: status, length, body, zeros
//	refusal  version, form, reason
//
// What stands before the sealed part, and in a reply before the salt, is additional data.
//
// HPKE's own Seal takes nonces from a count, and a clone of the client may draw the same
// encapsulation: so HPKE exports two secrets (section 5.3), and the nonce comes from fount, which
// notices a clone.
const (
	version          = 2
	formSealed       = 1
	formRefusal      = 2
	formNews         = 3
	requestHeader    = 1 + len(KeyID{})
	replyHeader      = 2
	encapsulatedSize = 1120 // MLKEM768-X25519
	nonceSize        = 12   // of AES-256-GCM
	tagSize          = 16
	saltSize         = 32
	contentHeader    = 4 // a number and a length, two bytes each

	// The sealed contents of nearly all messages. A longer one has four times as much, or sixteen.
	requestSize = 2048
	replySize   = 512

	maxBody    = 32<<10 - contentHeader
	maxMessage = 40 << 10
)

// An Op is what a request asks for.
type Op uint16

// The operations, by the paths of the API.
const (
	Verify Op = 1
	Hash   Op = 2
)

// ErrForged is the error of what is not the worker's reply to this request.
var ErrForged = errors.New("fleet: not a reply to this request")

// label begins each key derivation. It changes with version.
const label = "fount fleet 2 "

var (
	kem  = hpke.MLKEM768X25519
	kdf  = hpke.HKDFSHA256
	none = hpke.ExportOnly
)

// Seal returns a request, and what opens its reply. It wipes its own copies of body.
func (to PublicKey) Seal(op Op, body []byte) (request []byte, reply *Pending, err error) {
	if len(body) > maxBody {
		return nil, nil, fmt.Errorf("fleet: a request of %d bytes; want at most %d", len(body), maxBody)
	}
	encapsulated, sender, err := hpke.NewSender(to.key, kdf(), none(), info(to.ID))
	if err != nil {
		return nil, nil, fmt.Errorf("fleet: encapsulation: %w", err)
	}
	s, err := export(sender.Export)
	if err != nil {
		return nil, nil, err
	}
	defer erase.Wipe(s.request[:])
	size := padded(len(body), requestSize)
	b := make([]byte, 0, requestHeader+encapsulatedSize+nonceSize+size+tagSize)
	b = append(append(b, version), to.ID[:]...)
	b = append(b, encapsulated...)
	var nonce [nonceSize]byte
	fount.Read(nonce[:])
	b = append(b, nonce[:]...)
	from := len(b)
	b = appendContent(b, uint16(op), body, size)
	b = gcm(s.request[:]).Seal(b[:from], nonce[:], b[from:], b[:from])
	return b, &Pending{secret: s.reply, request: sha256.Sum256(b)}, nil
}

// A Pending is a request that was sealed.
type Pending struct {
	secret  [32]byte
	request [sha256.Size]byte // its hash
}

// Open returns the status and body of a reply. The error is ErrForged or a Refusal.
func (p *Pending) Open(reply []byte) (status int, body []byte, err error) {
	const from = replyHeader + saltSize
	if len(reply) == replyHeader+1 && reply[0] == version && reply[1] == formRefusal {
		return 0, nil, Refusal(reply[replyHeader])
	}
	if len(reply) < from+contentHeader+tagSize || len(reply) > maxMessage || reply[0] != version || reply[1] != formSealed {
		return 0, nil, ErrForged
	}
	key := replyKey(&p.secret, &p.request, reply[replyHeader:from])
	defer erase.Wipe(key)
	plain, err := gcm(key).Open(nil, firstNonce, reply[from:], reply[:replyHeader])
	if err != nil {
		return 0, nil, ErrForged
	}
	number, body, err := content(plain)
	return int(number), body, err
}

// Wipe forgets what opens the reply.
func (p *Pending) Wipe() { erase.Wipe(p.secret[:]) }

// A Call is a request that was opened.
type Call struct {
	Op   Op
	Body []byte

	secret  [32]byte
	request [sha256.Size]byte
}

// Open opens a request that was sealed to one of the keys, or returns the refusal to send; else 0.
func Open(keys map[KeyID]Key, request []byte) (*Call, Refusal) {
	const from = requestHeader + encapsulatedSize + nonceSize
	if len(request) > 0 && request[0] != version {
		return nil, Version
	}
	if len(request) < from+contentHeader+tagSize || len(request) > maxMessage {
		return nil, Unreadable
	}
	key, ok := keys[KeyID(request[1:requestHeader])]
	if !ok {
		return nil, UnknownKey
	}
	recipient, err := hpke.NewRecipient(request[requestHeader:requestHeader+encapsulatedSize], key.private, kdf(), none(), info(key.ID))
	if err != nil {
		return nil, Unreadable
	}
	s, err := export(recipient.Export)
	if err != nil {
		return nil, Unreadable
	}
	defer erase.Wipe(s.request[:])
	plain, err := gcm(s.request[:]).Open(nil, request[from-nonceSize:from], request[from:], request[:from])
	if err != nil {
		return nil, Unreadable
	}
	op, body, err := content(plain)
	if err != nil {
		return nil, Unreadable
	}
	return &Call{Op: Op(op), Body: body, secret: s.reply, request: sha256.Sum256(request)}, 0
}

// Seal returns the reply. Its salt gives it a key of its own: two workers may get one request.
func (c *Call) Seal(status int, body []byte) ([]byte, error) {
	if len(body) > maxBody {
		return nil, fmt.Errorf("fleet: a reply of %d bytes; want at most %d", len(body), maxBody)
	}
	const from = replyHeader + saltSize
	size := padded(len(body), replySize)
	b := make([]byte, from, from+size+tagSize)
	b[0], b[1] = version, formSealed
	fount.Read(b[replyHeader:])
	b = appendContent(b, uint16(status), body, size)
	key := replyKey(&c.secret, &c.request, b[replyHeader:from])
	defer erase.Wipe(key)
	return gcm(key).Seal(b[:from], firstNonce, b[from:], b[:replyHeader]), nil
}

// Wipe overwrites the body and the secret of the reply.
func (c *Call) Wipe() {
	erase.Wipe(c.Body)
	erase.Wipe(c.secret[:])
}

// padded is the size of contents with n bytes of body.
func padded(n, size int) int {
	for size < n+contentHeader {
		size *= 4
	}
	return size
}

func appendContent(b []byte, number uint16, body []byte, size int) []byte {
	from := len(b)
	b = binary.BigEndian.AppendUint16(b, number)
	b = binary.BigEndian.AppendUint16(b, uint16(len(body)))
	b = append(b, body...)
	end := len(b)
	b = b[:from+size]
	clear(b[end:])
	return b
}

func content(b []byte) (number uint16, body []byte, err error) {
	n := int(binary.BigEndian.Uint16(b[2:]))
	if contentHeader+n > len(b) {
		return 0, nil, ErrForged
	}
	return binary.BigEndian.Uint16(b), b[contentHeader : contentHeader+n], nil
}

// secrets are what an encapsulation yields.
type secrets struct{ request, reply [32]byte }

func info(id KeyID) []byte { return append([]byte(label), id[:]...) }

func export(exporter func(context string, length int) ([]byte, error)) (s secrets, err error) {
	for context, key := range map[string]*[32]byte{"request": &s.request, "reply": &s.reply} {
		exported, err := exporter(label+context, len(key))
		if err != nil {
			return secrets{}, fmt.Errorf("fleet: export: %w", err)
		}
		copy(key[:], exported)
		erase.Wipe(exported)
	}
	return s, nil
}

// replyKey returns the key of one reply to the request with this hash.
func replyKey(secret *[32]byte, request *[sha256.Size]byte, salt []byte) []byte {
	context := append(append([]byte(label), request[:]...), salt...)
	key, err := hkdf.Expand(sha256.New, secret[:], string(context), 32)
	if err != nil {
		panic(err) // none for 32 bytes
	}
	return key
}

func gcm(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err == nil {
		var aead cipher.AEAD
		if aead, err = cipher.NewGCM(block); err == nil {
			return aead
		}
	}
	panic(err) // none for 32 bytes
}

// firstNonce is the nonce of a key that seals once.
var firstNonce = make([]byte, nonceSize)

// A Refusal says in the clear why a worker did not open a request. Anyone on the way can write one.
type Refusal uint8

const (
	Busy       Refusal = 1 // no room, or going away: ask another worker
	Version    Refusal = 3 // of another version
	UnknownKey Refusal = 4 // sealed to a key that the worker does not have
	Unreadable Refusal = 5 // damaged, or made by something else
)

// Error says what is wrong and what would be right.
func (r Refusal) Error() string {
	switch r {
	case Busy:
		return "fleet: the worker has no room"
	case Version:
		return "fleet: the worker is of another version; want one version at clients and workers"
	case UnknownKey:
		return "fleet: the worker does not have this key; want the public key that fountd key public prints now"
	case Unreadable:
		return "fleet: the worker can't read the request"
	}
	return fmt.Sprintf("fleet: refused for reason %d", uint8(r))
}

// Reply is the refusal as a reply.
func (r Refusal) Reply() []byte { return []byte{version, formRefusal, byte(r)} }

// A Subject is a fleet's name at the broker, such as "fount.v1".
type Subject string

// Any is where the workers listen as one queue group, Group.
func (s Subject) Any() string { return string(s) + ".any" }

// Worker is where one worker listens.
func (s Subject) Worker(id WorkerID) string { return string(s) + ".worker." + id.String() }

// News is where the workers publish and the clients listen.
func (s Subject) News() string { return string(s) + ".news" }

const Group = "workers"

// A WorkerID names a worker as long as its process lives.
type WorkerID [8]byte

// NewWorkerID draws one at random.
func NewWorkerID() (id WorkerID) {
	fount.Read(id[:])
	return id
}

// String returns 16 hexadecimal digits.
func (id WorkerID) String() string { return hex.EncodeToString(id[:]) }

// NewsEvery is how often workers publish news. One that is not heard for NewsQuiet is gone.
const (
	NewsEvery = 100 * time.Millisecond
	NewsQuiet = 3 * NewsEvery
)

// News is what a worker says of itself in the clear. A forged one moves requests between workers.
type News struct {
	Worker   WorkerID
	Draining bool          // it takes no more requests
	Wait     time.Duration // until all that it has now is done; 0 to an hour, to the microsecond
}

const newsSize = 2 + len(WorkerID{}) + 1 + 4

// Append appends the news: version, form, ID, 1 if it drains, microseconds in four bytes.
func (n News) Append(b []byte) []byte {
	b = append(append(b, version, formNews), n.Worker[:]...)
	if n.Draining {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	return binary.BigEndian.AppendUint32(b, uint32(min(max(n.Wait, 0), time.Hour)/time.Microsecond))
}

// ParseNews reads what Append has written.
func ParseNews(b []byte) (n News, err error) {
	if len(b) != newsSize || b[0] != version || b[1] != formNews {
		return n, errors.New("fleet: not a worker's news")
	}
	copy(n.Worker[:], b[2:])
	n.Draining = b[10] != 0
	n.Wait = min(time.Duration(binary.BigEndian.Uint32(b[11:]))*time.Microsecond, time.Hour)
	return n, nil
}
