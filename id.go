// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// Random values as text: Text in base32 and Code in any alphabet, for people, and
// Token in base64url, for programs.

import (
	"encoding/binary"
	"slices"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"fount/internal/shard"
)

// Text returns 26 random characters of the base32 alphabet of RFC 4648 (A to
// Z, 2 to 7), 130 random bits: the alphabet and the length of
// [crypto/rand.Text]. It is for secrets that people read or type: passwords,
// recovery codes, invitations.
//
// It never fails, and may be called from any goroutine.
func Text() string {
	var raw [textRaw]byte
	shard.Read24(&raw)
	return encodeText(&raw)
}

// Token returns n random bytes as base64url without padding (RFC 4648, section
// 5): four characters of A to Z, a to z, 0 to 9, '-' and '_' for three bytes.
// It is for secrets that programs carry: session keys, API keys, the state
// parameter of OAuth. n counts bytes: Token(32) has 256 random bits in 43
// characters.
//
// It panics if n is below 16, which makes 128 bits, and never fails otherwise.
// It may be called from any goroutine.
func Token(n int) string {
	if n < tokenLeast {
		panic("fount: Token of " + strconv.Itoa(n) + " bytes, want at least " + strconv.Itoa(tokenLeast))
	}
	text := make([]byte, base64Len(n))
	Read(text[len(text)-n:]) // all at once, as one draw
	return encodeToken(text, n)
}

// Code returns n characters of the alphabet, each drawn uniformly: Code(6, "0123456789")
// for a one-time code. It is for codes that people type and that soon end, or may be
// tried a few times only: six digits are one guess in a million. Use [Text] for a secret
// that must stand alone.
//
// It panics if n is below 1, or if the alphabet has fewer than two characters, one that
// is there twice, or is not UTF-8; it never fails otherwise. It may be called from any
// goroutine.
func Code(n int, alphabet string) string {
	letters := []rune(alphabet)
	if n < 1 {
		panic("fount: Code of " + strconv.Itoa(n) + " characters, want at least 1")
	}
	if len(letters) < 2 || !utf8.ValidString(alphabet) {
		panic("fount: Code of an alphabet of " + strconv.Itoa(len(letters)) + " characters, want at least 2, in UTF-8")
	}
	for i, c := range letters {
		if slices.Contains(letters[:i], c) {
			panic("fount: Code of an alphabet that has " + strconv.QuoteRune(c) + " twice")
		}
	}
	code := make([]rune, n)
	for watch := shard.NewWatch(); ; {
		for i := range code {
			code[i] = letters[shard.Uint64n(uint64(len(letters)))]
		}
		if !watch.Moved() {
			break
		}
	}
	text := string(code)
	clear(code)
	return text
}

const (
	textLen = 26 // characters: the fewest of 5 bits that hold 128 bits
	textRaw = 24 // bytes drawn, of which 130 bits are used: whole words are read faster

	tokenLeast = 16 // bytes: 128 bits
)

// encodeText returns the first 26 characters of raw in base32, and wipes raw. It loads
// raw as it was stored, by words: a load that spans two stores waits for both.
func encodeText(raw *[textRaw]byte) string {
	text := make([]byte, textLen)
	be := binary.BigEndian
	a, b, c := be.Uint64(raw[0:]), be.Uint64(raw[8:]), be.Uint32(raw[16:])
	be.PutUint64(text[0:], base32x8(a>>24))
	be.PutUint64(text[8:], base32x8(a&(1<<24-1)<<16|b>>48))
	be.PutUint64(text[16:], base32x8(b>>8&(1<<40-1)))
	be.PutUint16(text[24:], uint16(base32x8(b&(1<<8-1)<<2|uint64(c>>30))))
	wipeText(raw)
	return stringOf(text)
}

// wipeText is wipe for a known size: two stores, where wipe costs 4 ns.
//
//go:noinline
func wipeText(raw *[textRaw]byte) { *raw = [textRaw]byte{} }

