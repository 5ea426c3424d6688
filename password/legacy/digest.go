// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// Digests that leave nothing of the password, and how they share the processor.

import (
	"crypto/fips140"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding"
	"errors"
	"hash"
	"strings"
	"time"

	"fount/password"
	"fount/password/internal/mac"
)

// digests are those that makers name.
var digests = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New,
	"sha384": sha512.New384, "sha512": sha512.New,
}

// A digest is a hash of the standard library that can be wiped.
type digest struct {
	hash.Hash
	blank []byte // its state without anything
}

// newDigest returns one, which its caller wipes. None of them fails.
func newDigest(newHash func() hash.Hash) *digest {
	mac.ScrubStack() // the stack grows now, while nothing is on it
	d := &digest{Hash: newHash()}
	d.blank, _ = d.Hash.(encoding.BinaryMarshaler).MarshalBinary()
	return d
}

// of sets sum to the digest of the parts, and returns it.
func (d *digest) of(sum []byte, parts ...[]byte) []byte {
	d.Reset()
	for _, part := range parts {
		d.Write(part)
	}
	return d.Sum(sum[:0])
}

func (d *digest) wipe() {
	d.Hash.(encoding.BinaryUnmarshaler).UnmarshalBinary(d.blank)
	mac.ScrubStack()
}

// textOf returns a function that returns the digest of a password as text.
func textOf(newHash func() hash.Hash, encode func(dst, src []byte) []byte) func([]byte) []byte {
	return func(password []byte) []byte {
		d := newDigest(newHash)
		defer d.wipe()
		sum := d.of(nil, password)
		defer clear(sum)
		return encode(nil, sum)
	}
}

// A pace calls yield after each 16 KiB or so that were digested, 10 to 60 µs, and counts each
// digest for a block more.
type pace struct {
	yield func() bool
	left  int
}

const stride = 16 << 10

// did reports whether to go on after n more bytes.
func (p *pace) did(n int) bool {
	if p.left -= n + 64; p.left > 0 {
		return true
	}
	p.left = stride
	return p.yield()
}

// How long digests take, in ns, where a bcrypt of cost 10 takes 54 ms: a call, and each block.
const call, md5Block, sha1Block, sha256Block, sha512Block, sha3Block = 80, 110, 60, 70, 220, 400

var errFIPS = errors.New("it takes MD5 or SHA-1, which GODEBUG=fips140=only forbids: " +
	"let its users set new passwords, or verify them elsewhere")

// approved returns an error for MD5 and SHA-1, the digests below 28 bytes, where FIPS 140 is
// enforced: there they panic.
func approved(newHash func() hash.Hash) error {
	if fips140.Enforced() && newHash().Size() < sha256.Size224 {
		return errFIPS
	}
	return nil
}

// saltedAround is one digest of before, the password and after, in which the salt stands wherever
// place does.
func saltedAround(newHash func() hash.Hash, before, after, place string, salt, sum []byte) (
	password.Parsed, error) {
	if len(before)+len(after)+len(salt) > 320 {
		return nil, errSalt
	}
	filled := func(text string) []byte { return []byte(strings.ReplaceAll(text, place, string(salt))) }
	return salted(newHash, filled(before), filled(after), sum)
}

// salted is one digest of before, the password and after.
func salted(newHash func() hash.Hash, before, after, sum []byte) (password.Parsed, error) {
	if len(before)+len(after) > 128 {
		return nil, errSalt
	}
	compute := func(password []byte) []byte {
		d := newDigest(newHash)
		defer d.wipe()
		return d.of(nil, before, password, after)
	}
	return quick(newHash, newHash().Size(), time.Microsecond, sum, compute)
}

// quick is a hash without rounds: the digest of password, of so many bytes, which takes so long
// for a short one and 2 ns for each further byte. It counts as cost 0.
func quick(newHash func() hash.Hash, size int, took time.Duration, sum []byte,
	digest func(password []byte) []byte) (password.Parsed, error) {
	if len(sum) != size {
		return nil, errSizes
	}
	if err := approved(newHash); err != nil {
		return nil, err
	}
	return &password.Computed{
		Time:    func(n int) time.Duration { return took + time.Duration(2*n) },
		Sum:     sum,
		Compute: func(password, _ []byte, _ func() bool) []byte { return digest(password) },
	}, nil
}
