// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What PHP's applications store.

import (
	"bytes"
	"crypto/md5"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"time"

	"fount/password"
	"fount/password/internal/format"
	"fount/password/internal/mac"
)

// PHPass is the portable hash of phpass, $P$, which phpBB calls $H$: 2^7 to 2^30 times MD5. A
// password is right as it is, and as the maker took it from a form: WordPress with backslashes
// before quotes and without white space around it, phpBB with the entities of HTML for &, <, > and
// ". (PhpBB 3.1 and later hash that by bcrypt, whose strings do not show it: verify those with
// html.EscapeString of what was given where that is another.)
func PHPass() password.Format {
	return prefixed("phpass", func(prefix, rest string) (password.Parsed, error) {
		parsed, err := stretched(md5.New, rest, 22, 64, md5Block, nil)
		if err != nil {
			return nil, err
		}
		c := parsed.(*password.Computed)
		if c.Also = wordPressForm; prefix == "$H$" {
			c.Also = phpBBForm
		}
		return c, nil
	}, "$P$", "$H$")
}

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

// Drupal is what Drupal 7 to 10.0 store, $S$: SHA-512 in phpass's way. U$S$ is the same of the
// password's MD5, in hexadecimal, which came from Drupal 6.
func Drupal() password.Format {
	return prefixed("drupal", func(prefix, rest string) (password.Parsed, error) {
		if prefix == "U$S$" {
			if err := approved(md5.New); err != nil {
				return nil, err
			}
			return stretched(sha512.New, rest, 43, 128, sha512Block, textOf(md5.New, hex.AppendEncode))
		}
		return stretched(sha512.New, rest, 43, 128, sha512Block, nil)
	}, "$S$", "U$S$")
}

// stretched reads a character of log2 of the rounds, 8 of salt, and so many of the sum: a digest of
// salt and password, then of itself and the password. prepare, if any, comes before.
func stretched(newHash func() hash.Hash, rest string, text, block, blockTime int,
	prepare func([]byte) []byte) (password.Parsed, error) {
	const head = 1 + 8
	if len(rest) != head+text || !format.InCrypt64(rest[head:]) {
		return nil, errParts
	}
	log2, _ := format.Crypt64(rest[:1])
	if log2 < 7 || log2 > 30 {
		return nil, errNumber
	}
	if err := approved(newHash); err != nil {
		return nil, err
	}
	salt, size := []byte(rest[1:head]), newHash().Size()
	return &password.Computed{
		Cost: log2,
		Time: func(n int) time.Duration {
			if prepare != nil {
				n = 2 * md5.Size
			}
			return time.Duration(call+blocks(size+n, block)*blockTime) << log2
		},
		Sum: []byte(rest[head:]), Blank: blank(rest[head:], "."),
		Compute: func(password, _ []byte, yield func() bool) []byte {
			if prepare != nil {
				password = prepare(password)
				defer clear(password)
			}
			d, p := newDigest(newHash), pace{yield: yield, left: stride}
			defer d.wipe()
			sum := d.of(nil, salt, password)
			defer clear(sum)
			for range 1 << log2 {
				if sum = d.of(sum, sum, password); !p.did(size + len(password)) {
					return nil
				}
			}
			return format.EncodeCrypt64(sum)[:text]
		},
	}, nil
}

// WordPress is what it stores since 6.8, $wp$2y$: bcrypt of base64(HMAC-SHA-384(password)). Before
// that it was PHPass. The password is that of WordPress' forms, with backslashes before quotes and
// without white space around it.
func WordPress() password.Format {
	return prefixed("wordpress", func(_, rest string) (password.Parsed, error) {
		return known("$2y$"+rest, func(password []byte) []byte {
			given := wordPressForm(password)
			defer clear(given[:cap(given)])
			sum := mac.HMAC(sha512.New384, []byte("wp-sha384"), given)
			defer clear(sum)
			return base64.StdEncoding.AppendEncode(nil, sum)
		})
	}, "$wp$2y$")
}
