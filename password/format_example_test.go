// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"strconv"
	"strings"
	"time"

	"fount/password"
)

// An ours is "ours$1000$SALT$SUM": HMAC-SHA-256 of the password under the salt, then 1000 times
// SHA-256, as a program of one's own once stored it.
type ours struct{}

func (ours) Name() string { return "ours" }

func (ours) Parse(encoded string) (password.Parsed, error) {
	parts := strings.Split(encoded, "$")
	if parts[0] != "ours" || len(parts) != 4 {
		return nil, nil // of another form
	}
	rounds, err := strconv.ParseUint(parts[1], 10, 31)
	sum, damage := hex.DecodeString(parts[3])
	if err != nil || damage != nil || len(sum) != sha256.Size {
		return nil, errors.New("a damaged hash: restore it from a backup")
	}
	return &password.Computed{
		Cost: uint32(rounds),
		Time: func(int) time.Duration { return time.Duration(rounds+100) * 200 * time.Nanosecond },
		Sum:  sum,
		Compute: func(given, _ []byte, yield func() bool) []byte {
			mac := hmac.New(sha256.New, []byte(parts[2]))
			mac.Write(given)
			sum := mac.Sum(nil)
			for i := range rounds {
				if i%256 == 0 && !yield() { // each 50 µs
					return nil
				}
				next := sha256.Sum256(sum)
				sum = next[:]
			}
			return sum
		},
	}, nil
}

// What Compute returns decides, under the same limits and in the same queue as all other hashes.
func ExampleFormat() {
	formats, err := password.NewFormats(ours{})
	if err != nil {
		log.Fatal(err)
	}
	const stored = "ours$1000$salt$47d3afaa01cfcb547033a7ad6fbcb678db52495b32ff45aec0c87bfc741e7179"
	for _, given := range []string{"correct horse battery staple", "guess"} {
		result, err := password.Verify(password.Policy{Formats: formats}, []byte(given), stored)
		fmt.Println(result.NeedsRehash, err)
	}
	// Output:
	// true <nil>
	// false password: mismatch
}

// A meteor is "meteor" and Meteor's hash: a bcrypt of the password's SHA-256 in hexadecimal. The
// bcrypt alone looks like any other, so the name is put before it when the store is taken over.
// Matomo's are of an MD5, those of BCrypt.Net's EnhancedHashPassword of a SHA-384 in base64.
type meteor struct{}

func (meteor) Name() string { return "meteor" }

func (meteor) Parse(encoded string) (password.Parsed, error) {
	hash, ok := strings.CutPrefix(encoded, "meteor")
	if !ok {
		return nil, nil // of another form
	}
	return &password.Translated{Hash: hash, Prepare: func(given []byte) ([]byte, bool) {
		sum := sha256.Sum256(given)
		return hex.AppendEncode(nil, sum[:]), true
	}}, nil
}

// Programs that hash a digest of the password have a Format of a few lines.
func ExampleTranslated() {
	formats, err := password.NewFormats(meteor{})
	if err != nil {
		log.Fatal(err)
	}
	policy := password.Policy{Formats: formats}
	const stored = "$2a$10$4uHe7Rx65YsvNrwY8fYtved5oPUhPR8eL0DUbruOZkU5R8QFhvxBa"
	for _, encoded := range []string{stored, "meteor" + stored} {
		result, err := password.Verify(policy, []byte("correct horse battery staple"), encoded)
		fmt.Println(result.NeedsRehash, err)
	}
	// Output:
	// false password: mismatch
	// true <nil>
}
