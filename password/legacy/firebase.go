// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"fount/internal/erase"
	"fount/internal/turn"
	"fount/password"
	"fount/password/internal/mac"
	mixing "fount/password/internal/scrypt"
)

// FirebaseConfig is what the Firebase console shows as a project's password hash parameters.
type FirebaseConfig struct {
	SignerKey     string // base64_signer_key, of 16 to 64 bytes
	SaltSeparator string // base64_salt_separator, such as "Bw=="
	Rounds        int    // 1 to 255; 8
	MemCost       int    // 1 to 31; 14, which is 16 MiB
}

// FirebaseProject is Firebase's scrypt with the parameters of one project. A row of its export is to be stored as
// $fbscrypt$ + salt + $ + passwordHash, both in base64 as they are. The error is that of a parameter out of range.
func FirebaseProject(c FirebaseConfig) (password.Format, error) {
	f := firebase{n: uint32(c.MemCost), r: uint32(c.Rounds), p: 1}
	var err error
	if f.signer, err = base64Of(base64.StdEncoding, c.SignerKey); err != nil || len(f.signer) < 16 || len(f.signer) > 64 {
		return nil, errors.New("legacy: SignerKey is not the base64 of 16 to 64 bytes; want the project's base64_signer_key")
	}
	if f.separator, err = base64Of(base64.StdEncoding, c.SaltSeparator); err != nil || len(f.separator) > 64 {
		return nil, errors.New("legacy: SaltSeparator is not the base64 of at most 64 bytes; want the project's base64_salt_separator")
	}
	if c.Rounds < 1 || c.Rounds > 255 || c.MemCost < 1 || c.MemCost > 31 {
		return nil, fmt.Errorf("legacy: Rounds %d, MemCost %d; want 1 to 255 and 1 to 31, usually 8 and 14", c.Rounds, c.MemCost)
	}
	return prefixed("firebase-project", func(_, rest string) (*password.Parsed, error) {
		if strings.HasPrefix(rest, "v=") {
			return nil, nil // a row with parameters of its own, which Firebase reads
		}
		parts, err := split(rest, "$", 2)
		if err != nil {
			return nil, err
		}
		return f.parsed(websafe.Replace(parts[0]), websafe.Replace(parts[1]))
	}, "$fbscrypt$"), nil
}

// websafe turns the base64 that Firebase's Admin SDK writes into that of its command line.
var websafe = strings.NewReplacer("-", "+", "_", "/")

// Firebase is Firebase's scrypt in rows that hold the project's parameters: $fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=...$salt$sum, which
// Supabase reads, and Kratos' $firescrypt$ln=14,r=8,p=1$salt$sum$separator$key. For rows without them there is FirebaseProject.
func Firebase() password.Format {
	return prefixed("firebase", func(prefix, rest string) (*password.Parsed, error) {
		if prefix == "$fbscrypt$" {
			if !strings.HasPrefix(rest, "v=") {
				return nil, nil // FirebaseProject's
			}
			return supabaseFirebase(rest)
		}
		parts, err := split(rest, "$", 5)
		if err != nil {
			return nil, err
		}
		return firebaseRow(strings.SplitN(parts[0], ",", 4), []string{"ln=", "r=", "p="}, parts[3], parts[4], parts[1], parts[2])
	}, "$fbscrypt$", "$firescrypt$")
}

// supabaseFirebase reads what GoTrue's password.go does: v=1,n=14,r=8,p=1,ss=...,sk=...$salt$sum.
func supabaseFirebase(rest string) (*password.Parsed, error) {
	parts, err := split(rest, "$", 3)
	if err != nil {
		return nil, err
	}
	head, err := split(parts[0], ",", 6)
	if err != nil {
		return nil, err
	}
	separator, ok1 := strings.CutPrefix(head[4], "ss=")
	key, ok2 := strings.CutPrefix(head[5], "sk=")
	if !ok1 || !ok2 || head[0] != "v=1" {
		return nil, errParts
	}
	return firebaseRow(head[1:4], []string{"n=", "r=", "p="}, separator, key, parts[1], parts[2])
}

// firebaseRow reads three numbers behind their names, and four texts.
func firebaseRow(numbers, names []string, separator, key, salt, sum string) (*password.Parsed, error) {
	n, err := named(numbers, names...)
	if err != nil {
		return nil, err
	}
	f := firebase{n: n[0], r: n[1], p: n[2]}
	if f.separator, f.signer, err = both(base64.StdEncoding, separator, key); err != nil {
		return nil, err
	}
	return f.parsed(salt, sum)
}

// A firebase is scrypt of the password, for salt and separator, whose 32 bytes are an AES key under which
// the signer's key is encrypted: that is the sum. https://github.com/firebase/scrypt/issues/2
type firebase struct {
	n, r, p           uint32 // N is 2^n
	signer, separator []byte
}

func (f firebase) parsed(saltText, sumText string) (*password.Parsed, error) {
	salt, sum, err := both(base64.StdEncoding, saltText, sumText)
	if err != nil {
		return nil, err
	}
	if len(salt)+len(f.separator) > 64 || len(sum) != len(f.signer) || len(sum) < 16 {
		return nil, errSizes
	}
	if f.n > 31 || uint64(f.r)*uint64(f.p) > 255 { // their blocks, of up to 32 KiB, are not in Memory
		return nil, errNumber
	}
	return &password.Parsed{
		Cost:   f.n,
		Time:   func(int) time.Duration { return time.Duration(f.r*f.p) << f.n * scryptBlock },
		Memory: 128 * int64(f.r) * (1<<f.n + 2), // mixing.Words, also where an int is too small for it
		Sum:    sum,
		Compute: func(password, memory []byte, yield func() bool) []byte {
			return f.compute(password, append(salt[:len(salt):len(salt)], f.separator...), memory, yield)
		},
	}, nil
}

// scryptBlock is the time of scrypt for each 128 bytes of its table.
const scryptBlock = 480 * time.Nanosecond

// compute returns the signer's key, encrypted, or nil if nobody waits. AES's round keys stay on the heap, as no one can
// wipe those of crypto/aes: they tell who reads them the derived key, and so no more than the stored hash does beside the signer's key.
func (f firebase) compute(password, salt, memory []byte, yield func() bool) []byte {
	m := mac.New(sha256.New, password)
	defer m.Wipe()
	var t turn.Turn
	part := 128 * int(f.r)
	t.StartCalling(mac.LookEvery, yield)
	b := m.PBKDF2(salt, 1, int(f.p)*part, &t)
	if b == nil {
		return nil
	}
	defer erase.Wipe(b)
	t.StartCalling(mixing.LookEvery, yield)
	table := erase.As[uint32](memory)
	for i := range int(f.p) {
		if !mixing.Mix(b[i*part:][:part], int(f.n), int(f.r), table, &t) {
			return nil
		}
	}
	t.StartCalling(mac.LookEvery, yield)
	key := m.PBKDF2(b, 1, 32, &t)
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
