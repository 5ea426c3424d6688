// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	mathrand "math/rand"
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"fount"
)

func TestRead(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 17, 223, 224, 225, 256, 1024, 1025, 65537} {
		b := make([]byte, n)
		for name, read := range map[string]func([]byte) (int, error){
			"Read":        fount.Read,
			"Reader":      fount.Reader.Read,
			"Strict.Read": fount.Strict{}.Read,
		} {
			clear(b)
			if got, err := read(b); got != n || err != nil {
				t.Errorf("%s of %d bytes returned %d, %v", name, n, got, err)
			}
			if n >= 16 && bytes.Equal(b[n-16:], make([]byte, 16)) {
				t.Errorf("%s of %d bytes left the end unfilled", name, n)
			}
		}
	}
	if n, err := fount.Read(nil); n != 0 || err != nil {
		t.Errorf("Read(nil) = %d, %v", n, err)
	}
}

// Nobody can put another reader in Reader's place.
func TestReader(t *testing.T) {
	typ := reflect.TypeOf(fount.Reader)
	if typ.Size() != 0 || typ.Kind() != reflect.Struct || typ.PkgPath() != reflect.TypeFor[fount.UUID]().PkgPath() || 'A' <= typ.Name()[0] && typ.Name()[0] <= 'Z' {
		t.Errorf("Reader is of type %v, want an unexported struct type of size 0", typ)
	}
}

// Every bit of every value is sometimes 0 and sometimes 1: no byte is missed.
// (A plumbing test: it says nothing of the generator's strength.) 128 draws
// miss a bit with odds of 2^-127 each.
func TestEveryBitMoves(t *testing.T) {
	for name, draw := range map[string]func() []byte{
		"Nonce":        func() []byte { b := fount.Nonce(); return b[:] },
		"Nonce12":      func() []byte { b := fount.Nonce12(); return b[:] },
		"Nonce24":      func() []byte { b := fount.Nonce24(); return b[:] },
		"Key":          func() []byte { b := fount.Key(); return b[:] },
		"Strict.Nonce": func() []byte { b := fount.Strict{}.Nonce(); return b[:] },
		"Strict.Key":   func() []byte { b := fount.Strict{}.Key(); return b[:] },
		"Read 300":     func() []byte { b := make([]byte, 300); fount.Read(b); return b },
	} {
		ones, zeros := draw(), draw()
		for i := range zeros {
			zeros[i] = ^zeros[i]
		}
		for range 128 {
			for i, v := range draw() {
				ones[i] |= v
				zeros[i] |= ^v
			}
		}
		for i := range ones {
			if bits.OnesCount8(ones[i])+bits.OnesCount8(zeros[i]) != 16 {
				t.Errorf("%s: byte %d never set bits %08b, never cleared %08b", name, i, ^ones[i], ^zeros[i])
			}
		}
	}
}

var kept string

