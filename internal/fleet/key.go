// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"bytes"
	"crypto/hpke"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fount"
	"fount/internal/erase"
)

// A KeyID names a key: the first 8 bytes of the SHA-256 of the public key.
type KeyID [8]byte

// String returns 16 hexadecimal digits.
func (id KeyID) String() string { return hex.EncodeToString(id[:]) }

// Clients encrypt requests to a PublicKey. A client with a forged key encrypts to the forger.
type PublicKey struct {
	ID  KeyID
	key hpke.PublicKey
}

// A Key is a fleet's secret key, which its workers share.
type Key struct {
	ID      KeyID
	private hpke.PrivateKey
}

const (
	seedSize       = 32
	publicKeySize  = 1216
	secretWord     = "fount-fleet-secret-1"
	publicWord     = "fount-fleet-public-1"
	secretPreamble = "# The secret of a fleet of workers. Anyone who has it can read every request that was ever sealed to it.\n"
)

// NewKey returns a new key.
func NewKey() (Key, error) {
	var seed [seedSize]byte
	fount.Read(seed[:])
	defer erase.Wipe(seed[:])
	return newKey(seed[:])
}

func newKey(seed []byte) (Key, error) {
	private, err := kem().NewPrivateKey(bytes.Clone(seed)) // keeps its argument
	if err != nil {
		return Key{}, fmt.Errorf("fleet: new key: %w", err)
	}
	return Key{ID: keyID(private.PublicKey()), private: private}, nil
}

func keyID(public hpke.PublicKey) KeyID {
	sum := sha256.Sum256(public.Bytes())
	return KeyID(sum[:8])
}

// Public returns the public half.
func (k Key) Public() PublicKey { return PublicKey{k.ID, k.private.PublicKey()} }

// String returns the key as 1,662 characters without a line break: a word, the ID and base64.
func (p PublicKey) String() string {
	return publicWord + " " + p.ID.String() + " " + base64.StdEncoding.EncodeToString(p.key.Bytes())
}

// ParsePublicKey parses the result of String. It ignores white space around it.
func ParsePublicKey(text string) (p PublicKey, err error) {
	line := strings.TrimSpace(text)
	if strings.HasPrefix(line, secretWord) || strings.HasPrefix(line, "#") {
		return p, errors.New("fleet: this is a secret key; want the public key's line")
	}

	err = parseLine([]byte(line), publicWord, publicKeySize, func(b []byte) (KeyID, error) {
		key, err := kem().NewPublicKey(bytes.Clone(b))
		if err != nil {
			return KeyID{}, err
		}
		p = PublicKey{keyID(key), key}
		return p.ID, nil
	})
	if err != nil {
		return PublicKey{}, fmt.Errorf("fleet: public key: %w", err)
	}
	return p, nil
}

// parseLine decodes a line: a word, the key's ID, and a number of bytes in base64, of which decode
// makes the key. It wipes the bytes.
func parseLine(line []byte, word string, size int, decode func(b []byte) (KeyID, error)) error {
	words := bytes.Split(line, []byte(" "))
	if len(words) != 3 || string(words[0]) != word {
		return fmt.Errorf("not a key; want %q, an ID and the key on one line", word)
	}

	b := make([]byte, base64.StdEncoding.DecodedLen(len(words[2])))
	defer erase.Wipe(b)
	n, err := base64.StdEncoding.Strict().Decode(b, words[2])
	if err != nil || n != size {
		return fmt.Errorf("a damaged key; want %d bytes in base64", size)
	}

	id, err := decode(b[:n])
	if err != nil {
		return fmt.Errorf("a damaged key: %w", err)
	}
	if id.String() != string(words[1]) {
		return fmt.Errorf("a damaged key: its ID is %s, and the line says %.20q", id, words[1])
	}
	return nil
}

// AppendKeys appends a key file with a line for each key. The caller wipes it.
func AppendKeys(b []byte, keys []Key) ([]byte, error) {
	b = append(b, secretPreamble...)
	for _, k := range keys {
		seed, err := k.private.Bytes() // not a copy, so it must not be wiped
		if err != nil {
			return nil, fmt.Errorf("fleet: key %s: %w", k.ID, err)
		}
		b = fmt.Appendf(b, "%s %s ", secretWord, k.ID)
		b = base64.StdEncoding.AppendEncode(b, seed)
		b = append(b, '\n')
	}
	return b, nil
}

// ParseKeys parses a key file, with the newest key first. Comments and empty lines may stand
// between keys. No error repeats a part of a secret.
func ParseKeys(text []byte) ([]Key, error) {
	var keys []Key
	for i, line := range bytes.Split(text, []byte("\n")) {
		if len(line) == 0 || line[0] == '#' {
			continue
		}

		var k Key
		err := parseLine(line, secretWord, seedSize, func(seed []byte) (id KeyID, err error) {
			k, err = newKey(seed)
			return k.ID, err
		})
		if err != nil {
			return nil, fmt.Errorf("fleet: line %d: %w", i+1, err)
		}
		if slices.ContainsFunc(keys, func(other Key) bool { return other.ID == k.ID }) {
			return nil, fmt.Errorf("fleet: line %d: key %s for the second time; want it once", i+1, k.ID)
		}
		keys = append(keys, k)
	}

	if len(keys) == 0 {
		return nil, errors.New("fleet: no key in the file")
	}
	return keys, nil
}
