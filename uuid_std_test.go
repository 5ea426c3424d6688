// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build go1.27

package fount

// UUIDs beside those of the standard library, which has them since Go 1.27.

import (
	"testing"
	"uuid"
)

func TestUUIDStandard(t *testing.T) {
	for _, u := range []UUID{{}, UUID(uuid.Max()), rfcV4, rfcV7, NewUUID(), NewUUIDv7()} {
		std := uuid.UUID(u)
		if UUID(std) != u || std.String() != u.String() {
			t.Errorf("%v is %v in the standard library", u, std)
		}
		if parsed, err := uuid.Parse(u.String()); parsed != std || err != nil {
			t.Errorf("the standard library parses %v as %v, %v", u, parsed, err)
		}
	}
	for range 100 {
		std := uuid.NewV7()
		if u, err := ParseUUID(std.String()); u != UUID(std) || err != nil {
			t.Errorf("ParseUUID of the standard library's %v returns %v, %v", std, u, err)
		}
		u, v := NewUUIDv7(), NewUUIDv7()
		if std, std2 := uuid.UUID(u), uuid.UUID(v); std.Compare(std2) != u.Compare(v) {
			t.Errorf("the standard library compares %v and %v otherwise", u, v)
		}
	}
}
