// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fleet encrypts the messages of fountd's API that a broker carries, and reads the keys.
//
// Each request is encrypted to the fleet's public key by HPKE (RFC 9180) with MLKEM768-X25519. The
// key of its reply is derived from the same encapsulation. docs/design.md explains the design, and
// docs/threat-model.md says what it promises.
package fleet

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hpke"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"fount"
	"fount/internal/erase"
)

// A message, by its parts:
//
//	request  version, key ID, encapsulated key, nonce, sealed: operation, length, body, zeros
//	reply    version, form, salt, sealed: status, length, body, zeros
//	refusal  version, form, reason: see refusal.go
//	news     version, form, worker, draining, wait: see news.go
//
// The additional data is all before the sealed part, or in a reply all before the salt.
//
// HPKE's own Seal counts nonces, so a cloned client that draws the same encapsulation would repeat
// one. Instead HPKE exports two secrets (section 5.3), and fount, which detects clones, draws the
// nonce.
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

	// Sealed contents are padded to this size, or to 4 or 16 times as much if they are longer.
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

// ErrForged is returned for a message that is not the worker's reply to this request.
var ErrForged = errors.New("fleet: not a reply to this request")

// label begins each key derivation. It changes with version.
const label = "fount fleet 2 "

var (
	kem        = hpke.MLKEM768X25519
	kdf        = hpke.HKDFSHA256
	exportOnly = hpke.ExportOnly
)

// Seal encrypts a request, and returns the key of its reply. It wipes its own copies of body.
func (to PublicKey) Seal(op Op, body []byte) (request []byte, reply *ReplyKey, err error) {
	if len(body) > maxBody {
		return nil, nil, fmt.Errorf("fleet: a request of %d bytes; want at most %d", len(body), maxBody)
	}

	encapsulated, sender, err := hpke.NewSender(to.key, kdf(), exportOnly(), info(to.ID))
	if err != nil {
		return nil, nil, fmt.Errorf("fleet: encapsulation: %w", err)
	}
	key := export(sender.Export, "request")
	defer erase.Wipe(key[:])

	size := padded(len(body), requestSize)
	b := make([]byte, 0, requestHeader+encapsulatedSize+nonceSize+size+tagSize)
	b = append(b, version)
	b = append(b, to.ID[:]...)
	b = append(b, encapsulated...)
	nonce := fount.Nonce12()
	b = append(b, nonce[:]...)

	from := len(b)
	b = appendContent(b, uint16(op), body, size)
	b = gcm(key[:]).Seal(b[:from], nonce[:], b[from:], b[:from])
	return b, &ReplyKey{secret: export(sender.Export, "reply"), request: sha256.Sum256(b)}, nil
}

// A ReplyKey opens the reply to a request, and seals it.
type ReplyKey struct {
	secret  [32]byte
	request [sha256.Size]byte // its hash
}

// derive returns the key of the reply with this salt.
func (k *ReplyKey) derive(salt []byte) []byte {
	context := slices.Concat([]byte(label), k.request[:], salt)
	key, err := hkdf.Expand(sha256.New, k.secret[:], string(context), 32)
	if err != nil {
		panic(err) // impossible for 32 bytes
	}
	return key
}

// Open returns the status and body of a reply. The error is ErrForged or a Refusal.
func (k *ReplyKey) Open(reply []byte) (status int, body []byte, err error) {
	const from = replyHeader + saltSize
	switch n := len(reply); {
	case n == replyHeader+1 && bytes.HasPrefix(reply, []byte{version, formRefusal}):
		return 0, nil, Refusal(reply[replyHeader])
	case n < from+contentHeader+tagSize || n > maxMessage || !bytes.HasPrefix(reply, []byte{version, formSealed}):
		return 0, nil, ErrForged
	}

	key := k.derive(reply[replyHeader:from])
	defer erase.Wipe(key)
	plain, err := gcm(key).Open(nil, firstNonce, reply[from:], reply[:replyHeader])
	if err != nil {
		return 0, nil, ErrForged
	}
	number, body, err := content(plain)
	return int(number), body, err
}

