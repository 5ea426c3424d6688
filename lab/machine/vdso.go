// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// The vDSO: the code that the kernel maps into each process so that some calls need not enter the kernel. Since Linux
// 6.11 getrandom is one of them, and crypto/rand uses it from Go 1.24 on.

import (
	"debug/elf"
	"fmt"
	"io"
	"slices"
)

// vdsoNames are the names getrandom has in the vDSO: the first on x86, riscv, and loongarch, the second on arm64, ppc64,
// and s390x.
var vdsoNames = []string{"__vdso_getrandom", "__kernel_getrandom"}

// vdsoArchs are the architectures on which Go calls it there (go1.26 runtime/vgetrandom_linux.go). On another one the
// symbol may be there and is not used.
var vdsoArchs = []string{"amd64", "arm64", "ppc64", "ppc64le", "loong64", "s390x"}

// vdsoSymbol returns the name of getrandom in a vDSO image, "" if the image does not define it.
func vdsoSymbol(image io.ReaderAt) (name string, err error) {
	defer func() {
		if r := recover(); r != nil { // debug/elf is not hardened against hostile files
			name, err = "", fmt.Errorf("vDSO image: %v", r)
		}
	}()
	file, err := elf.NewFile(image)
	if err != nil {
		return "", fmt.Errorf("vDSO image: %w", err)
	}
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return "", fmt.Errorf("vDSO symbols: %w", err)
	}
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && slices.Contains(vdsoNames, s.Name) {
			return s.Name, nil
		}
	}
	return "", nil
}
