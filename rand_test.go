// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	mathrand "math/rand"
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"fount"
)

func TestRead(t *testing.T) {
	for name, read := range map[string]func([]byte) (int, error){
		"Read":        fount.Read,
		"Reader":      fount.Reader.Read,
		"Strict.Read": fount.Strict{}.Read,
	} {
		t.Run(name, func(t *testing.T) {
			for _, size := range []int{0, 1, 15, 16, 17, 223, 224, 225, 256, 1024, 1025, 65537} {
				b := make([]byte, size)
				if n, err := read(b); n != size || err != nil {
					t.Errorf("%d bytes: returned %d, %v", size, n, err)
				}
				if size >= 16 && bytes.Equal(b[size-16:], make([]byte, 16)) {
					t.Errorf("%d bytes: the end is not filled", size)
				}
			}
			if n, err := read(nil); n != 0 || err != nil {
				t.Errorf("nil: returned %d, %v", n, err)
			}
		})
	}
}

// No other package can assign another reader to Reader.
func TestReader(t *testing.T) {
	typ := reflect.TypeOf(fount.Reader)
	if typ.Kind() != reflect.Struct || typ.Size() != 0 {
		t.Errorf("Reader is of type %v, want a struct of size 0", typ)
	}
	if ours := reflect.TypeFor[fount.UUID]().PkgPath(); typ.PkgPath() != ours || token.IsExported(typ.Name()) {
		t.Errorf("Reader is of type %v, want an unexported one of this package", typ)
	}
}

// Every bit of every value is sometimes 0 and sometimes 1. In 129 draws a bit is always the same
// with a probability of 2^-128.
func TestEveryBitVaries(t *testing.T) {
	for name, draw := range map[string]func() []byte{
		"Nonce":        func() []byte { b := fount.Nonce(); return b[:] },
		"Nonce12":      func() []byte { b := fount.Nonce12(); return b[:] },
		"Nonce24":      func() []byte { b := fount.Nonce24(); return b[:] },
		"Key":          func() []byte { b := fount.Key(); return b[:] },
		"Strict.Nonce": func() []byte { b := fount.Strict{}.Nonce(); return b[:] },
		"Strict.Key":   func() []byte { b := fount.Strict{}.Key(); return b[:] },
		"Read":         func() []byte { b := make([]byte, 300); fount.Read(b); return b },
	} {
		t.Run(name, func(t *testing.T) {
			first := draw()
			changed := make([]byte, len(first))
			for range 128 {
				for i, b := range draw() {
					changed[i] |= b ^ first[i]
				}
			}
			for i, bits := range changed {
				if bits != 0xff {
					t.Errorf("byte %d: bits %08b are always the same", i, ^bits)
				}
			}
		})
	}
}

var kept string

// The one test of what allocates.
func TestAllocations(t *testing.T) {
	if fount.RaceEnabled {
		t.Skip("the race detector's sync.Pool drops tokens, and making one allocates")
	}

	small := make([]byte, 100)
	large := make([]byte, 100_000)
	v1 := mathrand.New(fount.Source{})
	v2 := fount.NewRand()
	id := fount.NewUUID()
	text := make([]byte, 0, 36)

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
		t.Run(name, func(t *testing.T) { allocates(t, 0, f) })
	}

	for name, f := range map[string]func(){ // what they return
		"Text":     func() { kept = fount.Text() },
		"Token 32": func() { kept = fount.Token(32) },
		"Token 1M": func() { kept = fount.Token(1 << 20) },
		"String":   func() { kept = id.String() },
		"Perm":     func() { fount.Perm(52) },
	} {
		t.Run(name, func(t *testing.T) { allocates(t, 1, f) })
	}
}

// allocates fails the test if f always allocates another number of times. (Without pinning, a
// collection meanwhile drops pooled tokens, and one is made again.)
func allocates(t *testing.T, want float64, f func()) {
	t.Helper()
	var got float64
	for range 3 {
		got = testing.AllocsPerRun(100, f)
		if got == want {
			return
		}
	}
	t.Errorf("%v allocations, want %v", got, want)
}

func TestStatus(t *testing.T) {
	fount.Nonce()
	st := fount.Status()

	t.Run("mode", func(t *testing.T) {
		want := 0
		if st.Mode == "window" {
			want = 224
		}
		if st.Mode == "" || st.Why == "" || st.WindowBytes != want {
			t.Errorf("mode %q of %d bytes because %q, want a mode, a reason and %d bytes", st.Mode, st.WindowBytes, st.Why, want)
		}
	})
	t.Run("after a draw", func(t *testing.T) {
		if st.Shards < 1 || st.Reseeds < 1 || st.Epoch < 1 {
			t.Errorf("%d shards, %d reseeds, epoch %d, want at least 1 of each", st.Shards, st.Reseeds, st.Epoch)
		}
		if st.Kernel == "" || st.Cipher == "" || st.PerP == "" || st.Memory.Place == "" {
			t.Errorf("a name is missing: %+v", st)
		}
	})
	t.Run("after Reseed", func(t *testing.T) {
		fount.Reseed()

		if now := fount.Status(); now.Epoch != st.Epoch+1 {
			t.Errorf("epoch %d, want %d", now.Epoch, st.Epoch+1)
		}
	})
	t.Run("JSON", func(t *testing.T) {
		b, err := json.Marshal(st)
		if err != nil {
			t.Fatal(err)
		}

		var back fount.StatusReport
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, st) {
			t.Errorf("%s comes back as %+v, %v", b, back, err)
		}
	})
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
