// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// What Linux tells outside of /proc and /sys, and this process's own vDSO.

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"

	"fount/internal/processor"

	"golang.org/x/sys/unix"
)

func inspectOS(f *Facts) {
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		f.Kernel = unix.ByteSliceToString(u.Release[:])
	}
	readTree(os.DirFS("/"), processor.CPUID(), f)
	f.Random.Getrandom = getrandomState()
	f.Random.Urandom = urandomState("/dev/urandom")
	f.Random.Repeats = f.Random.Getrandom == Ready && repeats(RawGetrandom)
	f.Random.VDSOSymbol, f.Random.VDSO = ownVDSO()
}

// Getrandom fills b as Go's own crypto/rand does: in the vDSO if it can.
func Getrandom(b []byte) error {
	return whole(func(b []byte) (int, error) { return unix.Getrandom(b, 0) }, b)
}

// ownVDSO looks for getrandom in this process's vDSO. A process that may not read itself does not know.
func ownVDSO() (symbol string, used Tri) {
	symbol, err := readVDSO()
	switch {
	case err != nil:
		return "", Unknown
	case symbol != "" && slices.Contains(vdsoArchs, runtime.GOARCH):
		return symbol, Yes
	}
	return symbol, No
}

// readVDSO finds the image where the auxiliary vector says it is and reads it out of this process's own memory. No
// vDSO at all is no error: some emulators and kernels run without.
func readVDSO() (symbol string, err error) {
	b, err := os.ReadFile("/proc/self/auxv")
	if err != nil {
		return "", err
	}
	aux, err := parseAuxv(b, strconv.IntSize/8, binary.NativeEndian)
	if err != nil {
		return "", fmt.Errorf("/proc/self/auxv: %w", err)
	}
	base := aux[atSysinfoEhdr]
	if base == 0 {
		return "", nil
	}
	mem, err := os.Open("/proc/self/mem")
	if err != nil {
		return "", err
	}
	defer mem.Close()
	const most = 1 << 20 // vDSO images are 4 to 16 KiB
	return vdsoSymbol(io.NewSectionReader(mem, int64(base), most))
}
