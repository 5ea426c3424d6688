// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount_test

// From other packages. What gets worse stands in docs/tokens.md.

import (
	cryptorand "crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/big"
	mathrand "math/rand"
	"math/rand/v2"
	"slices"
	"time"

	"fount"
)

// Beside each call is what it replaces. TLS and the keys of crypto/... ignore any Reader.
func Example_fromCryptoRand() {
	var b [100]byte
	fount.Read(b[:])                    // rand.Read(b[:])
	key := fount.Key()                  // var key [32]byte; rand.Read(key[:])
	nonce := fount.Nonce12()            // io.ReadFull(rand.Reader, nonce[:])
	invitation := fount.Text()          // rand.Text()
	session := fount.Token(32)          // base64.RawURLEncoding.EncodeToString(b[:32])
	code := fount.Code(6, "0123456789") // rand.Int(rand.Reader, big.NewInt(1_000_000)), then "%06d"
	fmt.Println(len(key), len(nonce), len(invitation), len(session), len(code))

	large, err := cryptorand.Int(fount.Reader, new(big.Int).Lsh(big.NewInt(1), 100))
	fmt.Println(large.BitLen() <= 100, err)
	// Output:
	// 32 12 26 43 6
	// true <nil>
}

// Beside each call is what it replaces. What must repeat itself from a seed stays as it was.
func Example_fromMathRand() {
	die := 1 + fount.IntN(6)                 // 1 + rand.IntN(6)
	delay := fount.N(100 * time.Millisecond) // rand.N(100 * time.Millisecond)
	cards := fount.Perm(52)                  // rand.Perm(52)
	fmt.Println(1 <= die && die <= 6, 0 <= delay && delay < 100*time.Millisecond, len(cards))

	shared := fount.NewRand()           // rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	old := mathrand.New(fount.Source{}) // math/rand's, for one goroutine at a time
	fmt.Println(shared.IntN(6) < 6, old.Intn(6) < 6)

	simulation := rand.New(rand.NewPCG(1, 2)) // stays
	again := rand.New(rand.NewPCG(1, 2))
	fmt.Println(simulation.IntN(1000) == again.IntN(1000))
	// Output:
	// true true 52
	// true true
	// true
}

// Beside each type and call is what it replaces. Text, JSON and columns that are not NULL stay.
func Example_fromGoogleUUID() {
	type order struct {
		ID     fount.UUID  `json:"id"`     // uuid.UUID
		Parent *fount.UUID `json:"parent"` // uuid.NullUUID
	}
	o := order{ID: fount.MustParseUUID("919108f7-52d1-4320-9bac-f847db4148a8")} // uuid.MustParse
	text, err := json.Marshal(o)
	fmt.Println(string(text), err)

	o.ID = fount.NewUUID()            // uuid.New(); uuid.NewUUID() is of version 1
	o.Parent = new(fount.NewUUIDv7()) // uuid.Must(uuid.NewV7())
	fmt.Println(o.ID.Version(), o.Parent.Version())

	var column sql.Null[fount.UUID] // uuid.NullUUID
	fmt.Println(column.Scan(nil), column.Valid)

	_, err = fount.ParseUUID("{919108f7-52d1-4320-9bac-f847db4148a8}") // uuid.Parse takes it
	fmt.Println(err)
	// Output:
	// {"id":"919108f7-52d1-4320-9bac-f847db4148a8","parent":null} <nil>
	// 4 7
	// <nil> false
	// fount: UUID of length 38, want 36
}

// UUIDs of version 7 sort in the order they were made in, also within a
// millisecond.
func ExampleNewUUIDv7() {
	var rows []fount.UUID
	for range 1000 {
		rows = append(rows, fount.NewUUIDv7())
	}
	fmt.Println(slices.IsSortedFunc(rows, fount.UUID.Compare))
	// Output: true
}
