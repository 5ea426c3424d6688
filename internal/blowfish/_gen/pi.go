// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"fmt"
	"math/big"
)

// words is the length of a Blowfish state: 18 subkeys and four tables of 256.
const words = 18 + 4*256

// initial writes the state before any key: the fraction of pi in base 2^32.
func initial(b *bytes.Buffer) {
	b.WriteString(`package blowfish

// initial is the state before any key: the fraction of pi in base 2^32,
// computed by Machin's formula.
var initial = state{
`)
	fraction := pi(32 * words)
	mask := big.NewInt(1<<32 - 1)
	for i := range words {
		word := new(big.Int).Rsh(fraction, uint(32*(words-1-i)))
		end := " "
		if i%8 == 7 || i == words-1 {
			end = "\n"
		}
		fmt.Fprintf(b, "0x%08x,%s", word.And(word, mask), end)
	}
	b.WriteString("}\n")
}

// pi returns pi * 2^bits, rounded down: 16 atan(1/5) - 4 atan(1/239) with
// guard bits for what each of some ten thousand terms loses.
func pi(bits int) *big.Int {
	const guard = 64
	one := new(big.Int).Lsh(big.NewInt(1), uint(bits+guard))
	sum := new(big.Int).Mul(big.NewInt(16), atan(one, 5))
	sum.Sub(sum, new(big.Int).Mul(big.NewInt(4), atan(one, 239)))
	return sum.Rsh(sum, guard)
}

// atan returns one * atan(1/x): 1/x - 1/3x^3 + 1/5x^5 and so on.
func atan(one *big.Int, x int64) *big.Int {
	power := new(big.Int).Quo(one, big.NewInt(x))
	square := big.NewInt(x * x)
	sum := new(big.Int)
	for n := int64(1); power.Sign() != 0; n += 2 {
		term := new(big.Int).Quo(power, big.NewInt(n))
		if n%4 == 1 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		power.Quo(power, square)
	}
	return sum
}
