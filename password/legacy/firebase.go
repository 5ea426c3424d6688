// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"slices"
	"time"

	"fount/internal/erase"
	"fount/internal/turn"
	"fount/password"
	"fount/password/internal/format"
	mixing "fount/password/internal/scrypt"
)

// A FirebaseConfig has a project's password hash parameters, as the Firebase console shows them.
type FirebaseConfig struct {
	SignerKey     string // base64_signer_key, of 16 to 64 bytes
	SaltSeparator string // base64_salt_separator, such as "Bw=="
	Rounds        int    // 1 to 255, usually 8
	MemCost       int    // 1 to 31, usually 14, which is 16 MiB
}

var (
	errFirebase       = errors.New("want salt and separator of at most 64 bytes, and a sum as long as the key, of 16 bytes or more")
	errFirebaseNumber = errors.New("want a cost of at most 31, and r*p of at most 255")
)

// FirebaseProject returns the form of Firebase's scrypt with the parameters of one project. Store a
// row of its export as "$fbscrypt$" + salt + "$" + passwordHash, both in base64 as they are. The
// error says which parameter is out of range.
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

	own := method{hashOf: f.hashOf}
	const numbers = "$fbscrypt$v=1,n={ln},r={r},p={p}"
	return formOf(maker{name: "firebase-project", rows: []row{
		{"$fbscrypt${salt:base64}${sum:base64}", own},
		{"$fbscrypt${salt:url64}${sum:url64}", own},
		{numbers + "${salt:base64}${sum:base64}", own},
		{numbers + ",ss={sep:base64}${salt:base64}${sum:base64}", own},
	}}), nil
}

// fbscrypt is the method of Firebase's scrypt with all parameters in the string.
var fbscrypt = method{hashOf: firebase{}.hashOf}

// firebase has the parameters of Firebase's scrypt. The scrypt of the password, with salt and
// separator, is an AES key of 32 bytes. The sum is the signer's key encrypted with that.
// https://github.com/firebase/scrypt/issues/2
type firebase struct {
	n, r, p           uint32 // N is 2^n
	signer, separator []byte
}

// hashOf returns a hash with the parameters that the string has, and the others of f.
func (f firebase) hashOf(v *values) (password.Parsed, error) {
	if v.log2N > 0 {
		f.n = v.log2N
		f.r = v.r
		f.p = v.p
		f.separator = v.separator
	}
	if v.key != nil {
		f.signer = v.key
	}

	if len(v.salt)+len(f.separator) > maxSalt || len(v.sum) != len(f.signer) || len(v.sum) < format.MinSum {
		return nil, errFirebase
	}
	if f.n > 31 || uint64(f.r)*uint64(f.p) > 255 {
		return nil, errFirebaseNumber
	}

	salt := slices.Concat(v.salt, f.separator)
	return &password.Computed{
		Cost:   f.n,
		Time:   func(int) time.Duration { return time.Duration(f.r*f.p) << f.n * scryptBlock },
		Memory: f.params().Memory(),
		Sum:    v.sum,
		Compute: func(password, memory []byte, yield func() bool) []byte {
			return f.compute(password, salt, memory, yield)
		},
	}, nil
}

func (f firebase) params() mixing.Params {
	return mixing.Params{Cost: int(f.n), R: int(f.r), P: int(f.p)}
}

// scryptBlock is the time that scrypt takes for each 128 bytes of its table.
const scryptBlock = 480 * time.Nanosecond

// compute returns the encrypted signer's key, or nil if yield was false. AES's round keys stay on
// the heap, as those of crypto/aes can't be wiped. They tell no more than the stored hash and the
// signer's key do.
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
