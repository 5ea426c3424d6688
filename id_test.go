// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// Tests and benchmarks of Text and Token.

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

const base32Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

// TestEncodeVectors: the test vectors of RFC 4648, section 10, that fill a group.
func TestEncodeVectors(t *testing.T) {
	if got := characters(base32x8(0x666f6f6261)); got != "MZXW6YTB" {
		t.Errorf(`base32 of "fooba" is %q, want "MZXW6YTB"`, got)
	}
	if got := characters(base64url(spread6(0x666f6f626172))); got != "Zm9vYmFy" {
		t.Errorf(`base64 of "foobar" is %q, want "Zm9vYmFy"`, got)
	}
}

// TestEncodeEveryDigit: each digit in each of the eight places, among all ones
// and among all zeros, is encoded as by the standard library.
func TestEncodeEveryDigit(t *testing.T) {
	check := func(name string, x uint64, bytes int, got uint64, encode func([]byte) string) {
		t.Helper()
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], x)
		if got, want := characters(got), encode(b[8-bytes:]); got != want {
			t.Fatalf("%s of %#x is %q, want %q", name, x, got, want)
		}
	}
	for place := range 8 {
		for digit := range uint64(64) {
			for _, rest := range []uint64{0, math.MaxUint64} {
				shift, mask := 5*place, uint64(31)
				x := (rest&^(mask<<shift) | digit&mask<<shift) & (1<<40 - 1)
				check("base32", x, 5, base32x8(x), base32.StdEncoding.EncodeToString)

				shift, mask = 6*place, 63
				x = (rest&^(mask<<shift) | digit<<shift) & (1<<48 - 1)
				check("base64", x, 6, base64url(spread6(x)), base64.RawURLEncoding.EncodeToString)
			}
		}
	}
}

func characters(word uint64) string {
	return string(binary.BigEndian.AppendUint64(nil, word))
}

// TestEncodeText: a text is the start of the bytes drawn in base32, and they are
// wiped.
func TestEncodeText(t *testing.T) {
	for range 1000 {
		var raw [textRaw]byte
		Read(raw[:])
		want := base32.StdEncoding.EncodeToString(raw[:])[:textLen]
		if got := encodeText(&raw); got != want {
			t.Fatalf("text is %q, want %q", got, want)
		}
		if raw != [textRaw]byte{} {
			t.Fatalf("bytes drawn remain: %x", raw)
		}
	}
}

// A token of any length is the bytes drawn in base64url, and they are encoded over themselves, so that none is left.
func TestEncodeToken(t *testing.T) {
	lengths := []int{1<<10 + 1, 1<<16 + 2}
	for n := tokenLeast; n <= 200; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		text := make([]byte, base64Len(n))
		drawn := text[len(text)-n:]
		Read(drawn)
		drawn = bytes.Clone(drawn)
		if got, want := encodeToken(text, n), base64.RawURLEncoding.EncodeToString(drawn); got != want {
			t.Fatalf("token of %d bytes is %q, by encoding/base64 %q", n, got, want)
		}
		if len(text) != cap(text) && bytes.Contains(text[:cap(text)], drawn[n-8:]) {
			t.Fatalf("token of %d bytes leaves random bytes behind", n)
		}
	}
}

// lettersMissing returns how many letters of the alphabet no text has at a
// position, over all positions.
func lettersMissing(texts []string, alphabet string) int {
	seen := make(map[[2]int]bool)
	for _, text := range texts {
		for i := range len(text) {
			seen[[2]int{i, int(text[i])}] = true
		}
	}
	return len(texts[0])*len(alphabet) - len(seen)
}

// TestText: every letter turns up at every position. That fails by chance with
// probability at most 26·32·(31/32)^1000 = 1.4e-11.
func TestText(t *testing.T) {
	const draws = 1000
	if p := 26 * 32 * math.Pow(31.0/32, draws); p > 1e-9 {
		t.Fatalf("%d draws miss a letter with probability %g", draws, p)
	}
	texts := make([]string, draws)
	for i := range texts {
		texts[i] = Text()
		if len(texts[i]) != 26 || strings.Trim(texts[i], base32Alphabet) != "" {
			t.Fatalf("text %q, want 26 characters of %s", texts[i], base32Alphabet)
		}
	}
	if n := lettersMissing(texts, base32Alphabet); n != 0 {
		t.Errorf("%d letters never turn up at a position", n)
	}
}

