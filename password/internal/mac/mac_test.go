// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package mac

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"testing"
)

func TestMACAgainstStandardLibrary(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef"), 20)
	for name, newHash := range map[string]func() hash.Hash{
		"SHA-1": sha1.New, "SHA-256": sha256.New, "SHA-384": sha512.New384, "SHA-512": sha512.New,
	} {
		for _, key := range []int{0, 1, 13, 14, 63, 64, 65, 127, 128, 129, 200} {
			m := New(newHash, data[:key])
			for _, message := range []int{0, 1, 55, 56, 64, 111, 112, 128, 300} {
				h := hmac.New(newHash, data[:key])
				h.Write(data[:message])
				m.Write(data[:message])
				if got, want := m.Sum([]byte("x")), h.Sum([]byte("x")); !bytes.Equal(got, want) {
					t.Errorf("%s, a key of %d bytes, a message of %d: %x, want %x", name, key, message, got, want)
				}
			}
		}
	}
}
