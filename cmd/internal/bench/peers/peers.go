// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Peers measures fount beside its competitors and prints a table for each kind of value.
//
//	go run ./cmd/internal/bench/peers
//
// All take turns, in rounds, so that whatever else the machine does meets all alike: for 1 minute.
package main

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	crypto "crypto/rand"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"

	"fount"
	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/measure"
	"fount/cmd/internal/lab/nonce"
	"fount/cmd/internal/lab/show"

	gofrs "github.com/gofrs/uuid/v5"
	google "github.com/google/uuid"
	"lukechampine.com/frand"
)

// bound is that of IntN: a prime, so that no method can take the low bits alone.
const bound = 7919

// A kind is what several peers can make. The first is the base.
type kind struct {
	name    string
	methods func() []measure.Method
}

// kinds is a list of functions, so that none is inlined: in an inlined copy of a loop the compiler
// calls what a program has inlined (2.3 of fount.Nonce's 14.3 ns).
var kinds = []kind{
	{"Nonce: 16 bytes as an array", nonces}, {"Uint64", uint64s}, {"IntN: an integer below 7919", integers},
	{"UUID: version 4, a value", uuids}, {"UUID: version 4, as text", uuidStrings}, {"UUID: version 7, a value", uuids7}, {"Text: 26 characters of base32", texts},
	{"Read: 16 B at once", read(16)}, {"Read: 256 B at once", read(256)}, {"Read: 4 KiB at once", read(4 << 10)}, {"Read: 1 MiB at once", read(1 << 20)},
}

var study = lab.Study{Name: "peers", Run: func(r *lab.Run) {
	p := r.Plan()
	for _, k := range kinds {
		r.Compare(k.name+", one goroutine", p.By(1), k.methods())
	}
	r.Compare(kinds[0].name+", a goroutine a core", p, nonces())
}}

// each is a method that makes value after value. Each has a loop of its own: a call through a
// function value for each draw would add 1 to 2 ns to figures of 5.
func each[T any](name string, fill func(dst []T)) measure.Method {
	return measure.Method{Name: name, Open: measure.Stateless(fill)}
}

// own is each with a state of the goroutine's own.
func own[T any](name string, start func() func(dst []T)) measure.Method {
	return measure.Method{Name: name, Open: measure.Shareless(start)}
}

func nonces() []measure.Method {
	return append(nonce.Standard(), each("frand", func(dst [][16]byte) {
		for i := range dst {
			dst[i] = frand.Entropy128()
		}
	}))
}

func uint64s() []measure.Method {
	return []measure.Method{
		each("crypto/rand", func(dst []uint64) {
			var b [8]byte
			for i := range dst {
				crypto.Read(b[:])
				dst[i] = binary.NativeEndian.Uint64(b[:])
			}
		}),
		each("fount", func(dst []uint64) {
			for i := range dst {
				dst[i] = fount.Uint64()
			}
		}),
		each("frand", func(dst []uint64) { // all values but the largest
			for i := range dst {
				dst[i] = frand.Uint64n(math.MaxUint64)
			}
		}),
		each("math/rand/v2 (not secret)", func(dst []uint64) {
			for i := range dst {
				dst[i] = rand.Uint64()
			}
		}),
		own("ChaCha8 (not secret)", func() func([]uint64) {
			src := rand.NewChaCha8(fount.Key())
			return func(dst []uint64) {
				for i := range dst {
					dst[i] = src.Uint64()
				}
			}
		}),
		own("PCG (not secret)", func() func([]uint64) {
			src := rand.NewPCG(fount.Uint64(), fount.Uint64())
			return func(dst []uint64) {
				for i := range dst {
					dst[i] = src.Uint64()
				}
			}
		}),
	}
}

func integers() []measure.Method {
	return []measure.Method{
		own("crypto/rand", func() func([]int) { // of any size: it allocates
			most := big.NewInt(bound)
			return func(dst []int) {
				for i := range dst {
					v, err := crypto.Int(crypto.Reader, most)
					if err != nil {
						panic(err)
					}
					dst[i] = int(v.Int64())
				}
			}
		}),
		each("fount", func(dst []int) {
			for i := range dst {
				dst[i] = fount.IntN(bound)
			}
		}),
		each("frand", func(dst []int) {
			for i := range dst {
				dst[i] = frand.Intn(bound)
			}
		}),
		each("math/rand/v2 (not secret)", func(dst []int) {
			for i := range dst {
				dst[i] = rand.IntN(bound)
			}
		}),
	}
}