func TestToken(t *testing.T) {
	for _, n := range []int{16, 17, 18, 32, 48, 49, 1000, 1 << 20} {
		token := Token(n)
		// Strict refuses spare bits that are not zero.
		raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
		if err != nil || len(raw) != n {
			t.Errorf("token of %d bytes decodes to %d, %v", n, len(raw), err)
		}
		if token == Token(n) {
			t.Errorf("two tokens of %d bytes are the same", n)
		}
		starts := make(map[[16]byte]bool) // of the blocks
		for block := range slices.Chunk(raw, 48) {
			if len(block) < 16 {
				break
			}
			start := [16]byte(block)
			if starts[start] {
				t.Fatalf("two blocks of a token of %d bytes are the same", n)
			}
			starts[start] = true
		}
	}
}

func TestTokenLength(t *testing.T) {
	panicOf := func(n int) (p any) {
		defer func() { p = recover() }()
		Token(n)
		return nil
	}
	for _, n := range []int{math.MinInt, -1, 0, 1, 15} {
		want := fmt.Sprintf("fount: Token of %d bytes, want at least 16", n)
		if got := panicOf(n); got != want {
			t.Errorf("Token(%d) panics with %v, want %q", n, got, want)
		}
	}
	if panicOf(math.MaxInt) == nil { // its length in characters is no int
		t.Error("Token(math.MaxInt) returns")
	}
}

// checkAllocs checks how often a call of f allocates. No garbage is collected
// meanwhile, as that may empty a sync.Pool.
func checkAllocs(t *testing.T, name string, want float64, f func()) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	if got := testing.AllocsPerRun(10, f); got != want {
		t.Errorf("%s: %v allocations, want %v", name, got, want)
	}
}

func skipAllocs(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("the race detector changes what escapes and what sync.Pool keeps")
	}
}

func TestAllocationsText(t *testing.T) {
	skipAllocs(t)
	checkAllocs(t, "Text", 1, func() { Text() })
	for _, n := range []int{16, 32, 48, 49, 1000, 1 << 20} {
		checkAllocs(t, fmt.Sprintf("Token(%d)", n), 1, func() { Token(n) })
	}
}

var stringSink string

// Each character of a code is uniform, of any alphabet, and a bad call is a panic that says why.
func TestCode(t *testing.T) {
	for alphabet, n := range map[string]int{"01": 2, "abc": 3, "0123456789": 10, "äöü€😀": 5} {
		letters := []rune(alphabet)
		counts := make([]int, n)
		for range draws(n) / 4 {
			code := []rune(Code(4, alphabet))
			if len(code) != 4 {
				t.Fatalf("Code(4, %q) is %q", alphabet, string(code))
			}
			for _, c := range code {
				counts[slices.Index(letters, c)]++
			}
		}
		if got := chi2(counts); got > 60 { // 9 degrees of freedom exceed 59.9 once in 1e9 runs, fewer still less
			t.Errorf("%q: chi-square %.1f of %v", alphabet, got, counts)
		}
	}
	if a, b := Code(64, "ab"), Code(64, "ab"); a == b {
		t.Errorf("two codes are %q", a)
	}
	for _, c := range []struct {
		n              int
		alphabet, want string
	}{
		{0, "01", "fount: Code of 0 characters, want at least 1"},
		{-1, "01", "fount: Code of -1 characters, want at least 1"},
		{6, "", "fount: Code of an alphabet of 0 characters, want at least 2, in UTF-8"},
		{6, "1", "fount: Code of an alphabet of 1 characters, want at least 2, in UTF-8"},
		{6, "a\xff", "fount: Code of an alphabet of 2 characters, want at least 2, in UTF-8"},
		{6, "aba", "fount: Code of an alphabet that has 'a' twice"},
	} {
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("Code(%d, %q) panics with %v, want %s", c.n, c.alphabet, got, c.want)
				}
			}()
			Code(c.n, c.alphabet)
		}()
	}
}
