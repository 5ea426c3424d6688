// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the search in a vDSO image, on images made here.

package machine

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// image makes the smallest 64-bit little-endian ELF file that debug/elf reads symbols from: a header, a dynamic symbol
// table of one symbol, and its strings (System V ABI, chapter 4).
func image(symbol string, defined bool) []byte {
	const headers, sections, section = 64, 4, 64
	names := "\x00.dynsym\x00.dynstr\x00.shstrtab\x00"
	strings := "\x00" + symbol + "\x00"
	symbols := make([]byte, 2*24) // the first is always null
	binary.LittleEndian.PutUint32(symbols[24:], 1)
	symbols[28] = 0x12 // global function
	if defined {
		binary.LittleEndian.PutUint16(symbols[30:], 1)
	}
	data := headers + sections*section
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			binary.Write(&b, binary.LittleEndian, v)
		}
	}
	put([]byte("\x7fELF\x02\x01\x01"), make([]byte, 9), uint16(3), uint16(62), uint32(1), uint64(0), uint64(0),
		uint64(headers), uint32(0), uint16(64), uint16(0), uint16(0), uint16(section), uint16(sections), uint16(3))
	head := func(name, kind uint32, at, size int, link uint32, entry uint64) {
		put(name, kind, uint64(0), uint64(0), uint64(at), uint64(size), link, uint32(0), uint64(8), entry)
	}
	head(0, 0, 0, 0, 0, 0)
	head(1, 11, data, len(symbols), 2, 24)                        // SHT_DYNSYM
	head(9, 3, data+len(symbols), len(strings), 0, 0)             // SHT_STRTAB
	head(17, 3, data+len(symbols)+len(strings), len(names), 0, 0) // SHT_STRTAB
	put(symbols, []byte(strings), []byte(names))
	return b.Bytes()
}

func TestVDSOSymbol(t *testing.T) {
	for _, test := range []struct {
		name    string
		image   []byte
		want    string
		invalid bool
	}{
		{name: "x86", image: image("__vdso_getrandom", true), want: "__vdso_getrandom"},
		{name: "arm64", image: image("__kernel_getrandom", true), want: "__kernel_getrandom"},
		{name: "before 6.11", image: image("__vdso_clock_gettime", true)},
		{name: "longer name", image: image("__vdso_getrandom2", true)},
		{name: "undefined", image: image("__vdso_getrandom", false)},
		{name: "empty", invalid: true},
		{name: "cut", image: image("__vdso_getrandom", true)[:100], invalid: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := vdsoSymbol(bytes.NewReader(test.image))
			if got != test.want || (err != nil) != test.invalid {
				t.Errorf("got %q, %v; want %q, error: %v", got, err, test.want, test.invalid)
			}
		})
	}
}

func FuzzVDSOSymbol(f *testing.F) {
	f.Add(image("__vdso_getrandom", true))
	f.Add(image("__vdso_time", false))
	f.Fuzz(func(t *testing.T, b []byte) {
		if name, err := vdsoSymbol(bytes.NewReader(b)); err != nil && name != "" {
			t.Errorf("both %q and %v", name, err)
		}
	})
}
