// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount_test

// Examples of texts, tokens and UUIDs.

import (
	"encoding/json"
	"fmt"
	"slices"

	"fount"
)

func ExampleToken() {
	session := fount.Token(32)
	fmt.Println(len(session), "characters for 32 bytes")
	// Output: 43 characters for 32 bytes
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

func ExampleParseUUID() {
	id, err := fount.ParseUUID("017F22E2-79B0-7CC3-98C4-DC0C0C07398F")
	fmt.Println(id, err)

	_, err = fount.ParseUUID("017F22E2-O9B0-7CC3-98C4-DC0C0C07398F")
	fmt.Println(err)
	// Output:
	// 017f22e2-79b0-7cc3-98c4-dc0c0c07398f <nil>
	// fount: UUID has byte 'O' at offset 9, want a hexadecimal digit
}

func ExampleUUID_json() {
	type order struct {
		ID     fount.UUID `json:"id"`
		Parent fount.UUID `json:"parent,omitzero"`
	}
	text, err := json.Marshal(order{ID: fount.MustParseUUID("919108f7-52d1-4320-9bac-f847db4148a8")})
	fmt.Println(string(text), err)

	var back order
	err = json.Unmarshal([]byte(`{"id":"919108f7"}`), &back)
	fmt.Println(err)
	// Output:
	// {"id":"919108f7-52d1-4320-9bac-f847db4148a8"} <nil>
	// fount: UUID of length 8, want 36
}
