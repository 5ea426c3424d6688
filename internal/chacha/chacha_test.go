// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of every implementation against the vectors of RFC 8439 and against golang.org/x/crypto.

package chacha

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/crypto/chacha20"
)

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

const (
	zeroNonce     = "000000000000000000000000"
	zeroKey       = "0000000000000000000000000000000000000000000000000000000000000000"
	increasingKey = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
)

// vectors are the keystreams that RFC 8439 prints.
var vectors = []struct {
	section string
	key     string
	nonce   string
	counter uint32
	want    string
}{
	{"2.3.2", increasingKey, "000000090000004a00000000", 1,
		"10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e" +
			"d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"},
	{"2.4.2", increasingKey, "000000000000004a00000000", 1,
		"224f51f3401bd9e12fde276fb8631ded8c131f823d2c06e27e4fcaec9ef3cf78" +
			"8a3b0aa372600a92b57974cded2b9334794cba40c63e34cdea212c4cf07d41b7" +
			"69a6749f3f630f4122cafe28ec4dc47e26d4346d70b98c73f3e9c53ac40c5945" +
			"398b6eda1a832c89c167eacd901d7e2bf363"},
	{"A.1 #1", zeroKey, zeroNonce, 0,
		"76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7" +
			"da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"},
	{"A.1 #2", zeroKey, zeroNonce, 1,
		"9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed" +
			"29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"},
	{"A.1 #3", "0000000000000000000000000000000000000000000000000000000000000001", zeroNonce, 1,
		"3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a" +
			"8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0"},
	{"A.1 #4", "00ff000000000000000000000000000000000000000000000000000000000000", zeroNonce, 2,
		"72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca" +
			"13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096"},
	{"A.1 #5", zeroKey, "000000000000000000000002", 0,
		"c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7" +
			"8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d"},
}

// TestVectors runs the vectors with a zero nonce through each implementation: in each place that the
// vector's block can have in the keystream from some counter on, and for lengths that differ in the way
// the keystream is made.
func TestVectors(t *testing.T) {
	lengths := []int{64, 128, 256, 320, 512, 576, 1024, 1088, 1536, 2048}
	forEach(t, func(t *testing.T, keystream func([]byte, *[32]byte, uint32)) {
		ran := 0
		for _, v := range vectors {
			if v.nonce != zeroNonce {
				continue
			}
			ran++
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
		if ran != 4 {
			t.Errorf("%d vectors have a zero nonce, want 4", ran)
		}
	})
}

// TestVectorsWithNonce runs all vectors through the portable block function, which takes the nonce
// that Keystream has no parameter for.
func TestVectorsWithNonce(t *testing.T) {
	for _, v := range vectors {
		nonce, want := unhex(t, v.nonce), unhex(t, v.want)
		var s state
		s.init((*[32]byte)(unhex(t, v.key)), v.counter,
			binary.LittleEndian.Uint32(nonce[0:]),
			binary.LittleEndian.Uint32(nonce[4:]),
			binary.LittleEndian.Uint32(nonce[8:]))
		got := make([]byte, len(want))
		s.fill(got)
		if !bytes.Equal(got, want) {
			t.Errorf("RFC 8439, section %s:\n got %x\nwant %x", v.section, got, want)
		}
	}
}

func TestQuarterRound(t *testing.T) {
	for _, v := range []struct {
		section  string
		in, want [4]uint32
	}{
		{"2.1.1", [4]uint32{0x11111111, 0x01020304, 0x9b8d6f43, 0x01234567},
			[4]uint32{0xea2a92f4, 0xcb1cf8ce, 0x4581472e, 0x5881c4bb}},
		{"2.2.1", [4]uint32{0x516461b1, 0x2a5f714c, 0x53372767, 0x3d631689},
			[4]uint32{0xbdb886dc, 0xcfacafd2, 0xe46bea80, 0xccc07c79}},
	} {
		a, b, c, d := quarterRound(v.in[0], v.in[1], v.in[2], v.in[3])
		if got := [4]uint32{a, b, c, d}; got != v.want {
			t.Errorf("RFC 8439, section %s: got %08x, want %08x", v.section, got, v.want)
		}
	}
}

// TestEveryLength compares every length up to 4096 with x/crypto: from counter 0, across a carry into
// the counter's third byte, and from the last counter that the length allows.
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
		for _, counter := range []uint32{0, 0xfffe} {
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
	})
}

