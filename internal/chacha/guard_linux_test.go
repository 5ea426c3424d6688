// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package chacha

import (
	"bytes"
	"testing"

	"golang.org/x/sys/unix"
)

// TestGuardPages puts dst, and then the key, against pages that fault at any access: before their
// first byte, and behind their last.
func TestGuardPages(t *testing.T) {
	room := guarded(t, 2)
	ends := func(n int) [][]byte { return [][]byte{room[:n], room[len(room)-n:]} }

	forEach(t, func(t *testing.T, keystream func([]byte, *[32]byte, uint32)) {
		key := randomKey(12)
		want := make([]byte, 2100)
		reference(want, &key, 0)

		for n := range want {
			for _, dst := range ends(n) {
				keystream(dst, &key, 0)
				if !bytes.Equal(dst, want[:n]) {
					t.Fatalf("%d bytes differ from x/crypto", n)
				}
			}
		}

		got := make([]byte, 2100)
		for _, at := range ends(32) {
			copy(at, key[:])
			keystream(got, (*[32]byte)(at), 0)
			if !bytes.Equal(got, want) {
				t.Error("with the key against a page that faults, the keystream differs from x/crypto")
			}
		}

		for _, block := range ends(1024) {
			Refill((*[1024]byte)(block))
		}
		for _, block := range ends(256) {
			RefillWindow((*[256]byte)(block))
		}
	})
}

// guarded maps pages between two that fault.
func guarded(t *testing.T, pages int) []byte {
	t.Helper()
	size := unix.Getpagesize()
	mem, err := unix.Mmap(-1, 0, (pages+2)*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(mem) })
	end := len(mem) - size
	for _, page := range [][]byte{mem[:size], mem[end:]} {
		if err := unix.Mprotect(page, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return mem[size:end]
}
