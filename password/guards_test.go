// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What is refused before any work is done for it. That it costs nothing is
// shown by what it allocates, less than the smallest hash.

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

const (
	goodBcrypt = "$2b$05$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a"
	goodSalt   = "MDEyMzQ1Njc4OWFiY2RlZg"
	goodSum    = "gAwJW5vx5itn2V9KHlEUjyUCrpDYgKyQf0gMaHGx1h4"
	good64     = goodSum + "gAwJW5vx5itn2V9KHlEUjyUCrpDYgKyQf0gMaHGx1hA" // 64 bytes
	good512    = "5bTW2oeyDJyGJPcmEr.mRDE11ghpozWrDGnSNhRXo2ZCu0KHRDiUMAVEGzLJC.oDhRoeIja9J1iLIv9ptEo6Hg"
)

var ten = strings.Repeat("1234567890", 1<<20) // 10 MB

// bad are stored strings that are refused, and how. Package format's tests have each rule of the
// forms, and TestLimits each limit.
var bad = []struct {
	name, encoded string
	want          error
}{
	{"plain text", "correct horse battery staple", ErrMalformed},
	{"10 MB", ten, ErrMalformed},
	{"10 MB of bcrypt", goodBcrypt + ten, ErrMalformed},
	{"marker", "!", ErrMalformed}, // without Markers
	{"marker before a hash", "*" + goodBcrypt, ErrMalformed},
	{"bcrypt cut", goodBcrypt[:59], ErrMalformed},
	{"bcrypt cost 31", "$2b$31$" + goodBcrypt[7:], ErrCost},
	{"argon2 unknown parameter", argon2ID("v=19", "m=64,t=2,p=1,x=1"), ErrMalformed},
	{"argon2 unknown key", argon2ID("v=19", "m=64,t=2,p=1,keyid=azE"), ErrKey},
	{"argon2 of 4 GiB", argon2ID("v=19", "m=4194304,t=1,p=1"), ErrCost},
	{"argon2 of 2^17 lanes", argon2ID("v=19", "m=1048576,t=2,p=131072"), ErrCost},
	{"scrypt of little N and large r", scryptPHC("ln=1,r=524288,p=10"), ErrCost}, // 2.35 GiB, 13 s
	{"scrypt $7$ log2 N = 63", "$7$z/..../....SaltOf16Letters.$" + sum7, ErrCost},
	{"PBKDF2 of 10,000,001", "$pbkdf2-sha256$10000001$" + goodSalt + "$" + goodSum, ErrCost},
	{"fount-bcrypt cost 31", "$fount-bcrypt$v=1$r=31,keyid=azE$" + fountSums, ErrCost},
	{"fount-bcrypt unknown key", "$fount-bcrypt$v=1$r=5,keyid=azE$" + fountSums, ErrKey},
	{"SHA-512-crypt", "$6$rounds=5000$abcdefgh$" + good512, ErrMalformed},
}

const sum7 = "b2iVjxqj5gQ8RD8SoOOvcVRT3Bx5mIBbYdljSU63Wx4"

const fountSums = "Me+LQW1+EFoz8zU/AJuTkg$ioF+gAzKWoHWufoWFtw6PF+/cDHoDBQ"

func argon2ID(version, parameters string) string {
	return "$argon2id$" + version + "$" + parameters + "$" + goodSalt + "$" + goodSum
}

func scryptPHC(parameters string) string {
	return "$scrypt$" + parameters + "$" + goodSalt + "$" + goodSum
}

func TestBadHashes(t *testing.T) {
	password := []byte("p4ssw0rd-of-somebody")
	for _, b := range bad {
		t.Run(b.name, func(t *testing.T) {
			_, err := Verify(Policy{}, password, b.encoded)
			if !errors.Is(err, b.want) {
				t.Errorf("%v; want %v", err, b.want)
			}
			isSilent(t, err, string(password), b.encoded)

			if err := (Policy{}).Check(b.encoded); !errors.Is(err, b.want) {
				t.Errorf("Check: %v; want %v", err, b.want)
			}
			if !NeedsRehash(Policy{}, b.encoded) {
				t.Error("NeedsRehash is false")
			}
			if _, err := (Policy{}).Inspect(b.encoded); errors.Is(b.want, ErrMalformed) != errors.Is(err, ErrMalformed) {
				t.Errorf("Inspect: %v", err)
			}
		})
	}
}

