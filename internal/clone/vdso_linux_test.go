// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego && (amd64 || arm64)

package clone

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

func TestVDSOAddress(t *testing.T) {
	entries := func(words ...uint64) (auxv []byte) {
		for _, w := range words {
			auxv = binary.LittleEndian.AppendUint64(auxv, w)
		}
		return auxv
	}
	for name, c := range map[string]struct {
		auxv []byte
		want uint64
	}{
		"empty":                  {auxv: nil, want: 0},
		"between others":         {auxv: entries(6, 4096, 33, 0x7fff0000, 0, 0), want: 0x7fff0000},
		"33 as another's value":  {auxv: entries(6, 33, 0, 0), want: 0},
		"a byte is missing":      {auxv: entries(33, 0x7fff0000)[:15], want: 0},
		"its address is missing": {auxv: entries(6, 4096, 33), want: 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := vdsoAddress(c.auxv); got != c.want {
				t.Errorf("%#x, want %#x", got, c.want)
			}
		})
	}
}

func TestVDSOMappings(t *testing.T) {
	// Lines as Linux 6.18 and 6.12 print them, and some that it does not.
	const maps = `00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/dbus-daemon
7f5da4f6f000-7f5da4f73000 r--p 00000000 00:00 0                          [vvar]
7f5da4f73000-7f5da4f75000 r--p 00000000 00:00 0                          [vvar_vclock]
7f5da4f75000-7f5da4f77000 r-xp 00000000 00:00 0                          [vdso]
7ffff27fb000-7ffff281c000 rw-p 00000000 00:00 0                          [stack]
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
7f5da4f6f000 r--p 00000000 00:00 0 [vvar]
7f5da4f6f000-7f5da4f6e000 r--p 00000000 00:00 0 [vvar]
7f5da4f6f001-7f5da4f73000 r--p 00000000 00:00 0 [vvar]
7f5da4f6f000-7f5da4f73000 r--p 00000000 08:02 1 /tmp/[vvar]
7f5da4f6f000-7f5da4f73000 r--p 00000000 00:00 0 [vvar] (deleted)
1g000-20000 r--p 00000000 00:00 0 [vvar]
`
	got := vdsoMappings([]byte(maps))
	wanted := []mapping{
		{0x7f5da4f6f000, 0x7f5da4f73000, "[vvar]"},
		{0x7f5da4f73000, 0x7f5da4f75000, "[vvar_vclock]"},
		{0x7f5da4f75000, 0x7f5da4f77000, "[vdso]"},
	}
	if !slices.Equal(got, wanted) {
		t.Fatalf("%v", got)
	}

	for i, is := range []bool{true, true, false} {
		if got[i].isVVar() != is {
			t.Errorf("%v: isVVar is %v", got[i], !is)
		}
	}
}

// object makes a shared object with one dynamic symbol beside the null symbol, linked at vaddr.
func object(name string, vaddr, value uint64) []byte {
	le := binary.LittleEndian
	b := make([]byte, 1024)
	copy(b, "\x7fELF\x02\x01\x01")
	le.PutUint64(b[32:], 64) // program headers
	le.PutUint16(b[54:], 56)
	le.PutUint16(b[56:], 2)
	ph := b[64:]
	le.PutUint32(ph, 1) // PT_LOAD
	le.PutUint64(ph[16:], vaddr)
	ph = b[120:]
	le.PutUint32(ph, 2) // PT_DYNAMIC
	le.PutUint64(ph[16:], vaddr+192)
	dynamic := []uint64{5, vaddr + 512, 6, vaddr + 320, 0, 0}
	for i, v := range dynamic {
		le.PutUint64(b[192+8*i:], v)
	}
	sym := b[320+24:]
	le.PutUint32(sym, 1)
	sym[4] = 1<<4 | 2
	le.PutUint16(sym[6:], 7)
	le.PutUint64(sym[8:], vaddr+value)
	copy(b[513:], name)
	return b
}

func TestFindSymbol(t *testing.T) {
	for _, vaddr := range []uint64{0, 0xffffffffff700000} {
		image := object("__vdso_getrandom", vaddr, 800)
		if off, ok := findSymbol(image, "__vdso_getrandom"); !ok || off != 800 {
			t.Errorf("vaddr %#x: %d, %v", vaddr, off, ok)
		}
		for _, name := range []string{"__vdso_getrando", "__vdso_getrandom2", ""} {
			if _, ok := findSymbol(image, name); ok {
				t.Errorf("%q was found", name)
			}
		}
	}
}

func TestFindSymbolRefuses(t *testing.T) {
	undefined := object("f", 0, 800)
	undefined[320+24+6] = 0
	data := object("f", 0, 800)
	data[320+24+4] = 1
	bigEndian := object("f", 0, 800)
	bigEndian[5] = 2
	for name, image := range map[string][]byte{
		"nothing":                nil,
		"a header":               []byte("\x7fELF\x02\x01"),
		"all ones":               bytes.Repeat([]byte{0xff}, 4096),
		"a value outside":        object("f", 0, 5000),
		"an undefined symbol":    undefined,
		"a symbol of data":       data,
		"a big-endian processor": bigEndian,
	} {
		t.Run(name, func(t *testing.T) {
			if off, ok := findSymbol(image, "f"); ok {
				t.Errorf("found at %d", off)
			}
		})
	}
}

func FuzzFindSymbol(f *testing.F) {
	f.Add(object("f", 0, 800), "f")
	f.Add(object("f", 1<<40, 800), "f")
	f.Add([]byte("\x7fELF\x02\x01"), "")
	f.Fuzz(func(t *testing.T, image []byte, name string) {
		if off, ok := findSymbol(image, name); ok && off >= uint64(len(image)) {
			t.Fatalf("offset %d of %d", off, len(image))
		}
	})
}

func FuzzVDSOMappings(f *testing.F) {
	f.Add([]byte("7f5da4f6f000-7f5da4f73000 r--p 00000000 00:00 0   [vvar]\n"))
	f.Fuzz(func(t *testing.T, maps []byte) {
		for _, a := range vdsoMappings(maps) {
			if a.end < a.start || a.start%pieceSize != 0 {
				t.Fatalf("%+v", a)
			}
		}
	})
}

func FuzzVDSOAddress(f *testing.F) {
	f.Add(make([]byte, 33))
	f.Fuzz(func(t *testing.T, auxv []byte) { vdsoAddress(auxv) })
}