// encodeToken encodes the last n bytes of text over all of it, and so over
// themselves. Of L characters k groups fill 8k, and the next group begins at
// L - n + 6k, which is not before that as long as 6k ≤ n, since L ≥ 4n/3. Groups
// are loaded as 8 bytes; where there are fewer, by way of a copy.
func encodeToken(text []byte, n int) string {
	out, raw := text, text[len(text)-n:]
	for len(raw) >= 8 {
		binary.BigEndian.PutUint64(out, base64of6(raw))
		out, raw = out[8:], raw[6:]
	}
	var last [14]byte // 7 bytes and zeros, as the spare bits of the last character are
	var chars [8]byte
	copy(last[:], raw)
	for rest := last[:]; len(out) > 0; rest = rest[6:] {
		binary.BigEndian.PutUint64(chars[:], base64of6(rest))
		out = out[copy(out, chars[:]):]
	}
	last, chars = [14]byte{}, [8]byte{}
	return stringOf(text)
}

// base64of6 returns the characters of the first 6 of 8 bytes.
func base64of6(raw []byte) uint64 {
	return base64url(spread6(binary.BigEndian.Uint64(raw) >> 16))
}

// base64Len returns how many characters n bytes take in base64 without
// padding. If an int can't hold that, the result is negative and make panics.
func base64Len(n int) int {
	return n/3*4 + (n%3*8+5)/6
}

// # Alphabets
//
// The characters are computed, eight at a time in the bytes of a word, and not
// looked up: a table indexed by a secret leaves a trace of the secret in the
// cache. Constant time costs nothing here: the 26 characters
// of a Text take 11 ns, and 16 ns by a table; 64 characters of a Token take
// 52 ns, and 58 ns by encoding/base64.
//
// First the digits are spread, one to a byte, by halving: of each group of bits
// the upper half moves up. Then each digit d becomes its character by sums that
// are the same for all eight. The alphabet is a few runs of consecutive
// characters, and d + 128 - k has its top bit set if and only if d ≥ k (for
// d < 128 and k ≤ 128, so that no sum leaves its byte): this bit times a
// constant is the step from one run to the next. A borrow between bytes on the
// way is undone by the end, as addition modulo 2⁶⁴ has no order and every
// final byte lies in [0, 256).

// each is 1 in each byte of a word.
const each = 0x0101010101010101

// base32x8 returns the eight base32 characters of a 40-bit number.
func base32x8(x uint64) uint64 {
	x = x&0xfffff00000<<12 | x&0x00000fffff
	x = x&0x000ffc00000ffc00<<6 | x&0x000003ff000003ff
	x = x&0x03e003e003e003e0<<3 | x&0x001f001f001f001f
	digit := (x + (128-26)*each) >> 7 & each
	return x + 'A'*each - digit*('A'+26-'2')
}

// spread6 puts the eight groups of 6 bits of a 48-bit number into a byte each.
func spread6(x uint64) uint64 {
	x = x&0xffffff000000<<8 | x&0x000000ffffff
	x = x&0x00fff00000fff000<<4 | x&0x00000fff00000fff
	return x&0x0fc00fc00fc00fc0<<2 | x&0x003f003f003f003f
}

// base64url returns the characters of eight digits. Together with spread6 it
// would be too large to inline: 69 ns, not 52.
func base64url(d uint64) uint64 {
	lower := (d + (128-26)*each) >> 7 & each
	digit := (d + (128-52)*each) >> 7 & each
	minus := (d + (128-62)*each) >> 7 & each
	under := minus & d // of 62 and 63 only 63 is odd
	return d + 'A'*each +
		lower*('a'-26-'A') -
		digit*('a'+26-'0') -
		minus*('0'+10-'-') +
		under*('_'-1-'-')
}

// stringOf returns b as a string, without a copy. No code may write to b afterwards
// (https://pkg.go.dev/unsafe#String).
//
// It is the package's only use of unsafe. Characters are written where the string will be: a
// conversion from an array on the stack would copy them, in loads that span several of the stores
// just made and wait for all of them (15 of 80 ns for a UUID), and leave them there.
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