// The one test of what allocates.
func TestAllocations(t *testing.T) {
	if fount.RaceEnabled {
		t.Skip("the race detector's sync.Pool drops tokens, and making one allocates")
	}
	small, large := make([]byte, 100), make([]byte, 100_000)
	v1, v2, id, text := mathrand.New(fount.Source{}), fount.NewRand(), fount.NewUUID(), make([]byte, 0, 36)
	for name, f := range map[string]func(){
		"Uint64":          func() { fount.Uint64() },
		"Uint64N":         func() { fount.Uint64N(3 << 62) }, // a quarter is rejected
		"Uint32N":         func() { fount.Uint32N(3 << 29) },
		"N":               func() { fount.N(time.Second) },
		"Float64":         func() { fount.Float64() },
		"NormFloat64":     func() { fount.NormFloat64() },
		"ExpFloat64":      func() { fount.ExpFloat64() },
		"Shuffle":         func() { fount.Shuffle(52, func(i, j int) {}) },
		"math/rand Intn":  func() { v1.Intn(7919) },
		"NewRand().IntN":  func() { v2.IntN(7919) },
		"NewUUID":         func() { fount.NewUUID() },
		"NewUUIDv7":       func() { fount.NewUUIDv7() },
		"AppendText":      func() { id.AppendText(text) },
		"ParseUUID":       func() { fount.ParseUUID("919108f7-52d1-4320-9bac-f847db4148a8") },
		"Read 100":        func() { fount.Read(small) },
		"Read 100,000":    func() { fount.Read(large) },
		"Read of a local": func() { var b [40]byte; fount.Read(b[:]) },
		"Nonce":           func() { fount.Nonce() },
		"Key":             func() { fount.Key() },
		"Strict.Key":      func() { fount.Strict{}.Key() },
	} {
		// Without pinning a collection during the count drops pooled tokens:
		// what allocates does so every time.
		least := testing.AllocsPerRun(1000, f)
		for i := 0; i < 2 && least > 0; i++ {
			least = min(least, testing.AllocsPerRun(1000, f))
		}
		if least > 0 {
			t.Errorf("%s: %v allocations", name, least)
		}
	}
	for name, f := range map[string]func(){ // what they return
		"Text":     func() { kept = fount.Text() },
		"Token 32": func() { kept = fount.Token(32) },
		"Token 1M": func() { kept = fount.Token(1 << 20) },
		"String":   func() { kept = id.String() },
		"Perm":     func() { fount.Perm(52) },
	} {
		if n := min(testing.AllocsPerRun(100, f), testing.AllocsPerRun(100, f)); n != 1 {
			t.Errorf("%s: %v allocations, want 1", name, n)
		}
	}
}

func TestStatus(t *testing.T) {
	fount.Nonce()
	st := fount.Status()
	want := 0
	if st.Mode == "window" {
		want = 224
	}
	if st.Mode == "" || st.Why == "" || st.WindowBytes != want {
		t.Errorf("mode %q of %d bytes because %q, want a mode and a reason, and %d bytes", st.Mode, st.WindowBytes, st.Why, want)
	}
	if st.Shards < 1 || st.Reseeds < 1 || st.Epoch < 1 || st.Kernel == "" || st.Cipher == "" || st.PerP == "" || st.Memory.Place == "" {
		t.Errorf("after a draw: %+v", st)
	}
	fount.Reseed()
	if now := fount.Status(); now.Epoch != st.Epoch+1 {
		t.Errorf("epoch %d after Reseed, want %d", now.Epoch, st.Epoch+1)
	}
	b, err := json.Marshal(st)
	var back fount.StatusReport
	if err != nil || json.Unmarshal(b, &back) != nil || !reflect.DeepEqual(back, st) {
		t.Errorf("JSON %s comes back as %+v", b, back)
	}
}

func ExampleNonce12() {
	key := fount.Key()
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	nonce := fount.Nonce12()
	sealed := gcm.Seal(nonce[:], nonce[:], []byte("at most 2^32 messages with one key"), nil)

	opened, err := gcm.Open(nil, sealed[:12], sealed[12:], nil)
	fmt.Printf("%s, %v\n", opened, err)
	// Output: at most 2^32 messages with one key, <nil>
}

func ExampleReader() {
	// For code that wants an io.Reader. Not for crypto/rand.Reader: replacing
	// that makes each crypto/rand.Read allocate, and key generation ignores it.
	b := make([]byte, 32)
	n, err := io.ReadFull(fount.Reader, b)
	fmt.Println(n, err)
	// Output: 32 <nil>
}

// A long read from the kernel does not hold up the garbage collector, and with it the program: at
// least two collections end during one of a few reads.
func TestStrictLetsCollect(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // one P would share its time among read and collector
	b := make([]byte, 64<<20)
	for range 5 {
		begun := make(chan struct{})
		var done atomic.Bool
		go func() {
			close(begun)
			fount.Strict{}.Read(b)
			done.Store(true)
		}()
		<-begun
		ended := 0
		for runtime.GC(); !done.Load(); runtime.GC() {
			ended++
		}
		if ended >= 2 {
			return
		}
	}
	t.Error("no two collections ended during a read of 64 MiB")
}
