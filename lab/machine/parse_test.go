// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the parsers, each with a fuzz target.

package machine

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

func TestParseCPUInfo(t *testing.T) {
	for _, test := range []struct {
		text  string
		model string
		flags []string
	}{
		{"processor\t: 0\nmodel name\t: A  B \nflags\t\t: aes sse\n\nprocessor\t: 1\nmodel name\t: C\nflags\t\t:\n", "A B", []string{"aes", "sse"}},
		{"CPU implementer\t: 0x41\nCPU part\t: 0xd4f\nFeatures\t: fp sve2\n", "Arm Neoverse V2", []string{"fp", "sve2"}},
		{"CPU implementer\t: 0x99\nCPU part\t: 0x1\n", "Arm implementer 0x99 part 0x1", nil},
		{"isa\t\t: rv64imac\nuarch\t\t: sifive,u74-mc\n", "sifive,u74-mc", nil},
		{"Model Name\t\t: Loongson-3A5000\nFeatures\t: cpucfg lam lsx lasx\n", "Loongson-3A5000", []string{"cpucfg", "lam", "lsx", "lasx"}},
		{"", "", nil},
		{"no colon", "", nil},
	} {
		got := parseCPUInfo(test.text)
		if got.model != test.model || !slices.Equal(got.flags, test.flags) {
			t.Errorf("parseCPUInfo(%q) = %+v, want %q %q", test.text, got, test.model, test.flags)
		}
	}
}

func FuzzParseCPUInfo(f *testing.F) {
	f.Add("model name\t: A  B \nflags\t\t: aes sse\n")
	f.Add("CPU implementer\t: 0x41\nCPU part\t: 0xd4f\n")
	f.Fuzz(func(t *testing.T, s string) {
		c := parseCPUInfo(s)
		if c.model != strings.Join(strings.Fields(c.model), " ") || c.flags != nil && len(c.flags) == 0 {
			t.Errorf("parseCPUInfo(%q) = %+v", s, c)
		}
	})
}

// auxvOf lays pairs out as the kernel does.
func auxvOf(wordSize int, order binary.AppendByteOrder, words ...uint64) []byte {
	var b []byte
	for _, w := range words {
		if wordSize == 4 {
			b = order.AppendUint32(b, uint32(w))
		} else {
			b = order.AppendUint64(b, w)
		}
	}
	return b
}

func TestParseAuxv(t *testing.T) {
	for _, test := range []struct {
		name  string
		size  int
		order interface {
			binary.ByteOrder
			binary.AppendByteOrder
		}
		words []uint64
		want  uint64 // AT_SYSINFO_EHDR
		fails bool
	}{
		{name: "64 bits", size: 8, order: binary.LittleEndian, words: []uint64{16, 0x1f8bfbff, 33, 0x7f37fb7c1000, 6, 4096, 0, 0}, want: 0x7f37fb7c1000},
		{name: "32 bits", size: 4, order: binary.LittleEndian, words: []uint64{32, 1, 33, 0xb7f0e000, 0, 0}, want: 0xb7f0e000},
		{name: "big endian", size: 8, order: binary.BigEndian, words: []uint64{33, 0x3ff9b57e000, 0, 0}, want: 0x3ff9b57e000},
		{name: "first counts", size: 8, order: binary.LittleEndian, words: []uint64{33, 1, 33, 2, 0, 0}, want: 1},
		{name: "after the end", size: 8, order: binary.LittleEndian, words: []uint64{6, 4096, 0, 0, 33, 5}, want: 0},
		{name: "no end", size: 8, order: binary.LittleEndian, words: []uint64{33, 1}, fails: true},
		{name: "half a pair", size: 8, order: binary.LittleEndian, words: []uint64{33, 1, 0}, fails: true},
		{name: "empty", size: 8, order: binary.LittleEndian, fails: true},
		{name: "odd word", size: 2, order: binary.LittleEndian, fails: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			aux, err := parseAuxv(auxvOf(test.size, test.order, test.words...), test.size, test.order)
			if (err != nil) != test.fails || aux[atSysinfoEhdr] != test.want {
				t.Errorf("got %#x, %v; want %#x, error: %v", aux, err, test.want, test.fails)
			}
		})
	}
}

func FuzzParseAuxv(f *testing.F) {
	f.Add(auxvOf(8, binary.LittleEndian, 33, 0x7f37fb7c1000, 0, 0), true)
	f.Add(auxvOf(4, binary.BigEndian, 33, 1, 0, 0), false)
	f.Fuzz(func(t *testing.T, b []byte, wide bool) {
		size := 4
		if wide {
			size = 8
		}
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			aux, err := parseAuxv(b, size, order)
			if err != nil && aux != nil || len(aux) > len(b)/(2*size) {
				t.Errorf("%d entries, %v", len(aux), err)
			}
			if _, ok := aux[atNull]; ok {
				t.Error("the end is an entry")
			}
		}
	})
}
