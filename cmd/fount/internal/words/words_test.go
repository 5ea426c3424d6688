// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package words

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"testing"
)

// The list is that of BIP-39, byte for byte. Its checksum stands in many programs that embed it; this one is of
// mnemonic/wordlist/english.txt in https://github.com/trezor/python-mnemonic, release 0.21.
func TestList(t *testing.T) {
	sum := sha256.Sum256([]byte(english))
	if got, want := hex.EncodeToString(sum[:]), "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"; got != want {
		t.Errorf("SHA-256 %s, want %s", got, want)
	}
}

// A word holds 11 bits only if all differ.
func TestWords(t *testing.T) {
	if len(English) != 1<<Bits {
		t.Errorf("%d words, want %d", len(English), 1<<Bits)
	}
	heads := make(map[string]string)
	for _, word := range English {
		head := word[:min(len(word), 4)]
		if other := heads[head]; other != "" {
			t.Errorf("%s and %s have the first four letters in common", word, other)
		}
		heads[head] = word
		if len(word) < 3 || len(word) > 8 {
			t.Errorf("%s has %d letters, want 3 to 8", word, len(word))
		}
	}
	if !slices.IsSorted(English) {
		t.Error("the words are not sorted")
	}
}
