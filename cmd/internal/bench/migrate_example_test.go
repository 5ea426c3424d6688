// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package bench_test

// docs/tokens.md and docs/migrate.md beside the libraries that they come from: what goes over, and
// what gets worse.

import (
	"bytes"
	cryptorand "crypto/rand"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"testing"

	"github.com/alexedwards/argon2id"
	"github.com/google/uuid"

	"fount"
	"fount/password"
)

// A program can keep google/uuid's type: it draws from fount, or converts.
func Example_googleUUID() {
	uuid.SetRand(fount.Reader) // once, at the start
	defer uuid.SetRand(nil)
	theirs := uuid.New()
	ours := fount.UUID(theirs)
	fmt.Println(theirs.Version(), theirs == uuid.UUID(ours), theirs.String() == ours.String())

	before, _ := json.Marshal(uuid.NullUUID{})
	after, _ := json.Marshal((*fount.UUID)(nil))
	fmt.Println(string(before), string(after))

	fmt.Println("worse:")
	for _, text := range []string{"{" + ours.String() + "}", ours.String(), "urn:uuid:" + ours.String(), ""} {
		_, before := uuid.Parse(text)
		_, after := fount.ParseUUID(text)
		fmt.Println("parsed", before == nil, after == nil)
	}
	for _, column := range []any{nil, "", []byte(ours.String()), ours[:]} {
		fmt.Println("scanned", theirs.Scan(column) == nil, ours.Scan(column) == nil)
	}
	var stream bytes.Buffer
	if err := gob.NewEncoder(&stream).Encode(theirs); err != nil {
		log.Fatal(err)
	}
	fmt.Println("gob:", gob.NewDecoder(&stream).Decode(&ours) == nil)
	// Output:
	// VERSION_4 true true
	// null null
	// worse:
	// parsed true false
	// parsed true true
	// parsed true false
	// parsed false false
	// scanned true false
	// scanned true false
	// scanned true true
	// scanned true true
	// gob: false
}

// Each verifies what the other made. A salt of less than 8 bytes, or a sum outside of 16 to 64, is
// refused, and so is an empty password.
func Example_argon2id() {
	params := argon2id.Params{Memory: 1024, Iterations: 1, Parallelism: 2, SaltLength: 16, KeyLength: 32}
	before, err := argon2id.CreateHash("correct horse battery staple", &params)
	if err != nil {
		log.Fatal(err)
	}
	result, err := password.Verify(password.Default(), []byte("correct horse battery staple"), before)
	fmt.Println(result.NeedsRehash, err)

	after, err := password.Hash(password.Default(), []byte("correct horse battery staple"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(argon2id.ComparePasswordAndHash("correct horse battery staple", after))

	for _, size := range []uint32{8, 64, 65} {
		params.KeyLength = size
		stored, err := argon2id.CreateHash("correct horse battery staple", &params)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(size, password.Default().Check(stored) == nil)
	}
	// Output:
	// true <nil>
	// true <nil>
	// 8 false
	// 64 true
	// 65 false
}

func BenchmarkMigrate(b *testing.B) {
	var nonce [16]byte
	pcg, ours := rand.New(rand.NewPCG(1, 2)), fount.NewRand()
	for _, c := range []struct {
		name string
		draw func()
	}{
		{"crypto/rand/Read", func() { cryptorand.Read(nonce[:]) }},
		{"fount/Nonce", func() { nonce = fount.Nonce() }},
		{"PCG/IntN", func() { pcg.IntN(7919) }},
		{"fount/IntN", func() { fount.IntN(7919) }},
		{"fount/NewRand/IntN", func() { ours.IntN(7919) }},
		{"google/New", func() { uuid.New() }},
		{"google/New/SetRand", func() { uuid.New() }},
		{"fount/NewUUID", func() { fount.NewUUID() }},
	} {
		b.Run(c.name, func(b *testing.B) {
			if c.name == "google/New/SetRand" {
				uuid.SetRand(fount.Reader)
				defer uuid.SetRand(nil)
			}
			for b.Loop() {
				c.draw()
			}
		})
	}
}
