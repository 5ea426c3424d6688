// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"strings"
	"time"

	"fount/internal/erase"
	"fount/internal/turn"
	"fount/password"
	"fount/password/internal/format"
	mixing "fount/password/internal/scrypt"
)

// FirebaseConfig is what the Firebase console shows as a project's password hash parameters.
type FirebaseConfig struct {
	SignerKey     string // base64_signer_key, of 16 to 64 bytes
	SaltSeparator string // base64_salt_separator, such as "Bw=="
	Rounds        int    // 1 to 255; 8
	MemCost       int    // 1 to 31; 14, which is 16 MiB
}

// FirebaseProject is Firebase's scrypt with the parameters of one project. A row of its export is
// to be stored as $fbscrypt$ + salt + $ + passwordHash, both in base64 as they are. The error is
// that of a parameter out of range.
func FirebaseProject(c FirebaseConfig) (password.Format, error) {
	f := firebase{n: uint32(c.MemCost), r: uint32(c.Rounds), p: 1}
	var err error
	if f.signer, err = format.Decode(std64, c.SignerKey); err != nil || len(f.signer) < 16 || len(f.signer) > 64 {
		return nil, errors.New("legacy: SignerKey is not the base64 of 16 to 64 bytes; " +
			"want the project's base64_signer_key")
	}
	if f.separator, err = format.Decode(std64, c.SaltSeparator); err != nil || len(f.separator) > 64 {
		return nil, errors.New("legacy: SaltSeparator is not the base64 of at most 64 bytes; " +
			"want the project's base64_salt_separator")
	}
	if c.Rounds < 1 || c.Rounds > 255 || c.MemCost < 1 || c.MemCost > 31 {
		return nil, fmt.Errorf("legacy: Rounds %d, MemCost %d; want 1 to 255 and 1 to 31, usually 8 and 14",
			c.Rounds, c.MemCost)
	}
	return prefixed("firebase-project", func(_, rest string) (password.Parsed, error) {
		if strings.HasPrefix(rest, "v=") {
			return nil, nil // a row with parameters of its own, which Firebase reads
		}
		var s scan
		parts := s.split(websafe.Replace(rest), "$", 2)
		return f.parsed(s, parts[0], parts[1])
	}, "$fbscrypt$"), nil
}

// websafe turns the base64 that Firebase's Admin SDK writes into that of its command line.
var websafe = strings.NewReplacer("-", "+", "_", "/")

// Firebase is Firebase's scrypt in rows that hold the project's parameters:
// $fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=...$salt$sum, which Supabase reads, and Kratos'
// $firescrypt$ln=14,r=8,p=1$salt$sum$separator$key. For rows without them there is FirebaseProject.
func Firebase() password.Format {
	return prefixed("firebase", func(prefix, rest string) (password.Parsed, error) {
		var s scan
		if prefix == "$firescrypt$" {
			parts := s.split(rest, "$", 5)
			n := s.named(parts[0], "ln=", "r=", "p=")
			return firebaseRow(s, n, parts[3], parts[4], parts[1], parts[2])
		}
		if !strings.HasPrefix(rest, "v=") {
			return nil, nil // FirebaseProject's
		}
		parts := s.split(rest, "$", 3)
		head := s.split(parts[0], ",", 6)
		n := s.named(strings.Join(head[1:4], ","), "n=", "r=", "p=")
		separator, ok1 := strings.CutPrefix(head[4], "ss=")
		key, ok2 := strings.CutPrefix(head[5], "sk=")
		s.want(ok1 && ok2 && head[0] == "v=1", errParts)
		return firebaseRow(s, n, separator, key, parts[1], parts[2])
	}, "$fbscrypt$", "$firescrypt$")
}

func firebaseRow(s scan, n []uint32, separator, key, salt, sum string) (password.Parsed, error) {
	f := firebase{n: n[0], r: n[1], p: n[2]}
	f.separator, f.signer = s.base64(std64, separator), s.base64(std64, key)
	return f.parsed(s, salt, sum)
}

// A firebase is scrypt of the password, for salt and separator, whose 32 bytes are an AES key under
// which the signer's key is encrypted: that is the sum.
// https://github.com/firebase/scrypt/issues/2
type firebase struct {
	n, r, p           uint32 // N is 2^n
	signer, separator []byte
}

func (f firebase) parsed(s scan, saltText, sumText string) (password.Parsed, error) {
	salt, sum := s.base64(std64, saltText), s.base64(std64, sumText)
	s.want(len(salt)+len(f.separator) <= 64 && len(sum) == len(f.signer) && len(sum) >= 16, errSizes)
	s.want(f.n <= 31 && uint64(f.r)*uint64(f.p) <= 255, errNumber)
	if s.err != nil {
		return nil, s.err
	}
	salt = append(salt, f.separator...)
	return &password.Computed{
		Cost:   f.n,
		Time:   func(int) time.Duration { return time.Duration(f.r*f.p) << f.n * scryptBlock },
		Memory: f.params().Memory(),
		Sum:    sum,
		Compute: func(password, memory []byte, yield func() bool) []byte {
			return f.compute(password, salt, memory, yield)
		},
	}, nil
}

func (f firebase) params() mixing.Params {
	return mixing.Params{Cost: int(f.n), R: int(f.r), P: int(f.p)}
}

// scryptBlock is the time of scrypt for each 128 bytes of its table.
const scryptBlock = 480 * time.Nanosecond

// compute returns the signer's key, encrypted, or nil if nobody waits. AES's round keys stay on the
// heap, as no one can wipe those of crypto/aes: they tell no more than the stored hash does beside
// the signer's key.
func (f firebase) compute(password, salt, memory []byte, yield func() bool) []byte {
	var t turn.Turn
	t.StartCalling(mixing.LookEvery, yield)
	key := f.params().Key(32, password, salt, memory, &t)
	if key == nil {
		return nil
	}
	defer erase.Wipe(key)
	block, err := aes.NewCipher(key)
	if err != nil {
		panic("legacy: AES with a key of 32 bytes: " + err.Error())
	}
	sum := make([]byte, len(f.signer))
	cipher.NewCTR(block, make([]byte, aes.BlockSize)).XORKeyStream(sum, f.signer)
	return sum
}
