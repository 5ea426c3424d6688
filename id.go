// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// Random values as text: Text and Code for people, and Token for programs.

import (
	"encoding/binary"
	"slices"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"fount/internal/shard"
)

// Text returns 26 random characters of the base32 alphabet of RFC 4648 (A to Z, 2 to 7), which have
// 130 random bits, as [crypto/rand.Text] does. It is for secrets that people read or type:
// passwords, recovery codes, invitations.
//
// It never fails, and may be called from any goroutine.
func Text() string {
	var raw [textRaw]byte
	shard.Read24(&raw)
	return encodeText(&raw)
}

// Token returns n random bytes as base64url without padding (RFC 4648, section 5), four characters
// of A to Z, a to z, 0 to 9, '-' and '_' for three bytes: Token(32) has 256 random bits in 43
// characters. It is for secrets that programs use: session keys, API keys, the state parameter of
// OAuth.
//
// It panics if n is below 16 (128 bits), and never fails otherwise. It may be called from any
// goroutine.
func Token(n int) string {
	if n < minToken {
		panic("fount: Token of " + strconv.Itoa(n) + " bytes, want at least " + strconv.Itoa(minToken))
	}
	text := make([]byte, base64Len(n))
	Read(text[len(text)-n:]) // as one draw
	return encodeToken(text, n)
}

// Code returns n characters of the alphabet, each drawn uniformly: Code(6, "0123456789") is a
// one-time code. It is for codes that people type and that expire soon or allow only a few
// attempts: a guess of six digits succeeds once in a million. For other secrets use [Text].
//
// It panics if n is below 1, or if the alphabet has fewer than two characters, repeats one, or is
// not UTF-8. It never fails otherwise. It may be called from any goroutine.
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
	textLen = 26 // characters of 5 bits: the fewest that hold 128 bits
	textRaw = 24 // bytes drawn, of which 130 bits are used: whole words are drawn faster

	minToken = 16 // bytes: 128 bits
)

// encodeText returns the first 26 characters of raw in base32, and wipes raw. It loads raw in the
// words in which it was stored: a load that spans two stores waits for both.
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

// wipeText wipes raw in two stores. erase.Wipe would take 4 ns.
//
//go:noinline
func wipeText(raw *[textRaw]byte) { *raw = [textRaw]byte{} }

// encodeToken overwrites text with the base64 of its last n bytes. It never overwrites a byte that
// is still to be read: of L characters k groups fill 8k, and the next group is read at L - n + 6k,
// which is at least that for 6k ≤ n, as L ≥ 4n/3. Groups are loaded as 8 bytes; the last ones are
// copied first.
func encodeToken(text []byte, n int) string {
	out, raw := text, text[len(text)-n:]

	for len(raw) >= 8 {
		binary.BigEndian.PutUint64(out, base64of6(raw))
		out, raw = out[8:], raw[6:]
	}

	var last [14]byte // 7 bytes, then zeros for the spare bits of the last character
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

// base64Len returns how many characters n bytes take in base64 without padding. The result is
// negative if an int can't hold it; make then panics.
func base64Len(n int) int {
	return n/3*4 + (n%3*8+5)/6
}

// # Alphabets
//
// Characters are computed, eight at a time in the bytes of a word. A table indexed by a secret
// would leave a trace of the secret in the cache, and be slower: the 26 characters of a Text take
// 11 ns, and 16 with a table; 64 characters of a Token take 52 ns, and 58 with encoding/base64.
//
// First the digits are spread, one to a byte, by halving: the upper half of each group of bits is
// shifted up. Then each digit d is turned into its character by sums that are the same for all
// eight. The alphabet is a few runs of consecutive characters. d + 128 - k has its top bit set if
// and only if d ≥ k (for d < 128 and k ≤ 128, so that no sum leaves its byte). This bit times a
// constant is the step from one run to the next. Borrows between bytes cancel out by the end,
// because addition modulo 2⁶⁴ has no order and every final byte is in [0, 256).

// ones has a 1 in each byte.
const ones = 0x0101010101010101

// base32x8 returns the eight base32 characters of a 40-bit number.
func base32x8(x uint64) uint64 {
	x = x&0xfffff00000<<12 | x&0x00000fffff
	x = x&0x000ffc00000ffc00<<6 | x&0x000003ff000003ff
	x = x&0x03e003e003e003e0<<3 | x&0x001f001f001f001f
	digit := (x + (128-26)*ones) >> 7 & ones
	return x + 'A'*ones - digit*('A'+26-'2')
}

// spread6 puts each of the eight 6-bit groups of a 48-bit number into a byte.
func spread6(x uint64) uint64 {
	x = x&0xffffff000000<<8 | x&0x000000ffffff
	x = x&0x00fff00000fff000<<4 | x&0x00000fff00000fff
	return x&0x0fc00fc00fc00fc0<<2 | x&0x003f003f003f003f
}

// base64url returns the characters of eight digits. It is separate from spread6, so that both can
// be inlined: a Token takes 52 ns, and 69 otherwise.
func base64url(d uint64) uint64 {
	lower := (d + (128-26)*ones) >> 7 & ones
	digit := (d + (128-52)*ones) >> 7 & ones
	minus := (d + (128-62)*ones) >> 7 & ones
	under := minus & d // of 62 and 63 only 63 is odd

	return d + 'A'*ones +
		lower*('a'-26-'A') -
		digit*('a'+26-'0') -
		minus*('0'+10-'-') +
		under*('_'-1-'-')
}

// stringOf returns b as a string, without a copy. Nothing may write to b afterwards
// (https://pkg.go.dev/unsafe#String).
//
// It is the package's only use of unsafe. A conversion of an array on the stack would leave the
// characters there and copy them, in loads that wait for several stores each (15 of 80 ns for a
// UUID).
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
