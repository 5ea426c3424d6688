// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Where values come from: the clock, the kernel or a generator, and how much of them is random.

package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/bits"
	"slices"
)

// An origin says where a value comes from. The zero origin is of a value from elsewhere.
type origin struct {
	clock bool // others can guess a part: it holds the time or a process ID

	// How many low bits are random, each value of them as likely, 64 if it is not known. 0 is also
	// for numbers below a bound.
	bits int

	// How many bits of the kernel's it may hold, which others can't guess.
	kernel int
}

// or returns the origin of a value that has either as a part.
func (o origin) or(p origin) origin {
	return origin{
		clock:  o.clock || p.clock,
		bits:   max(o.bits, p.bits),
		kernel: max(o.kernel, p.kernel),
	}
}

// cut keeps the low n bits.
func (o origin) cut(n int) origin {
	o.bits = min(o.bits, n)
	o.kernel = min(o.kernel, n)
	return o
}

// shift moves the bits up by n places, or down if n is negative.
func (o origin) shift(n int) origin {
	move := func(width int) int {
		if width == 0 {
			return 0
		}
		return max(0, min(width+n, 64))
	}

	o.bits = move(o.bits)
	o.kernel = move(o.kernel)
	return o
}

// spread returns the origin of a value of which each bit depends on all of these: 64
// bits, or none if there are none.
func (o origin) spread() origin { return o.shift(64) }

// binary returns the origin of left op right.
func (f *flow) binary(op token.Token, left, right ast.Expr) origin {
	x := f.from(left)
	y := f.from(right)
	both := x.or(y)

	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
		return origin{}
	case token.OR, token.XOR, token.AND_NOT:
		return both
	case token.AND:
		for _, e := range []ast.Expr{left, right} {
			if mask, known := constantInt(f.info, e); known {
				both = both.cut(bits.Len64(mask))
			}
		}
		return both
	case token.SHR:
		places, _ := constantInt(f.info, right)
		return x.shift(-int(min(places, 64)))
	case token.SHL:
		places, known := constantInt(f.info, right)
		if !known {
			return x.spread()
		}
		return x.shift(int(min(places, 64)))
	case token.QUO, token.REM:
		if n, known := constantInt(f.info, right); known && op == token.REM {
			both = both.cut(bits.Len64(n - 1))
		}
		both.bits = 0
		return both
	case token.ADD, token.SUB:
		if x.bits == 0 || y.bits == 0 {
			return both
		}
	}
	return both.spread() // a hash or a sum
}

// source returns the origin of what a call makes, or the zero origin if it only passes values on.
func (f *flow) source(call *ast.CallExpr) origin {
	fn := callee(f.info, call)
	path := packagePath(fn)
	switch {
	case isClock(fn):
		return origin{clock: true}
	case slices.Contains(weakPackages, path), wordBits(fn) > 0:
		return f.draw(fn, call)
	case slices.Contains([]string{"crypto/rand", "hash/maphash", library}, path),
		slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return isCryptoReader(f.info, e) }):
		return origin{kernel: 64}
	}
	return origin{}
}

// isClock reports whether a function returns what others can guess: the time, or a process ID.
func isClock(fn *types.Func) bool {
	switch packagePath(fn) {
	case "time":
		return fn.Name() == "Now" || fn.Name() == "Since"
	case "os", "syscall", "golang.org/x/sys/unix":
		return fn.Name() == "Getpid" || fn.Name() == "Getppid"
	}
	return false
}

// draw returns the origin of an integer from a generator of random words.
func (f *flow) draw(fn *types.Func, call *ast.CallExpr) origin {
	o := origin{bits: wordBits(fn)}
	switch {
	case !kernelSeeds(fn):
	case o.bits > 0:
		o.kernel = o.bits
	case len(call.Args) == 1 && integerSize(f.info.TypeOf(call)) > 0: // Intn
		o.kernel = 64
		if n, known := constantInt(f.info, call.Args[0]); known {
			o.kernel = bits.Len64(n - 1)
		}
	}
	return o
}

// kernelSeeds reports whether the kernel seeds the generator that a function draws from. A method
// draws from its value's.
func kernelSeeds(fn *types.Func) bool {
	if receiver(fn) != "" {
		return false
	}
	return slices.Contains([]string{"math/rand", "math/rand/v2", library}, packagePath(fn))
}

// wordBits is how many random bits a function returns as an integer, 0 for other functions.
func wordBits(fn *types.Func) int {
	path := packagePath(fn)
	if path != library && !slices.Contains(weakPackages, path) {
		return 0
	}
	switch fn.Name() {
	case "Uint64", "Uint", "Int64":
		return 64
	case "Int63", "Int":
		return 63
	case "Uint32", "Int32":
		return 32
	case "Int31":
		return 31
	}
	return 0
}

// filled returns the argument that a call fills with random bytes, or nil.
func filled(info *types.Info, call *ast.CallExpr) ast.Expr {
	f := callee(info, call)
	switch {
	case f == nil:
	case f.Name() == "Read" && len(call.Args) == 1:
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		isReader := ok && isCryptoReader(info, sel.X) // rand.Reader.Read
		if isReader || slices.Contains([]string{"crypto/rand", library, "math/rand"}, packagePath(f)) {
			return call.Args[0]
		}
	case isFunction(f, "", "ReadFull", "io") && isCryptoReader(info, call.Args[0]):
		return call.Args[1]
	case isFunction(f, "", "Read", "encoding/binary") && isCryptoReader(info, call.Args[0]):
		return call.Args[2]
	}
	return nil
}