func uuids() []measure.Method {
	v4 := func(dst [][16]byte) {
		for i := range dst {
			dst[i] = google.New()
		}
	}
	return []measure.Method{
		each("google/uuid", v4), pooled("google/uuid, pool", v4),
		each("gofrs/uuid", func(dst [][16]byte) {
			for i := range dst {
				dst[i] = gofrs.Must(gofrs.NewV4())
			}
		}),
		each("fount", func(dst [][16]byte) {
			for i := range dst {
				dst[i] = fount.NewUUID()
			}
		}),
	}
}

func uuidStrings() []measure.Method {
	v4 := func(dst []string) {
		for i := range dst {
			dst[i] = google.NewString()
		}
	}
	return []measure.Method{
		each("google/uuid", v4), pooled("google/uuid, pool", v4),
		each("gofrs/uuid", func(dst []string) {
			for i := range dst {
				dst[i] = gofrs.Must(gofrs.NewV4()).String()
			}
		}),
		each("fount", func(dst []string) {
			for i := range dst {
				dst[i] = fount.NewUUID().String()
			}
		}),
	}
}

func uuids7() []measure.Method {
	return []measure.Method{
		each("google/uuid", func(dst [][16]byte) {
			for i := range dst {
				dst[i] = google.Must(google.NewV7())
			}
		}),
		each("gofrs/uuid", func(dst [][16]byte) {
			for i := range dst {
				dst[i] = gofrs.Must(gofrs.NewV7())
			}
		}),
		each("fount", func(dst [][16]byte) {
			for i := range dst {
				dst[i] = fount.NewUUIDv7()
			}
		}),
	}
}

// pooled is google/uuid with its pool, which is switched on while the method has its turn.
func pooled[T any](name string, fill func(dst []T)) measure.Method {
	return measure.Method{Name: name, Open: func() (measure.Source, error) {
		google.EnableRandPool()
		return pool{measure.Workers(func(int) measure.Worker { return &measure.Filler[T]{Fill: fill} })}, nil
	}}
}

type pool struct{ measure.Workers }

func (pool) Close() { google.DisableRandPool() }

func texts() []measure.Method {
	return []measure.Method{
		each("crypto/rand", func(dst []string) {
			for i := range dst {
				dst[i] = crypto.Text()
			}
		}),
		each("fount", func(dst []string) {
			for i := range dst {
				dst[i] = fount.Text()
			}
		}),
	}
}

// read is reads of so many bytes.
func read(size int) func() []measure.Method {
	return func() []measure.Method {
		return []measure.Method{
			reads("crypto/rand", size, func() func([]byte) { return func(b []byte) { crypto.Read(b) } }),
			reads("fount", size, func() func([]byte) { return func(b []byte) { fount.Read(b) } }),
			reads("frand", size, func() func([]byte) { return func(b []byte) { frand.Read(b) } }),
			reads("ChaCha8 (not secret)", size, func() func([]byte) {
				src := rand.NewChaCha8(fount.Key())
				return func(b []byte) { src.Read(b) }
			}),
			reads("AES-256-CTR", size, func() func([]byte) {
				key := fount.Key()
				block, err := aes.NewCipher(key[:])
				if err != nil {
					panic(fmt.Sprintf("a key of %d bytes: %v", len(key), err))
				}
				stream := cipher.NewCTR(block, make([]byte, aes.BlockSize))
				return func(b []byte) {
					clear(b)
					stream.XORKeyStream(b, b)
				}
			}),
		}
	}
}

// reads is a method that reads size bytes at once. The function value adds 1 to 2 ns to each.
func reads(name string, size int, start func() func([]byte)) measure.Method {
	return measure.Method{Name: name, Open: func() (measure.Source, error) {
		return measure.Workers(func(int) measure.Worker {
			read := start()
			b := make([]byte, size)
			return measure.Loop{Do: func(n int) {
				for range n {
					read(b)
				}
			}}
		}), nil
	}}
}

func main() {
	o := lab.Options{Command: "go run ./cmd/internal/bench/peers"}
	flag.BoolVar(&o.Quick, "quick", false, "shorter turns, as many rounds")
	flag.Func("only", "measure the rows whose \"table: row\" matches `RE`", func(s string) (err error) {
		o.Only, err = regexp.Compile(s)
		return err
	})
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r, err := study.Measure(ctx, o)
	fmt.Print(r.Text(show.StyleOf(os.Stdout)))
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}
