// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package parsertest

import (
	"bytes"
	"math/rand/v2"
)

// tokens are what the parsers look for, and numbers at the bounds of what they read.
var tokens = []string{
	"$", "$$", ",", "=", ":", "{", "}", "!", "*", "+", "/", ".", " ", "\n", "\r\n", "\x00", "\xff", "é", "-1", "0", "00", "1", "7", "31", "32", "63", "64", "999",
	"1000", "5000", "65535", "2147483647", "2147483648", "4294967295", "4294967296", "999999999", "1000000000", "18446744073709551615",
	"99999999999999999999999999", "rounds=", "rounds=999999999$", "v=19$", "v=16$", "m=", ",t=", ",p=", ",r=", "ln=", "i=", ",l=", ",keyid=", "AAAA", "====", "0000",
	"sha1", "sha256", "sha512", "sha1$", "$2b$", "$2x$", "$2y$12$", "$5$", "$6$", "$1$", "$P$", "$S$", "$argon2id$", "$scrypt$", "$pbkdf2$", "{CRYPT}", "{SSHA}", "{MD5}", "{ldap}",
}

// A mutator makes strings that are almost those of a corpus.
type mutator struct {
	random *rand.Rand
	corpus []string
	buf    []byte
}

// next returns the next string: of one in 1000 a piece is repeated up to 10 kB, the others keep about their length.
func (m *mutator) next() string {
	m.buf = append(m.buf[:0], m.corpus[m.random.IntN(len(m.corpus))]...)
	for range 1 + m.random.IntN(4) {
		m.change()
	}
	if m.random.IntN(1000) == 0 {
		m.repeat(10_000)
	}
	return string(m.buf)
}

// change makes one change at a random place.
func (m *mutator) change() {
	b := m.buf
	from, to := m.piece(len(b))
	switch m.random.IntN(9) {
	case 0: // cut
		m.buf = append(b[:from], b[to:]...)
	case 1: // another byte
		if from < len(b) {
			b[from] = byte(m.random.Uint32())
		}
	case 2: // another bit
		if from < len(b) {
			b[from] ^= 1 << m.random.IntN(8)
		}
	case 3: // another of the string's own characters
		if from < len(b) {
			b[from] = b[m.random.IntN(len(b))]
		}
	case 4: // a token in a piece's place
		m.splice(from, to, tokens[m.random.IntN(len(tokens))])
	case 5: // and before it
		m.splice(from, from, tokens[m.random.IntN(len(tokens))])
	case 6: // a piece of another string
		other := m.corpus[m.random.IntN(len(m.corpus))]
		i, j := m.piece(len(other))
		m.splice(from, to, other[i:j])
	case 7: // the front of this and the end of another, each at a separator
		other := m.corpus[m.random.IntN(len(m.corpus))]
		i, j := bytes.IndexAny(b[from:], "$:}"), bytes.IndexAny([]byte(other), "$:}")
		if i >= 0 && j >= 0 {
			m.buf = append(b[:from+i], other[j:]...)
		}
	case 8: // a digit
		if i := bytes.IndexAny(b[from:], "0123456789"); i >= 0 {
			b[from+i] = '0' + byte(m.random.IntN(10))
		}
	}
}

// piece returns where a random piece of n bytes begins and ends.
func (m *mutator) piece(n int) (from, to int) {
	from = m.random.IntN(n + 1)
	return from, from + m.random.IntN(min(n-from, 24)+1)
}

func (m *mutator) splice(from, to int, with string) {
	tail := string(m.buf[to:])
	m.buf = append(append(m.buf[:from], with...), tail...)
}

// repeat repeats a piece until the string has n bytes.
func (m *mutator) repeat(n int) {
	from, to := m.piece(len(m.buf))
	if from == to || len(m.buf) >= n {
		return
	}
	m.splice(to, to, string(bytes.Repeat(m.buf[from:to], (n-len(m.buf))/(to-from))))
}
