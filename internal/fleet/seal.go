// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hpke"
	"crypto/sha256"
	"fmt"

	"fount/internal/erase"
)

// A message, by its parts:
//
//	request  header, encapsulated key, nonce, sealed fields; all before the sealed fields is their additional data
//	reply    its header, salt, sealed fields; the header is their additional data
//
// An encapsulation yields two secrets by HPKE's exporter (RFC 9180, section 5.3), one for its requests and one for the replies to
// them. HPKE's own Seal counts messages and Open wants them in order, which several workers can't have.
const (
	encapsulatedSize = 1120 // MLKEM768-X25519
	nonceSize        = 12   // of AES-256-GCM
	tagSize          = 16
	saltSize         = 32
	overhead         = encapsulatedSize + nonceSize + tagSize

	RequestSize = headerSize + overhead + requestSize // of each request of this version, in bytes
	ReplySize   = replyHeader + saltSize + replySize + tagSize
	MaxRequest  = 16 << 10 // what a worker reads of any version
	MaxReply    = 16 << 10
)

// secrets are what an encapsulation yields.
type secrets struct {
	request, reply [32]byte
}

func (s *secrets) wipe() {
	erase.Wipe(s.request[:])
	erase.Wipe(s.reply[:])
}

// label begins what is fed into each key derivation. It changes with Major.
const label = "fount fleet 1 "

func info(id KeyID) []byte { return append([]byte(label), id[:]...) }

var (
	kem  = hpke.MLKEM768X25519
	kdf  = hpke.HKDFSHA256
	none = hpke.ExportOnly
)

// encapsulate makes a new encapsulation to a key.
func encapsulate(to PublicKey) (encapsulated []byte, s secrets, err error) {
	encapsulated, sender, err := hpke.NewSender(to.key, kdf(), none(), info(to.ID))
	if err != nil {
		return nil, s, fmt.Errorf("fleet: encapsulation: %w", err)
	}
	s, err = export(sender.Export)
	return encapsulated, s, err
}

// decapsulate returns the secrets of an encapsulation. Whatever the bytes, there nearly always are some: only a message that
// opens under them shows that they are the sender's.
func decapsulate(k Key, encapsulated []byte) (s secrets, err error) {
	recipient, err := hpke.NewRecipient(encapsulated, k.private, kdf(), none(), info(k.ID))
	if err != nil {
		return s, Refusal{Reason: Unreadable}
	}
	return export(recipient.Export)
}

func export(exporter func(context string, length int) ([]byte, error)) (s secrets, err error) {
	for _, to := range []struct {
		context string
		key     *[32]byte
	}{{"request", &s.request}, {"reply", &s.reply}} {
		key, err := exporter(label+to.context, len(to.key))
		if err != nil {
			return secrets{}, fmt.Errorf("fleet: export: %w", err)
		}
		copy(to.key[:], key)
		erase.Wipe(key)
	}
	return s, nil
}

// replyKey returns the key of one reply to the request with this hash. The hash binds the reply to the request. The salt gives
// each reply a key of its own: several workers may answer one request, if the broker hands it to several.
func replyKey(secret *[32]byte, request *[sha256.Size]byte, salt []byte) []byte {
	context := make([]byte, 0, 96)
	context = append(context, label...)
	context = append(context, request[:]...)
	context = append(context, salt...)
	key, err := hkdf.Expand(sha256.New, secret[:], string(context), 32)
	if err != nil {
		panic(err) // none for 32 bytes
	}
	return key
}

// seal encrypts b[from:], of which everything before from is the additional data, in place, and appends the tag.
func seal(key, nonce, b []byte, from int) []byte {
	return gcm(key).Seal(b[:from], nonce, b[from:], b[:from])
}

// open appends to dst what seal was given.
func open(dst, key, nonce, b []byte, from int) ([]byte, error) {
	return gcm(key).Open(dst, nonce, b[from:], b[:from])
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
