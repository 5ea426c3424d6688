// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

import (
	"math"
	"strings"
	"testing"
)

// Each rule has a string that breaks it alone, by as little as can be: the mutant of the
// parser that does without the rule, or is off by one, takes it.
func TestEachRule(t *testing.T) {
	const (
		salt = "abcdefghijklmnopqrstuu"          // 16 bytes in bcrypt's alphabet
		sum  = "WHxnxkyNt6AHCwFMQaY6auyqJA8E98a" // 23
	)
	std := func(n int) string { return B64.EncodeToString(bytesOf(n)) }
	alt := func(n int) string { return AB64.EncodeToString(bytesOf(n)) }
	argon2 := func(head string, salt, sum int) string {
		return "$argon2id$v=19$" + head + "$" + std(salt) + "$" + std(sum)
	}
	const head = "m=64,t=1,p=1"
	scrypt7 := func(numbers, salt string) string { return "$7$" + numbers + salt + "$" + strings.Repeat(".", 43) }
	loose := func(s string) string { // the last character has unused bits: set one
		last := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./", s[len(s)-1])
		return s[:len(s)-1] + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./"[last+1:][:1]
	}
	for _, rule := range []struct{ name, good, bad string }{
		{"a return in the sum", argon2(head, 16, 32), strings.Replace(argon2(head, 16, 32), std(32), "\r"+std(32), 1)},
		{"a newline in the sum", argon2(head, 16, 32), strings.Replace(argon2(head, 16, 32), std(32), "\n"+std(32), 1)},
		{"unused bits", argon2(head, 16, 32), "$argon2id$v=19$" + head + "$" + loose(std(16)) + "$" + std(32)},
		{"unused bits, passlib's", "$pbkdf2-sha256$1000$" + alt(16) + "$" + alt(32), "$pbkdf2-sha256$1000$" + loose(alt(16)) + "$" + alt(32)},
		{"unused bits of the salt that is a key", "$bcrypt-sha256$v=2,t=2b,r=5$" + salt + "$" + sum,
			"$bcrypt-sha256$v=2,t=2b,r=5$" + salt[:21] + "v$" + sum},

		{"bcrypt's third $", "$2b$05$" + salt + sum, "$2b$05." + salt + sum},
		{"bcrypt's second digit", "$2b$10$" + salt + sum, "$2b$0:$" + salt + sum},
		{"bcrypt's least cost", "$2b$04$" + salt + sum, "$2b$03$" + salt + sum},
		{"bcrypt's greatest cost", "$2b$31$" + salt + sum, "$2b$32$" + salt + sum},
		{"fount-bcrypt's salt", "$fount-bcrypt$v=1$r=5,keyid=azE$" + std(16) + "$" + std(23), "$fount-bcrypt$v=1$r=5,keyid=azE$" + std(17) + "$" + std(23)},
		{"fount-bcrypt's sum", "$fount-bcrypt$v=1$r=5,keyid=azE$" + std(16) + "$" + std(23), "$fount-bcrypt$v=1$r=5,keyid=azE$" + std(16) + "$" + std(24)},
		{"fount-bcrypt's key", "$fount-bcrypt$v=1$r=5,keyid=azE$" + std(16) + "$" + std(23), "$fount-bcrypt$v=1$r=5$" + std(16) + "$" + std(23)},
		{"passlib's version", "$bcrypt-sha256$v=2,t=2b,r=5$" + salt + "$" + sum, "$bcrypt-sha256$v=3,t=2b,r=5$" + salt + "$" + sum},

		{"the $ in front", argon2(head, 16, 32), argon2(head, 16, 32)[1:]},
		{"the version", argon2(head, 16, 32), strings.Replace(argon2(head, 16, 32), "v=19", "v=17", 1)},
		{"the greatest salt", argon2(head, 64, 32), argon2(head, 65, 32)},
		{"the least sum", argon2(head, 16, 16), argon2(head, 16, 15)},
		{"the greatest sum", argon2(head, 16, 64), argon2(head, 16, 65)},
		{"a third $", argon2(head, 16, 32), argon2(head, 16, 32) + "$"},
		{"argon2's memory", argon2("m=1,t=1,p=4", 0, 32), argon2("m=0,t=1,p=4", 16, 32)},
		{"the most lanes", argon2("m=4294967295,t=1,p=16777215", 16, 32), argon2("m=4294967295,t=1,p=16777216", 16, 32)},
		{"no zero", argon2(head, 16, 32), argon2("m=64,t=0,p=1", 16, 32)},
		{"no leading zero", argon2(head, 16, 32), argon2("m=64,t=01,p=1", 16, 32)},
		{"digits", argon2(head, 16, 32), argon2("m=64,t=:,p=1", 16, 32)},
		{"32 bits", argon2("m=64,t=4294967295,p=1", 16, 32), argon2("m=64,t=4294967297,p=1", 16, 32)},
		{"nothing behind", argon2(head, 16, 32), argon2(head+",x=1", 16, 32)},
		{"the order", argon2(head, 16, 32), argon2("t=1,m=64,p=1", 16, 32)},
		{"Node's order", argon2("m=64,p=1,t=1", 16, 32), argon2("p=1,m=64,t=1", 16, 32)},
		{"passlib's 2b", "$bcrypt-sha256$v=2,t=2b,r=5$" + salt + "$" + sum, "$bcrypt-sha256$v=2,t=2a,r=5$" + salt + "$" + sum},
		{"scrypt's greatest salt", "$scrypt$ln=4,r=8,p=1$" + std(64) + "$" + std(32), "$scrypt$ln=4,r=8,p=1$" + std(65) + "$" + std(32)},
		{"a key's least character", argon2(head+",keyid="+B64.EncodeToString([]byte("!")), 16, 32), argon2(head+",keyid="+B64.EncodeToString([]byte(" ")), 16, 32)},
		{"a key's greatest character", argon2(head+",keyid="+B64.EncodeToString([]byte("~")), 16, 32), argon2(head+",keyid="+B64.EncodeToString([]byte("\x7f")), 16, 32)},
		{"a key's length", argon2(head+",keyid="+B64.EncodeToString([]byte("12345678")), 16, 32), argon2(head+",keyid="+B64.EncodeToString([]byte("123456789")), 16, 32)},

		{"the greatest N", "$scrypt$ln=63,r=8,p=1$" + std(16) + "$" + std(32), "$scrypt$ln=64,r=8,p=1$" + std(16) + "$" + std(32)},
		{"the greatest r·p", "$scrypt$ln=4,r=1073741823,p=1$" + std(16) + "$" + std(32), "$scrypt$ln=4,r=1073741824,p=1$" + std(16) + "$" + std(32)},
		{"r·p in 64 bits", "$scrypt$ln=4,r=8,p=1$" + std(16) + "$" + std(32), "$scrypt$ln=4,r=65536,p=65536$" + std(16) + "$" + std(32)},
		{"$7$'s least N", scrypt7("/6..../....", "12345678"), scrypt7(".6..../....", "12345678")},
		{"$7$'s least r", scrypt7("C6..../....", "12345678"), scrypt7("C...../....", "12345678")},
		{"$7$'s least p", scrypt7("C6..../....", "12345678"), scrypt7("C6.........", "12345678")},
		{"$7$'s N", scrypt7("C6..../....", "12345678"), scrypt7("!6..../....", "12345678")},
		{"$7$'s r", scrypt7("C6..../....", "12345678"), scrypt7("C6!.../....", "12345678")},
		{"$7$'s p", scrypt7("C6..../....", "12345678"), scrypt7("C6..../!...", "12345678")},
		{"$7$'s least salt", scrypt7("C6..../....", "12345678"), scrypt7("C6..../....", "1234567")},
		{"$7$'s greatest salt", scrypt7("C6..../....", strings.Repeat("x", 64)), scrypt7("C6..../....", strings.Repeat("x", 65))},
		{"$7$'s alphabet", scrypt7("C6..../....", "12345678"), scrypt7("C6..../....", "1234567!")},
		{"$7$'s unused bits", scrypt7("C6..../....", "12345678"), strings.TrimSuffix(scrypt7("C6..../....", "12345678"), ".") + "z"},
		{"$7$'s numbers", scrypt7("C6..../....", "12345678"), "$7$C6..../"},

		{"PBKDF2's iterations", "$pbkdf2-sha256$i=1$" + std(16) + "$" + std(32), "$pbkdf2-sha256$i=0$" + std(16) + "$" + std(32)},
		{"PBKDF2's sum", "$pbkdf2-sha512$1000$" + alt(16) + "$" + alt(64), "$pbkdf2-sha512$1000$" + alt(16) + "$" + alt(32)},
		{"PBKDF2's l", "$pbkdf2-sha256$i=1000,l=32$" + std(16) + "$" + std(32), "$pbkdf2-sha256$i=1000,l=31$" + std(16) + "$" + std(32)},
	} {
		if _, err := Parse(rule.good); err != nil {
			t.Errorf("%s, control: %s: %v", rule.name, rule.good, err)
		}
		if h, err := Parse(rule.bad); err == nil {
			t.Errorf("%s: %s is taken for %+v", rule.name, rule.bad, h)
		}
	}
}

// Numbers holds for those of a policy too, which no text has limited.
func TestNumbers(t *testing.T) {
	for _, h := range []Hash{
		{Algorithm: Argon2id, Memory: 64, Iterations: 1},
		{Algorithm: Argon2id, Memory: 64, Parallelism: 1},
		{Algorithm: Argon2id, Iterations: 1, Parallelism: 1},
		{Algorithm: Scrypt, BlockSize: 8, Parallelism: 1},
		{Algorithm: Scrypt, Cost: 14, Parallelism: 1},
		{Algorithm: Scrypt, Cost: 14, BlockSize: 8},
		{Algorithm: Scrypt, Cost: 14, BlockSize: math.MaxUint32, Parallelism: math.MaxUint32},
		{Algorithm: PBKDF2SHA256},
		{Algorithm: Bcrypt},
	} {
		if h.Numbers() == nil {
			t.Errorf("%+v has good numbers", h)
		}
	}
}
