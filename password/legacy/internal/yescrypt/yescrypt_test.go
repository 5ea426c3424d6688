// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package yescrypt

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"testing"

	"fount/internal/erase"
)

// key runs Key in memory of the size that it asks for, filled with something, as that of a former
// hash could be.
func key(t testing.TB, p Params, password, salt string) []byte {
	t.Helper()
	if !p.Valid() {
		t.Fatalf("%+v is not valid", p)
	}
	given := []byte(password)
	sum := Key(p, given, []byte(salt), bytes.Repeat([]byte{0xa5}, int(p.Memory())), nil)
	if string(given) != password {
		t.Errorf("%+v: the password was changed", p)
	}
	return sum
}

// TESTS-OK of https://github.com/openwall/yescrypt. Those of libxcrypt are with package legacy,
// which reads its strings.
func TestAgainstYescrypt(t *testing.T) {
	for _, c := range []struct {
		Params
		password, salt, want string
	}{
		{Params{2, 1}, "", "", "0cd5af76eb241df8119a9a122ae36920bcc7f414b9c0d58f45008060dade46b0"},
		{Params{4, 8}, "p", "s", "c8c7ff1122b0b291c3f2608948782cd689cc45579017aaa5ff8baa74a632ec99"},
	} {
		if got := hex.EncodeToString(key(t, c.Params, c.password, c.salt)); got != c.want {
			t.Errorf("%+v: %s; want %s", c.Params, got, c.want)
		}
	}
}

// Work counts what is mixed: how often it yields says so, but for a part of its period in each of
// the two passes, and for PBKDF2, which yields each 128 HMACs.
func TestWork(t *testing.T) {
	for _, p := range []Params{{9, 32}, {12, 32}, {6, 1}, {11, 8}} {
		asked := int64(0)
		Key(p, []byte("x"), []byte("salt"), make([]byte, p.Memory()), func() bool { asked++; return true })
		got, want := asked*LookEvery/2, p.Work()
		if above, below := got-want, want-got; above > want/50+LookEvery || below > want/50+LookEvery {
			t.Errorf("%+v: mixes 128 bytes some %d times; want %d", p, got, want)
		}
	}
}

// Given up at any yield, it ends there.
func TestGivenUp(t *testing.T) {
	p := Params{9, 32}
	memory := make([]byte, p.Memory())
	for patience := 0; ; patience++ {
		asked := 0
		sum := Key(p, []byte("x"), []byte("salt"), memory, func() bool { asked++; return asked <= patience })
		if sum != nil {
			if asked != patience || patience < 5 {
				t.Errorf("a sum after %d yields of %d", asked, patience)
			}
			return
		}
		if asked != patience+1 {
			t.Fatalf("asked %d times; want %d", asked, patience+1)
		}
	}
}

func TestValid(t *testing.T) {
	for p, want := range map[Params]bool{
		{2, 1}: true, {31, 255}: true, {32, 8}: false, {1, 8}: false, {12, 256}: false, {12, 0}: false,
	} {
		if got := p.Valid(); got != want {
			t.Errorf("%+v is valid: %v; want %v", p, got, want)
		}
		if want && (p.Memory() <= 0 || p.Work() <= 0 || p.Work() > 1<<54) {
			t.Errorf("%+v: %d bytes, 128 mixed %d times", p, p.Memory(), p.Work())
		}
	}
}

func BenchmarkKey(b *testing.B) {
	for _, p := range []Params{{12, 32}, {11, 8}} {
		b.Run(fmt.Sprintf("N=2^%d/r=%d", p.Cost, p.R), func(b *testing.B) {
			memory, unmap := erase.Map[byte](int(p.Memory()))
			defer unmap()
			b.ReportAllocs()
			for b.Loop() {
				Key(p, []byte("password"), []byte("0123456789abcdef"), memory, nil)
			}
		})
	}
}
