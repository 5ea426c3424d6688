// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package yescrypt

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"testing"

	xscrypt "golang.org/x/crypto/scrypt"

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

// TESTS-OK of https://github.com/openwall/yescrypt. Those of libxcrypt are with
// fount/password/legacy, which reads its strings.
func TestAgainstYescrypt(t *testing.T) {
	for _, c := range []struct {
		Params
		password, salt, want string
	}{
		{Params{Classic, 4, 1, 1, 0}, "", "", "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"},
		{Params{Classic, 2, 1, 1, 0}, "", "", "efad0c23314cb572bc3cfb1543da42f8a8b073004c866b64ab5055a4f09fa5f5"},
		{Params{WORM, 2, 1, 1, 0}, "", "", "85dda48c9ec9de2f7f1ae8b4dfeda51f8b6d56f3081be1a7c0833ba2719a36ab"},
		{Params{WORM, 2, 1, 1, 1}, "", "", "4baa8cd8608ba91f3e3439d9ec4fae8f9fc092d9ca22b7377e31ae5b9ad7877c"},
		{Params{WORM, 2, 1, 1, 2}, "", "", "e6e8bba09b6412ffb0b3cc35e37d0b782a47fbaadc57a076d7c6cc2e70919a1b"},
		{Params{WORM, 2, 1, 1, 3}, "", "", "acd9a4201cf4a476ecf7baa6113d86fb65cd07102b4004e4f9d99cd34255a108"},
		{Params{RW, 2, 1, 1, 0}, "", "", "0cd5af76eb241df8119a9a122ae36920bcc7f414b9c0d58f45008060dade46b0"},
		{Params{RW, 2, 1, 1, 1}, "", "", "23b6adf0b60c9a997f58583d80cda48c638cdc2f289edf93a70807725a0d35c4"},
		{Params{RW, 4, 8, 1, 10}, "p", "s", "e1f981733a94052fcd7acb1405df0bbde8e499b6a1331b775909b48c2f516c40"},
		{Params{WORM, 4, 8, 1, 10}, "p", "s", "9e7a4097644284cf3b73b60450ff230cdcb6b1b19b1509eeb482f696c4f1c705"},
		{Params{RW, 4, 8, 1, 0}, "p", "s", "c8c7ff1122b0b291c3f2608948782cd689cc45579017aaa5ff8baa74a632ec99"},
		{Params{WORM, 4, 8, 1, 0}, "p", "s", "9dd636c2d0bb92345286efdaf8a68cfc1b4ffdc4b1adaccc7d864b9a6787b85d"},
	} {
		if got := hex.EncodeToString(key(t, c.Params, c.password, c.salt)); got != c.want {
			t.Errorf("%+v: %s; want %s", c.Params, got, c.want)
		}
	}
}

// Without any of its additions it is scrypt, also of blocks that no maker uses.
func TestClassicAgainstXCrypto(t *testing.T) {
	for _, p := range []Params{{Cost: 2, R: 1, P: 1}, {Cost: 5, R: 3, P: 4}, {Cost: 8, R: 8, P: 1}, {Cost: 2, R: 127, P: 2}} {
		want, err := xscrypt.Key([]byte("pässwörd"), []byte("salt"), 1<<p.Cost, p.R, p.P, 32)
		if err != nil {
			t.Fatal(err)
		}
		if got := key(t, p, "pässwörd", "salt"); !bytes.Equal(got, want) {
			t.Errorf("%+v: %x; want %x", p, got, want)
		}
	}
}

// Work counts what is mixed: how often it yields says so, but for a part of its period in each of
// the two passes, and for PBKDF2, which yields each 128 HMACs.
func TestWork(t *testing.T) {
	for _, p := range []Params{
		{Classic, 8, 8, 2, 0}, {WORM, 8, 8, 3, 0}, {WORM, 8, 8, 1, 1}, {WORM, 8, 8, 1, 2},
		{RW, 9, 32, 1, 0}, {RW, 12, 32, 1, 0}, {RW, 9, 32, 3, 1}, {RW, 9, 32, 2, 3},
		{RW, 6, 1, 16, 0}, {RW, 9, 1, 128, 0}, // whose S-boxes are most of it
	} {
		asked := int64(0)
		Key(p, []byte("x"), []byte("salt"), make([]byte, p.Memory()), func() bool { asked++; return true })
		got, want := asked*LookEvery/2, p.Work()
		if above, below := got-want, want-got; above > want/50+LookEvery/2*int64(p.R*p.P)/16 || below > want/50+LookEvery {
			t.Errorf("%+v: mixes 128 bytes some %d times; want %d", p, got, want)
		}
	}
}

// Given up at any yield, it ends there.
func TestGivenUp(t *testing.T) {
	p := Params{RW, 8, 32, 2, 1}
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
		{RW, 12, 32, 1, 0}: true, {RW, 31, 255, 1, 255}: true, {RW, 32, 8, 1, 0}: false, {RW, 1, 8, 1, 0}: false,
		{RW, 12, 256, 1, 0}: false, {RW, 12, 0, 1, 0}: false, {RW, 12, 1, 0, 0}: false, {RW, 12, 1, 256, 0}: false,
		{RW, 12, 128, 2, 0}: false, {RW, 12, 32, 1, 256}: false, {RW, 12, 32, 1, -1}: false,
		{RW, 4, 1, 4, 0}: true, {RW, 4, 1, 5, 0}: false,
		{Classic, 4, 1, 5, 0}: true, {Classic, 4, 1, 5, 1}: false, {WORM, 4, 1, 5, 1}: true, {3, 4, 1, 1, 0}: false,
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
	for _, p := range []Params{{RW, 12, 32, 1, 0}, {RW, 11, 8, 1, 0}, {WORM, 12, 8, 1, 0}} {
		b.Run(fmt.Sprintf("mode=%d/N=2^%d/r=%d", p.Mode, p.Cost, p.R), func(b *testing.B) {
			memory, unmap := erase.Map[byte](int(p.Memory()))
			defer unmap()
			b.ReportAllocs()
			for b.Loop() {
				Key(p, []byte("password"), []byte("0123456789abcdef"), memory, nil)
			}
		})
	}
}
