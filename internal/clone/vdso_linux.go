// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego && (amd64 || arm64)

package clone

// Parsers of what the kernel says about the vDSO: the auxiliary vector, the list of mappings, and
// the vDSO's own symbol table. They never panic, whatever their input is.

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
)

// vdsoAddress returns the vDSO's address from an auxiliary vector (getauxval(3)), 0 if it has none.
func vdsoAddress(auxv []byte) uint64 {
	const atSysinfoEhdr = 33
	for ; len(auxv) >= 16; auxv = auxv[16:] {
		if le64(auxv) == atSysinfoEhdr {
			return le64(auxv[8:])
		}
	}
	return 0
}

// A mapping is a line of /proc/self/maps (proc_pid_maps(5)) of readable memory.
type mapping struct {
	start, end uint64
	name       string
}

// isVVar recognises [vvar] and its relatives, such as [vvar_vclock].
func (a mapping) isVVar() bool {
	return strings.HasPrefix(a.name, "[vvar") && strings.HasSuffix(a.name, "]")
}

// vdsoMappings returns the readable mappings whose names begin with "[v": [vdso] and [vvar].
func vdsoMappings(maps []byte) []mapping {
	var list []mapping
	for line := range bytes.Lines(maps) {
		f := strings.Fields(string(line))
		if len(f) != 6 || !strings.HasPrefix(f[1], "r") || !strings.HasPrefix(f[5], "[v") {
			continue
		}

		from, to, _ := strings.Cut(f[0], "-")
		start, err := strconv.ParseUint(from, 16, 64)
		if err != nil {
			continue
		}
		end, err := strconv.ParseUint(to, 16, 64)
		if err != nil || end < start || start%pieceSize != 0 {
			continue
		}

		list = append(list, mapping{start, end, f[5]})
	}
	return list
}

// findSymbol returns the offset of a function in the memory image of a little-endian ELF64 shared
// object. It reads the dynamic symbol table (gABI, chapter 5). debug/elf would add 0.5 MB to a
// program.
func findSymbol(file []byte, name string) (uint64, bool) {
	m := image(file)
	if !bytes.HasPrefix(m, []byte("\x7fELF\x02\x01")) {
		return 0, false
	}

	load, dynamic, ok := m.segments()
	if !ok {
		return 0, false
	}

	var strtab, symtab uint64
	for d := dynamic - load; d < m.len() && m.u64(d) != 0; d += 16 {
		at := m.u64(d+8) - load
		switch m.u64(d) {
		case 5: // DT_STRTAB
			strtab = at
		case 6: // DT_SYMTAB
			symtab = at
		}
	}

	// The table does not say where it ends. So the loop goes on to the end of the image: nothing
	// behind the table looks like a symbol of that name.
	const symSize, fn = 24, 2
	for s := symtab; s < m.len(); s += symSize {
		kind := m.u8(s+4) & 15     // of st_info
		section := m.u16(s + 6)    // st_shndx
		value := m.u64(s+8) - load // st_value
		if kind == fn && section != 0 && value < m.len() && m.isString(strtab+uint64(m.u32(s)), name) {
			return value, true
		}
	}
	return 0, false
}

// An image is a shared object as it lies in memory. Offsets out of range read as 0. A sum of
// offsets may wrap: it is then out of range, or reads something else of the image.
type image []byte

func (m image) len() uint64 { return uint64(len(m)) }

func (m image) at(off, n uint64) []byte {
	if off > m.len() || n > m.len()-off {
		return make([]byte, 8)[:n]
	}
	return m[off : off+n]
}

func (m image) u8(off uint64) uint8   { return m.at(off, 1)[0] }
func (m image) u16(off uint64) uint16 { return binary.LittleEndian.Uint16(m.at(off, 2)) }
func (m image) u32(off uint64) uint32 { return binary.LittleEndian.Uint32(m.at(off, 4)) }
func (m image) u64(off uint64) uint64 { return binary.LittleEndian.Uint64(m.at(off, 8)) }

// isString reports whether the zero-terminated string s lies at off.
func (m image) isString(off uint64, s string) bool {
	return off <= m.len() && bytes.HasPrefix(m[off:], []byte(s)) && len(m[off:]) > len(s) && m[off:][len(s)] == 0
}

// segments returns the addresses of the image's start and of its dynamic section in the program
// headers.
func (m image) segments() (load, dynamic uint64, ok bool) {
	const ptLoad, ptDynamic = 1, 2
	var loaded, linked bool

	for i := range uint64(m.u16(56)) { // e_phnum
		ph := m.u64(32) + i*uint64(m.u16(54))            // e_phoff, e_phentsize
		switch kind, vaddr := m.u32(ph), m.u64(ph+16); { // p_type, p_vaddr
		case kind == ptLoad && !loaded:
			load = vaddr - m.u64(ph+8) // p_offset
			loaded = true
		case kind == ptDynamic:
			dynamic = vaddr
			linked = true
		}
	}
	return load, dynamic, loaded && linked
}
