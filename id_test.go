// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// Tests and benchmarks of Text and Token.

import (
	"bytes"
	"crypto/rand"
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
		text, raw := newToken(n)
		Read(raw)
		drawn := bytes.Clone(raw)
		if got, want := encodeToken(text, n), base64.RawURLEncoding.EncodeToString(drawn); got != want {
			t.Fatalf("token of %d bytes is %q, by encoding/base64 %q", n, got, want)
		}
		if len(text) != cap(text) && bytes.Contains(text[:cap(text)], drawn[n-8:]) {
			t.Fatalf("token of %d bytes leaves random bytes behind", n)
		}
	}
}

// ids is what forEachID tests: the package functions and a Generator.
type ids interface {
	Text() string
	Token(n int) string
	NewUUID() UUID
	NewUUIDv7() UUID
}

func (functions) Text() string       { return Text() }
func (functions) Token(n int) string { return Token(n) }
func (functions) NewUUID() UUID      { return NewUUID() }
func (functions) NewUUIDv7() UUID    { return NewUUIDv7() }

func forEachID(t *testing.T, test func(t *testing.T, r ids)) {
	t.Run("functions", func(t *testing.T) { test(t, functions{}) })
	t.Run("Generator", func(t *testing.T) {
		g := NewGenerator()
		defer g.Close()
		test(t, g)
	})
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
	forEachID(t, func(t *testing.T, r ids) {
		texts := make([]string, draws)
		for i := range texts {
			texts[i] = r.Text()
			if len(texts[i]) != 26 || strings.Trim(texts[i], base32Alphabet) != "" {
				t.Fatalf("text %q, want 26 characters of %s", texts[i], base32Alphabet)
			}
		}
		if n := lettersMissing(texts, base32Alphabet); n != 0 {
			t.Errorf("%d letters never turn up at a position", n)
		}
		// Control: a letter that one position can't have is found missing.
		for i, text := range texts {
			texts[i] = text[:25] + strings.ReplaceAll(text[25:], "7", "6")
		}
		if n := lettersMissing(texts, base32Alphabet); n != 1 {
			t.Errorf("%d letters missing, want the one taken away", n)
		}
	})
}

func TestToken(t *testing.T) {
	forEachID(t, func(t *testing.T, r ids) {
		for _, n := range []int{16, 17, 18, 32, 48, 49, 1000, 1 << 20} {
			token := r.Token(n)
			// Strict refuses spare bits that are not zero.
			raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
			if err != nil || len(raw) != n {
				t.Errorf("token of %d bytes decodes to %d, %v", n, len(raw), err)
			}
			if token == r.Token(n) {
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
	})
}

func TestTokenLength(t *testing.T) {
	forEachID(t, func(t *testing.T, r ids) {
		panicOf := func(n int) (p any) {
			defer func() { p = recover() }()
			r.Token(n)
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
	})
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
	forEachID(t, func(t *testing.T, r ids) {
		checkAllocs(t, "Text", 1, func() { r.Text() })
		for _, n := range []int{16, 32, 48, 49, 1000, 1 << 20} {
			checkAllocs(t, fmt.Sprintf("Token(%d)", n), 1, func() { r.Token(n) })
		}
	})
}

var stringSink string

func BenchmarkText(b *testing.B) {
	b.Run("fount", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			stringSink = Text()
		}
	})
	b.Run("Generator", func(b *testing.B) {
		g := NewGenerator()
		defer g.Close()
		b.ReportAllocs()
		for b.Loop() {
			stringSink = g.Text()
		}
	})
	b.Run("crypto-rand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			stringSink = rand.Text()
		}
	})
}

func BenchmarkToken(b *testing.B) {
	for _, n := range []int{16, 32, 1 << 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(n))
			for b.Loop() {
				stringSink = Token(n)
			}
		})
	}
}

// BenchmarkEncode is for the comment on Alphabets: the encodings alone, computed
// and by table.
func BenchmarkEncode(b *testing.B) {
	var raw [textRaw]byte
	Read(raw[:])
	var text [textLen]byte
	b.Run("base32/computed", func(b *testing.B) {
		for b.Loop() {
			base32Text(&text, &raw)
		}
	})
	b.Run("base32/table", func(b *testing.B) {
		for b.Loop() {
			tableText(&text, &raw)
		}
	})
	bytes48, text64 := make([]byte, 50), make([]byte, 64)
	Read(bytes48)
	b.Run("base64/computed", func(b *testing.B) {
		for b.Loop() {
			for i := range 8 {
				binary.BigEndian.PutUint64(text64[8*i:], base64of6(bytes48[6*i:]))
			}
		}
	})
	b.Run("base64/table", func(b *testing.B) {
		for b.Loop() {
			base64.RawURLEncoding.Encode(text64, bytes48[:48])
		}
	})
}

// tableText is base32Text by table: the letters of 60 bits of each of two words,
// and two letters more.
func tableText(text *[textLen]byte, raw *[textRaw]byte) {
	a, b := binary.BigEndian.Uint64(raw[0:]), binary.BigEndian.Uint64(raw[8:])
	for i := range 12 {
		text[i], text[12+i] = base32Alphabet[a&31], base32Alphabet[b&31]
		a, b = a>>5, b>>5
	}
	text[24], text[25] = base32Alphabet[(a|b<<4)&31], base32Alphabet[raw[16]&31]
}