// isSilent fails if the error's text holds the password, or eight bytes in a row of the stored
// string that are not common to all of its form.
func isSilent(t *testing.T, err error, password, encoded string) {
	t.Helper()
	if err == nil {
		return
	}

	text := err.Error()
	if password != "" && strings.Contains(text, password) {
		t.Errorf("the error holds the password: %s", text)
	}
	if len(text) > 200 || strings.ContainsAny(text, "\n\x00") {
		t.Errorf("an error of %d bytes: %q", len(text), text)
	}

	for _, secret := range []string{goodSalt, goodSum, good512, goodBcrypt[7:], fountSums} {
		for i := 0; i+8 <= len(secret); i++ {
			if strings.Contains(encoded, secret[i:i+8]) && strings.Contains(text, secret[i:i+8]) {
				t.Errorf("the error holds a part of the hash: %s", text)
			}
		}
	}
}

func TestBadPasswords(t *testing.T) {
	bcrypt := cheapest
	argon2id := Policy{Algorithm: Argon2id, Memory: 64, Iterations: 1}

	for name, c := range map[string]struct {
		policy       Policy
		password     string
		hash, verify error // of Hash and of Verify, which matches no stored hash
	}{
		"empty, bcrypt":    {policy: bcrypt, hash: ErrEmpty, verify: ErrMismatch},
		"empty, argon2id":  {policy: argon2id, hash: ErrEmpty, verify: ErrMismatch},
		"10 MB, bcrypt":    {policy: bcrypt, password: ten, hash: ErrTooLong, verify: ErrTooLong},
		"73 bytes, bcrypt": {policy: bcrypt, password: ten[:73], hash: ErrTooLong, verify: ErrMismatch},
		"1025 bytes":       {policy: argon2id, password: ten[:1025], hash: ErrTooLong, verify: ErrTooLong},
		"1024 bytes":       {policy: argon2id, password: ten[:1024], verify: ErrMismatch},
		"NUL, bcrypt":      {policy: bcrypt, password: "a\x00b", hash: ErrNUL, verify: ErrMismatch},
		"NUL, argon2id":    {policy: argon2id, password: "a\x00b", verify: ErrMismatch},
		"not UTF-8":        {policy: bcrypt, password: "\xff\xfe\xfd", verify: ErrMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			encoded, err := Hash(c.policy, []byte(c.password))
			if !errors.Is(err, c.hash) {
				t.Errorf("Hash: %v; want %v", err, c.hash)
			}
			isSilent(t, err, c.password, "")
			if err == nil {
				if _, err := Verify(c.policy, []byte(c.password), encoded); err != nil {
					t.Errorf("Verify of what Hash made: %v", err)
				}
			}

			for _, stored := range []string{goodBcrypt, argon2ID("v=19", "m=64,t=2,p=1")} {
				_, err := Verify(c.policy, []byte(c.password), stored)
				if !errors.Is(err, c.verify) {
					t.Errorf("Verify: %v; want %v", err, c.verify)
				}
				isSilent(t, err, c.password, stored)
			}
		})
	}
}

// A refusal allocates less than a KiB, whatever the sizes: no copy of a password
// of 10 MB, no memory of a hash.
func TestRefusalsAllocateLittle(t *testing.T) {
	const most = 2 << 10 // bytes
	password := []byte("p4ssw0rd-of-somebody")
	for _, b := range bad {
		if got := allocated(func() { Verify(Policy{}, password, b.encoded) }); got > most {
			t.Errorf("%s: %d bytes allocated, want at most %d", b.name, got, most)
		}
	}

	for name, long := range map[string][]byte{"10 MB": []byte(ten), "empty": {}} {
		for _, stored := range []string{goodBcrypt, argon2ID("v=19", "m=19456,t=2,p=1"), ten} {
			if got := allocated(func() { Verify(Policy{}, long, stored) }); got > most {
				t.Errorf("password %s: %d bytes allocated, want at most %d", name, got, most)
			}
		}
		if got := allocated(func() { Hash(Policy{}, long) }); got > most {
			t.Errorf("Hash of a password of %s: %d bytes allocated, want at most %d", name, got, most)
		}
	}

	var kept []byte
	if got := allocated(func() { kept = []byte(ten) }); got <= most {
		t.Errorf("control: a copy of %d bytes allocates %d; the bound shows nothing", len(kept), got)
	}
}

// allocated returns how many bytes f allocates: the least of a few counts, as
// the runtime allocates too.
func allocated(f func()) uint64 {
	least := uint64(1 << 63)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// With Markers too, MySQL's '*' and 40 hexadecimal digits is a hash, which is not read.
func TestMySQLIsNoMarker(t *testing.T) {
	p := Policy{Markers: true}
	const mysql = "*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19"
	if err := p.Check(mysql); !errors.Is(err, ErrMalformed) {
		t.Errorf("%v; want %v", err, ErrMalformed)
	}
	if err := p.Check(mysql[:40]); err != nil {
		t.Errorf("39 digits: %v", err)
	}
}