// TestCounters compares 4 KiB with x/crypto from counters around each carry and each sign.
func TestCounters(t *testing.T) {
	forEach(t, func(t *testing.T, keystream func([]byte, *[32]byte, uint32)) {
		key := randomKey(1)
		got, want := make([]byte, 4096), make([]byte, 4096)
		for bit := range 32 {
			for _, counter := range []uint32{1<<bit - 1, 1 << bit, 1<<bit + 1, 1<<bit - 32} {
				if counter > math.MaxUint32-63 {
					continue // the 64 blocks do not fit
				}
				keystream(got, &key, counter)
				reference(want, &key, counter)
				if !bytes.Equal(got, want) {
					t.Errorf("4096 bytes from counter %#x differ from x/crypto", counter)
				}
			}
		}
	})
}

// TestLargest compares the most that fount asks for in one call, 64 KiB, and a bit more, which takes two
// calls of the assembly.
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

// TestRandomLengths compares lengths up to 1 MiB, from random counters and at random offsets.
func TestRandomLengths(t *testing.T) {
	forEach(t, func(t *testing.T, keystream func([]byte, *[32]byte, uint32)) {
		random := rand.New(rand.NewPCG(1, 2))
		key := randomKey(13)
		room, want := make([]byte, 1<<20+64), make([]byte, 1<<20)
		for range 20 {
			n, offset, counter := random.IntN(len(want)+1), random.IntN(64), random.Uint32N(math.MaxUint32-1<<14)
			got := room[offset:][:n]
			keystream(got, &key, counter)
			reference(want[:n], &key, counter)
			if !bytes.Equal(got, want[:n]) {
				t.Errorf("%d bytes at offset %d from counter %#x differ from x/crypto", n, offset, counter)
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

// TestKeptKey checks that making keystream leaves the key as it was.
func TestKeptKey(t *testing.T) {
	forEach(t, func(t *testing.T, keystream func([]byte, *[32]byte, uint32)) {
		key := randomKey(4)
		keystream(make([]byte, 1000), &key, 0)
		if key != randomKey(4) {
			t.Error("the key changed")
		}
	})
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

// TestEveryInputBit flips each bit of key and counter and wants another block each time.
func TestEveryInputBit(t *testing.T) {
	forEach(t, func(t *testing.T, keystream func([]byte, *[32]byte, uint32)) {
		seen := make(map[[blockSize]byte]string)
		try := func(what string, key [32]byte, counter uint32) {
			var block [blockSize]byte
			keystream(block[:], &key, counter)
			if other, ok := seen[block]; ok {
				t.Errorf("the same block for %s and %s", what, other)
			}
			seen[block] = what
		}
		const counter = 5
		try("no flip", randomKey(6), counter)
		for bit := range 256 {
			key := randomKey(6)
			key[bit/8] ^= 1 << (bit % 8)
			try(fmt.Sprintf("key bit %d", bit), key, counter)
		}
		for bit := range 32 {
			try(fmt.Sprintf("counter bit %d", bit), randomKey(6), counter^1<<bit)
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
		{math.MaxUint32, 0, false},
		{math.MaxUint32, 1, false},
		{math.MaxUint32, 64, false},
		{math.MaxUint32, 65, true},
		{math.MaxUint32, 128, true},
		{math.MaxUint32, 64 << 10, true},
		{math.MaxUint32 - 1, 65, false},
		{math.MaxUint32 - 1, 128, false},
		{math.MaxUint32 - 1, 129, true},
		{math.MaxUint32 - 3, 256, false},
		{math.MaxUint32 - 3, 257, true},
		{math.MaxUint32 - 15, 1024, false},
		{math.MaxUint32 - 15, 1025, true},
	} {
		dst := bytes.Repeat([]byte{0xa5}, c.length)
		if got := panics(func() { Keystream(dst, new(randomKey(7)), c.counter) }); got != c.panics {
			t.Errorf("counter %#x, %d bytes: panics %v, want %v", c.counter, c.length, got, c.panics)
		}
		untouched := firstOther(dst, 0xa5) < 0
		if c.panics && !untouched {
			t.Errorf("counter %#x, %d bytes: wrote to dst and then panicked", c.counter, c.length)
		}
		if !c.panics && untouched && c.length >= blockSize {
			t.Errorf("counter %#x, %d bytes: wrote nothing", c.counter, c.length)
		}
	}
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

func TestWipe(t *testing.T) {
	var s state
	s.init(new(randomKey(8)), 1, 2, 3, 4)
	if s == (state{}) {
		t.Fatal("init set nothing")
	}
	if s.wipe(); s != (state{}) {
		t.Error("words are left in the state")
	}
	block := [blockSize]byte{1, 63: 1}
	if wipe(&block); block != ([blockSize]byte{}) {
		t.Error("bytes are left in the block")
	}
	blocks := [4 * blockSize]byte{1, 4*blockSize - 1: 1}
	if wipe4(&blocks); blocks != ([4 * blockSize]byte{}) {
		t.Error("bytes are left in the 4 blocks")
	}
}

func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	forEach(t, func(t *testing.T, keystream func([]byte, *[32]byte, uint32)) {
		dst := make([]byte, 1024+1)
		key := randomKey(9)
		if n := testing.AllocsPerRun(100, func() { keystream(dst, &key, 0) }); n != 0 {
			t.Errorf("%v allocations a call, want 0", n)
		}
	})
	// Called directly, neither the key nor dst may escape to the heap.
	if n := testing.AllocsPerRun(100, func() {
		var dst [100]byte
		var key [32]byte
		Keystream(dst[:], &key, 0)
	}); n != 0 {
		t.Errorf("%v allocations a call with key and dst on the stack, want 0", n)
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
		for level := fastest(); level >= 0; level-- {
			capTo(t, ladder[level])
			got := bytes.Repeat([]byte{offset}, int(offset)+n)[offset:]
			Keystream(got, &key, counter)
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes from counter %#x under key %x differ from x/crypto",
					ladder[level], n, counter, key)
			}
		}
	})
}

func benchName(size int, impl string) string { return fmt.Sprintf("size=%d/impl=%s", size, impl) }

// BenchmarkKeystream compares each implementation with x/crypto, over zeros apart from dst. A cipher
// of x/crypto fixes the key at its creation, Keystream is given it at each call: "xcrypto" keeps one
// cipher over all calls, "xcrypto-rekey" makes one at each call.
func BenchmarkKeystream(b *testing.B) {
	key := randomKey(10)
	var nonce [chacha20.NonceSize]byte
	zeros := make([]byte, 1<<20)
	cipher, err := chacha20.NewUnauthenticatedCipher(key[:], nonce[:])
	if err != nil {
		b.Fatal(err)
	}
	for _, size := range []int{64, 128, 256, 512, 1024, 4096, 64 << 10, 1 << 20} {
		dst := make([]byte, size)
		bench := func(name string, level int32, keystream func()) {
			b.Run(benchName(size, name), func(b *testing.B) {
				capTo(b, ladder[level])
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					keystream()
				}
			})
		}
		for level := fastest(); level >= 0; level-- {
			bench(ladder[level], level, func() { Keystream(dst, &key, 0) })
		}
		bench("xcrypto", 0, func() { cipher.XORKeyStream(dst, zeros[:size]) })
		bench("xcrypto-rekey", 0, func() {
			cipher, err := chacha20.NewUnauthenticatedCipher(key[:], nonce[:])
			if err != nil {
				b.Fatal(err)
			}
			cipher.XORKeyStream(dst, zeros[:size])
		})
	}
}