// Wipe overwrites the secret.
func (k *ReplyKey) Wipe() { erase.Wipe(k.secret[:]) }

// A Request is one that a worker has decrypted.
type Request struct {
	Op    Op
	Body  []byte
	reply ReplyKey
}

// Open decrypts a request to one of the keys. If it can't, it returns the Refusal to send, else 0.
func Open(keys map[KeyID]Key, request []byte) (*Request, Refusal) {
	const from = requestHeader + encapsulatedSize + nonceSize
	if len(request) > 0 && request[0] != version {
		return nil, OtherVersion
	}
	if len(request) < from+contentHeader+tagSize || len(request) > maxMessage {
		return nil, Unreadable
	}
	fleetKey, ok := keys[KeyID(request[1:requestHeader])]
	if !ok {
		return nil, UnknownKey
	}

	recipient, err := hpke.NewRecipient(request[requestHeader:requestHeader+encapsulatedSize], fleetKey.private, kdf(), exportOnly(), info(fleetKey.ID))
	if err != nil {
		return nil, Unreadable
	}
	key := export(recipient.Export, "request")
	defer erase.Wipe(key[:])

	plain, err := gcm(key[:]).Open(nil, request[from-nonceSize:from], request[from:], request[:from])
	if err != nil {
		return nil, Unreadable
	}
	op, body, err := content(plain)
	if err != nil {
		return nil, Unreadable
	}
	reply := ReplyKey{secret: export(recipient.Export, "reply"), request: sha256.Sum256(request)}
	return &Request{Op: Op(op), Body: body, reply: reply}, 0
}

// Seal encrypts a reply. A random salt makes its key unique, as two workers may get one request.
func (r *Request) Seal(status int, body []byte) ([]byte, error) {
	if len(body) > maxBody {
		return nil, fmt.Errorf("fleet: a reply of %d bytes; want at most %d", len(body), maxBody)
	}

	const from = replyHeader + saltSize
	size := padded(len(body), replySize)
	b := make([]byte, from, from+size+tagSize)
	b[0] = version
	b[1] = formSealed
	fount.Read(b[replyHeader:])
	b = appendContent(b, uint16(status), body, size)

	key := r.reply.derive(b[replyHeader:from])
	defer erase.Wipe(key)
	return gcm(key).Seal(b[:from], firstNonce, b[from:], b[:replyHeader]), nil
}

// Wipe overwrites the body and the secret of the reply.
func (r *Request) Wipe() {
	erase.Wipe(r.Body)
	r.reply.Wipe()
}

// padded returns the size of contents with n bytes of body.
func padded(n, size int) int {
	for size < n+contentHeader {
		size *= 4
	}
	return size
}

func appendContent(b []byte, number uint16, body []byte, size int) []byte {
	b = binary.BigEndian.AppendUint16(b, number)
	b = binary.BigEndian.AppendUint16(b, uint16(len(body)))
	b = append(b, body...)
	return append(b, make([]byte, size-contentHeader-len(body))...)
}

func content(b []byte) (number uint16, body []byte, err error) {
	n := int(binary.BigEndian.Uint16(b[2:]))
	if contentHeader+n > len(b) {
		return 0, nil, ErrForged
	}
	return binary.BigEndian.Uint16(b), b[contentHeader : contentHeader+n], nil
}

func info(id KeyID) []byte { return append([]byte(label), id[:]...) }

// export returns a secret that client and worker share: of the request or of its reply.
func export(exporter func(context string, length int) ([]byte, error), of string) [32]byte {
	secret, err := exporter(label+of, 32)
	if err != nil {
		panic(err) // impossible for 32 bytes
	}
	defer erase.Wipe(secret)
	return [32]byte(secret)
}

func gcm(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // impossible for 32 bytes
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // impossible for AES
	}
	return aead
}

// firstNonce is the nonce of a key that encrypts one message.
var firstNonce = make([]byte, nonceSize)
