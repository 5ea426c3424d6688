// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

import (
	"reflect"
	"testing"
)

// What the tests in package fount_test need from inside.

const RaceEnabled = raceEnabled

// busy is the mark of a State that is in use. Package shard exports no way to it.
func busy(g *Generator) *bool {
	return (*bool)(reflect.ValueOf(g.s).Elem().FieldByName("busy").Addr().UnsafePointer())
}

// UseBusyGenerator draws from a Generator that is in the middle of a draw, as
// a second goroutine would.
func UseBusyGenerator() {
	g := NewGenerator()
	*busy(g) = true
	g.Nonce()
}

// The mark does not stay behind.
func TestGeneratorLeaves(t *testing.T) {
	g := NewGenerator()
	for range 100 {
		g.Nonce()
		g.Uint64()
		g.Read(make([]byte, 1000))
	}
	if *busy(g) {
		t.Error("the Generator is marked as in use after its draws")
	}
	g.Close()
}
