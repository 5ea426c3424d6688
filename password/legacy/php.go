// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What PHP's applications store.

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

// phpBBForm is what phpBB's request class makes of a password: htmlspecialchars with ENT_COMPAT.
func phpBBForm(password []byte) []byte {
	entities := map[byte]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&quot;"}
	b := make([]byte, 0, 6*len(password)) // not to be moved while it grows
	for _, c := range password {
		if entity := entities[c]; entity != "" {
			b = append(b, entity...)
		} else {
			b = append(b, c)
		}
	}
	return b
}

// wordPressForm is what WordPress' wp_magic_quotes, which is PHP's addslashes, and its trim make of
// a password.
func wordPressForm(password []byte) []byte {
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
	return bytes.Trim(b, " \t\n\r\x00\x0b")
}

// stretched reads a character of log2 of the rounds, 8 of salt, and so many of the sum: a digest of
// salt and password, then of itself and the password. prepare, if any, comes before; also is
// another form of the password.
func stretched(h crypto.Hash, text int, prepare, also func([]byte) []byte) method {
	return rest(func(hash string) (password.Parsed, error) {
		const head = 1 + 8
		if len(hash) != head+text || !format.InCrypt64(hash[head:]) {
			return nil, errStretched
		}
		log2, _ := format.Crypt64(hash[:1])
		if log2 < 7 || log2 > 30 {
			return nil, errStretched
		}
		if err := approved(h); err != nil {
			return nil, err
		}
		if prepare != nil {
			if err := approved(crypto.MD5); err != nil {
				return nil, err
			}
		}
		salt, size, block := []byte(hash[1:head]), h.Size(), h.New().BlockSize()
		return &password.Computed{
			Cost: log2,
			Time: func(n int) time.Duration {
				if prepare != nil {
					n = 2 * md5.Size
				}
				return time.Duration(call+blocks(size+n, block)*blockTime(h)) << log2
			},
			Also: also,
			Sum:  []byte(hash[head:]), Blank: strings.Repeat(".", text),
			Compute: func(password, _ []byte, yield func() bool) []byte {
				if prepare != nil {
					password = prepare(password)
					defer clear(password)
				}
				d, p := newDigest(h.New), pace{yield: yield, left: stride}
				defer d.wipe()
				sum := d.of(nil, salt, password)
				defer clear(sum)
				for range 1 << log2 {
					sum = d.of(sum, sum, password)
					if !p.did(size + len(password)) {
						return nil
					}
				}
				return format.EncodeCrypt64(sum)[:text]
			},
		}, nil
	})
}

var errStretched = errors.New("want a character of 5 to S, 8 of salt, and the sum as long as its maker writes")

// wordPressKey is what bcrypt gets since WordPress 6.8.
func wordPressKey(password []byte) []byte {
	given := wordPressForm(password)
	defer clear(given[:cap(given)])
	sum := mac.HMAC(sha512.New384, []byte("wp-sha384"), given)
	defer clear(sum)
	return base64.StdEncoding.AppendEncode(nil, sum)
}
