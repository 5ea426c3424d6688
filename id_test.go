// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// Tests of Text, Token and Code.

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"testing"
)

// A text is the start of the bytes drawn in base32, and they are wiped.
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

// A token of any length is the bytes drawn in base64url, encoded over themselves.
func TestEncodeToken(t *testing.T) {
	lengths := []int{1<<10 + 1, 1<<16 + 2}
	for n := minToken; n <= 200; n++ {
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

func TestCodeIsUniform(t *testing.T) {
	for alphabet, n := range map[string]int{"01": 2, "abc": 3, "0123456789": 10, "äöü€😀": 5} {
		t.Run(alphabet, func(t *testing.T) {
			letters := []rune(alphabet)
			counts := make([]int, n)
			for range draws(n) / 4 {
				code := []rune(Code(4, alphabet))
				if len(code) != 4 {
					t.Fatalf("Code of 4 characters is %q", string(code))
				}
				for _, c := range code {
					counts[slices.Index(letters, c)]++
				}
			}
			if got := chi2(counts); got > 60 { // 9 degrees of freedom exceed 59.9 once in 1e9 runs
				t.Errorf("chi-square %.1f of %v", got, counts)
			}
		})
	}
	if a, b := Code(64, "ab"), Code(64, "ab"); a == b {
		t.Errorf("two codes are %q", a)
	}
}

func TestCodePanics(t *testing.T) {
	for name, c := range map[string]struct {
		n        int
		alphabet string
		want     string
	}{
		"no characters":    {n: 0, alphabet: "01", want: "fount: Code of 0 characters, want at least 1"},
		"negative":         {n: -1, alphabet: "01", want: "fount: Code of -1 characters, want at least 1"},
		"no alphabet":      {n: 6, alphabet: "", want: "fount: Code of an alphabet of 0 characters, want at least 2, in UTF-8"},
		"only one letter":  {n: 6, alphabet: "1", want: "fount: Code of an alphabet of 1 characters, want at least 2, in UTF-8"},
		"not UTF-8":        {n: 6, alphabet: "a\xff", want: "fount: Code of an alphabet of 2 characters, want at least 2, in UTF-8"},
		"the same letters": {n: 6, alphabet: "aba", want: "fount: Code of an alphabet that has 'a' twice"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("panics with %v, want %s", got, c.want)
				}
			}()
			Code(c.n, c.alphabet)
		})
	}
}
