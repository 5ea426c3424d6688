// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The hashes of phpass, phpBB, WordPress and Drupal.

import (
	"bytes"
	"crypto"
	"crypto/md5"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"fount/password"
	"fount/password/internal/format"
	"fount/password/internal/mac"
)

// asTyped returns a password as programs take it that don't change it.
func asTyped(password []byte) []byte { return password }

// phpBBPosted returns a password as phpBB changes it: by htmlspecialchars with ENT_COMPAT, which
// makes no two passwords one.
func phpBBPosted(password []byte) ([]byte, bool) {
	entities := map[byte]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&quot;"}
	b := make([]byte, 0, 6*len(password)) // large enough, as growing would leave a copy behind
	for _, c := range password {
		if entity := entities[c]; entity != "" {
			b = append(b, entity...)
		} else {
			b = append(b, c)
		}
	}
	return b, true
}

// wordPressPosted returns a password as WordPress changes it: wp_magic_quotes, which is PHP's
// addslashes and makes no two passwords one, and trim, which does.
func wordPressPosted(password []byte) ([]byte, bool) {
	b := make([]byte, 0, 2*len(password))
	for _, c := range password {
		switch c {
		case 0:
			b = append(b, `\0`...)
			continue
		case '\'', '"', '\\':
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	trimmed := bytes.Trim(b, " \t\n\r\x00\x0b")
	return trimmed, len(trimmed) == len(b)
}

// A phpass is phpass's algorithm as one program uses it.
type phpass struct {
	hash     crypto.Hash
	text     int     // characters of the sum
	asPosted prepare // how an HTML form changed the password, tried as typed too; may be nil
	overMD5  bool    // the password was its MD5 in hexadecimal
}

// method returns phpass's method: a digest over salt and password, then 2^n times over its own sum
// and the password. The string has a character for n, 8 of salt, and the text of the sum.
func (p phpass) method() method {
	return parseHash(func(hash string) (password.Parsed, error) {
		const head = 1 + 8
		if len(hash) != head+p.text || !format.InCrypt64(hash[head:]) {
			return nil, errPHPass
		}
		log2, _ := format.Crypt64(hash[:1])
		if log2 < 7 || log2 > 30 {
			return nil, errPHPass
		}

		weakest := p.hash
		if p.overMD5 {
			weakest = crypto.MD5
		}
		if err := approved(weakest); err != nil {
			return nil, err
		}

		salt := []byte(hash[1:head])
		c := &password.Computed{
			Cost:  log2,
			Time:  func(n int) time.Duration { return p.time(n) << log2 },
			Sum:   []byte(hash[head:]),
			Blank: strings.Repeat(".", p.text),
			Compute: func(password, _ []byte, yield func() bool) []byte {
				sum := stretch(p.hash, log2, password, salt, yield)
				defer clear(sum)
				if sum == nil {
					return nil
				}
				return format.EncodeCrypt64(sum)[:p.text]
			},
		}
		switch {
		case p.overMD5:
			c.Prepare = hexOf(crypto.MD5)
		case p.asPosted != nil:
			c.Prepare = p.asPosted
			c.Also = asTyped
		}
		return c, nil
	})
}

var errPHPass = errors.New("want a character of 5 to S, 8 of salt, and the sum as long as its maker writes")

// time returns how long a round takes, for a password of n bytes.
func (p phpass) time(n int) time.Duration {
	if p.overMD5 {
		n = 2 * md5.Size
	}
	size := p.hash.Size() + n
	return time.Duration(callTime + blocks(size, p.hash.New().BlockSize())*blockTime(p.hash))
}

// stretch returns the sum, or nil if it was given up.
func stretch(h crypto.Hash, log2 uint32, password, salt []byte, yield func() bool) []byte {
	d := newDigest(h.New)
	defer d.wipe()

	p := pacer{yield: yield}
	sum := d.sum(nil, salt, password)
	for range 1 << log2 {
		sum = d.sum(sum, sum, password)
		if !p.did(len(sum) + len(password)) {
			clear(sum)
			return nil
		}
	}
	return sum
}

// wordPressKey returns bcrypt's input instead of the password, since WordPress 6.8, or nothing if
// only spaces were typed.
func wordPressKey(password []byte) ([]byte, bool) {
	given, exact := wordPressPosted(password)
	defer clear(given[:cap(given)])
	if len(given) == 0 {
		return nil, false
	}

	sum := mac.HMAC(sha512.New384, []byte("wp-sha384"), given)
	defer clear(sum)
	return base64.StdEncoding.AppendEncode(nil, sum), exact
}
