// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of every implementation against the vectors of RFC 8439 and against golang.org/x/crypto.

package chacha

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/crypto/chacha20"
)

// forEach runs test once for each implementation. What the processor lacks is skipped.
func forEach(t *testing.T, test func(t *testing.T, keystream func([]byte, *[32]byte, uint32))) {
	for level, name := range implementations {
		t.Run(name, func(t *testing.T) {
			runs(t, int32(level))
			test(t, Keystream)
		})
	}
}

// runs has one implementation in use for the length of a test.
func runs(t testing.TB, level int32) {
	top, _ := fastest()
	if level > top {
		t.Skipf("this processor lacks %s", implementations[level])
	}
	all, refills := inUse, inRefills
	t.Cleanup(func() { inUse, inRefills = all, refills })
	inUse, inRefills = level, level
}

// reference fills dst with the keystream that golang.org/x/crypto/chacha20 makes.
func reference(dst []byte, key *[32]byte, counter uint32) {
	cipher, err := chacha20.NewUnauthenticatedCipher(key[:], make([]byte, chacha20.NonceSize))
	if err != nil {
		panic(err)
	}
	cipher.SetCounter(counter)
	clear(dst)
	cipher.XORKeyStream(dst, dst)
}

// randomKey returns a key from a fixed seed.
func randomKey(seed byte) (key [32]byte) {
	rand.NewChaCha8([32]byte{seed}).Read(key[:])
	return key
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const zeroKey = "0000000000000000000000000000000000000000000000000000000000000000"

// vectors are the keystreams that RFC 8439 prints for a zero nonce.
var vectors = []struct {
	section string
	key     string
	counter uint32
	want    string
}{
	{
		section: "A.1 #1", counter: 0,
		key: zeroKey,
		want: "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7" +
			"da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
	},
	{
		section: "A.1 #2", counter: 1,
		key: zeroKey,
		want: "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed" +
			"29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
	},
	{
		section: "A.1 #3", counter: 1,
		key: "0000000000000000000000000000000000000000000000000000000000000001",
		want: "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a" +
			"8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
	},
	{
		section: "A.1 #4", counter: 2,
		key: "00ff000000000000000000000000000000000000000000000000000000000000",
		want: "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca" +
			"13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096",
	},
}

// Each implementation makes the vectors, in each place that a vector's block can have in the
// keystream from some counter on, and for lengths that differ in the way the keystream is made.
func TestVectors(t *testing.T) {
	lengths := []int{64, 128, 256, 320, 512, 576, 1024, 1088, 1536, 2048}
	forEach(t, func(t *testing.T, keystream func([]byte, *[32]byte, uint32)) {
		for _, v := range vectors {
			want := unhex(t, v.want)
			for before := range v.counter + 1 {
				for _, n := range lengths {
					got := make([]byte, int(before)*blockSize+n)
					keystream(got, (*[32]byte)(unhex(t, v.key)), v.counter-before)
					got = got[before*blockSize:][:len(want)]
					if !bytes.Equal(got, want) {
						t.Errorf("RFC 8439, section %s, %d blocks before it, %d bytes:\n got %x\nwant %x",
							v.section, before, n, got, want)
					}
				}
			}
		}
	})
}

// TestEveryLength compares every length up to 4096 with x/crypto: from counter 0, across a carry
// the counter's third byte and into its sign, and from the last counter that the length allows.
func TestEveryLength(t *testing.T) {
	const maxLen = 4096
	forEach(t, func(t *testing.T, keystream func([]byte, *[32]byte, uint32)) {
		key := randomKey(1)
		got, want := make([]byte, maxLen), make([]byte, maxLen)
		check := func(n int, counter uint32) {
			keystream(got[:n], &key, counter)
			if !bytes.Equal(got[:n], want[:n]) {
				t.Fatalf("%d bytes from counter %#x differ from x/crypto", n, counter)
			}
		}
		for _, counter := range []uint32{0, 0xfffe, 1<<31 - 32} {
			reference(want, &key, counter)
			for n := 0; n <= maxLen; n++ {
				check(n, counter)
			}
		}
		for n := 1; n <= maxLen; n++ {
			blocks := uint32(n+blockSize-1) / blockSize
			reference(want[:n], &key, -blocks)
			check(n, -blocks)
		}
		if key != randomKey(1) {
			t.Error("the key changed")
		}
	})
}

// TestLargest compares the most that fount asks for in one call, 64 KiB, and a bit more, which
// takes two calls of the assembly.
func TestLargest(t *testing.T) {
	forEach(t, func(t *testing.T, keystream func([]byte, *[32]byte, uint32)) {
		key := randomKey(2)
		for _, n := range []int{maxCall, maxCall + 1, 2*maxCall + 1025} {
			got, want := make([]byte, n), make([]byte, n)
			keystream(got, &key, 1)
			reference(want, &key, 1)
			if !bytes.Equal(got, want) {
				t.Errorf("%d bytes differ from x/crypto", n)
			}
		}
	})
}

// TestBounds places dst at each offset from a 64-byte boundary, and looks for writes outside of it.
func TestBounds(t *testing.T) {
	lengths := []int{0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129,
		255, 256, 257, 511, 512, 513, 1023, 1024, 1025}
	const margin = 128
	forEach(t, func(t *testing.T, keystream func([]byte, *[32]byte, uint32)) {
		key := randomKey(3)
		for _, n := range lengths {
			want := make([]byte, n)
			reference(want, &key, 7)
			for offset := range 64 {
				buf := bytes.Repeat([]byte{0xa5}, margin+64+n+margin)
				start := margin + offset
				keystream(buf[start:start+n], &key, 7) // its capacity reaches to the end of buf
				if !bytes.Equal(buf[start:start+n], want) {
					t.Fatalf("%d bytes at offset %d differ from x/crypto", n, offset)
				}
				if i := firstOther(buf[:start], 0xa5); i >= 0 {
					t.Fatalf("%d bytes at offset %d: wrote %d bytes before dst", n, offset, start-i)
				}
				if i := firstOther(buf[start+n:], 0xa5); i >= 0 {
					t.Fatalf("%d bytes at offset %d: wrote %d bytes after dst", n, offset, i+1)
				}
			}
		}
	})
}

// firstOther returns the index of the first byte in b that is not want, or -1.
func firstOther(b []byte, want byte) int {
	for i, x := range b {
		if x != want {
			return i
		}
	}
	return -1
}

// TestOldContent checks that what dst held does not show in what it is given.
func TestOldContent(t *testing.T) {
	forEach(t, func(t *testing.T, keystream func([]byte, *[32]byte, uint32)) {
		key := randomKey(5)
		for _, n := range []int{1, 32, 64, 100, 256, 1024, 1033} {
			want := make([]byte, n)
			keystream(want, &key, 0)
			for _, old := range []byte{0x01, 0x80, 0xff} {
				got := bytes.Repeat([]byte{old}, n)
				keystream(got, &key, 0)
				if !bytes.Equal(got, want) {
					t.Errorf("%d bytes over %#02x differ from those over zeros", n, old)
				}
			}
		}
	})
}

// TestOverflow checks both sides of the limit that Keystream sets. Only Keystream checks: the
// implementations behind it take a counter that is known to fit.
func TestOverflow(t *testing.T) {
	for _, c := range []struct {
		counter uint32
		length  int
		panics  bool
	}{
		{counter: math.MaxUint32, length: 0},
		{counter: math.MaxUint32, length: 1},
		{counter: math.MaxUint32, length: 64},
		{counter: math.MaxUint32, length: 65, panics: true},
		{counter: math.MaxUint32, length: 128, panics: true},
		{counter: math.MaxUint32, length: 64 << 10, panics: true},
		{counter: math.MaxUint32 - 1, length: 65},
		{counter: math.MaxUint32 - 1, length: 128},
		{counter: math.MaxUint32 - 1, length: 129, panics: true},
		{counter: math.MaxUint32 - 3, length: 256},
		{counter: math.MaxUint32 - 3, length: 257, panics: true},
		{counter: math.MaxUint32 - 15, length: 1024},
		{counter: math.MaxUint32 - 15, length: 1025, panics: true},
	} {
		t.Run(fmt.Sprintf("%d bytes from %#x", c.length, c.counter), func(t *testing.T) {
			dst := bytes.Repeat([]byte{0xa5}, c.length)
			panicked := panics(func() { Keystream(dst, new(randomKey(7)), c.counter) })
			if panicked != c.panics {
				t.Errorf("panics %v, want %v", panicked, c.panics)
			}

			untouched := firstOther(dst, 0xa5) < 0
			if c.panics && !untouched {
				t.Error("wrote to dst and then panicked")
			}
			if !c.panics && untouched && c.length >= blockSize {
				t.Error("wrote nothing")
			}
		})
	}
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

// TestRefill compares refill after refill with x/crypto, at each offset in a cache line, and looks
// for writes outside of the block.
func TestRefill(t *testing.T) {
	const margin = 64
	for _, size := range []int{1024, 256} {
		check := func(t *testing.T) {
			want := make([]byte, size)
			for offset := range 64 {
				buf := bytes.Repeat([]byte{0xa5}, margin+offset+size+margin)
				block := buf[margin+offset:][:size]
				key := randomKey(byte(offset))
				copy(block, key[:])

				for range 4 {
					reference(want, &key, 0)
					if size == 1024 {
						Refill((*[1024]byte)(block))
					} else {
						RefillWindow((*[256]byte)(block))
					}

					if !bytes.Equal(block, want) {
						t.Fatalf("%d bytes at offset %d differ from x/crypto", size, offset)
					}
					key = [32]byte(block)
				}

				if firstOther(buf[:margin+offset], 0xa5) >= 0 || firstOther(buf[margin+offset+size:], 0xa5) >= 0 {
					t.Fatalf("%d bytes at offset %d: wrote outside of them", size, offset)
				}
			}
		}

		t.Run("default", check)
		forEach(t, func(t *testing.T, _ func([]byte, *[32]byte, uint32)) { check(t) })
	}
}

func FuzzKeystream(f *testing.F) {
	f.Add(make([]byte, 32), uint32(0), uint16(64), byte(0))
	f.Add([]byte("a key of thirty-two bytes, 0 to 9"), uint32(math.MaxUint32), uint16(64), byte(1))
	f.Add([]byte{0xff}, uint32(math.MaxUint32-3), uint16(257), byte(15))
	f.Add([]byte{}, uint32(1), uint16(0), byte(3))
	f.Fuzz(func(t *testing.T, seed []byte, counter uint32, length uint16, offset byte) {
		var key [32]byte
		copy(key[:], seed)
		n := int(length)
		if limit := 1<<32 - int64(counter); int64(n) > limit*blockSize {
			n = int(limit * blockSize)
		}
		want := make([]byte, n)
		reference(want, &key, counter)
		top, _ := fastest()
		for level := top; level >= 0; level-- {
			runs(t, level)
			got := bytes.Repeat([]byte{offset}, int(offset)+n)[offset:]
			Keystream(got, &key, counter)
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes from counter %#x under key %x differ from x/crypto",
					implementations[level], n, counter, key)
			}
		}
	})
}

// BenchmarkKeystream is what a refill of 1024 or 256 bytes and a long read take.
func BenchmarkKeystream(b *testing.B) {
	key, dst := randomKey(10), make([]byte, 64<<10)
	for level, name := range implementations {
		for _, size := range []int{256, 1024, 64 << 10} {
			b.Run(fmt.Sprintf("size=%d/impl=%s", size, name), func(b *testing.B) {
				runs(b, int32(level))
				b.SetBytes(int64(size))
				for b.Loop() {
					Keystream(dst[:size], &key, 0)
				}
			})
		}
	}
}
