// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// BinaryRead reports encoding/binary.Read of random bytes into integers.
var BinaryRead = &analysis.Analyzer{Name: "binaryread", Doc: page("binaryread"), Run: runBinaryRead}

func runBinaryRead(pass *analysis.Pass) (any, error) {
	r := newReporter(pass)
	info := pass.TypesInfo
	for call := range inspector.All[*ast.CallExpr](inspector.New(pass.Files)) {
		isRead := isFunction(callee(info, call), "", "Read", "encoding/binary") && len(call.Args) == 3
		if isRead && isCryptoReader(info, call.Args[0]) && isIntegers(info.TypeOf(call.Args[2])) {
			r.report(call, "binary.Read allocates and asks for type information to read random bytes; fill a buffer on the "+
				"stack and convert it, or call fount.Uint64")
		}
	}
	return nil, nil
}

// isIntegers reports whether t points to an integer or an array of them, or is a slice, no bytes.
func isIntegers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if a, ok := u.Elem().Underlying().(*types.Array); ok {
			return integerSize(a.Elem()) > 0
		}
		return integerSize(u.Elem()) > 0
	case *types.Slice:
		return integerSize(u.Elem()) > 8
	}
	return false
}
