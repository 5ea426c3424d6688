// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// Names and lines of the functions in an executable or a shared object: from Go's own table, which stays where a binary is
// stripped; from DWARF, which knows inlined calls; and from ELF's symbols.

import (
	"debug/dwarf"
	"debug/elf"
	"debug/gosym"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
)

// An object is a file of code.
type object struct {
	name string // as the process has it
	path string // where it can be read

	held    *os.File // nil before hold, and where it can't be read
	asked   bool     // for held
	opened  bool
	file    *elf.File
	table   *gosym.Table // nil if it is not of Go
	symbols []elf.Symbol // functions, by address
	lines   *inlines     // nil without DWARF

	fields map[string]place // of the runtime, found already
}

// A place is where a variable lies.
type place struct {
	address, size uint64
	err           error
}

func newObject(path, name string) *object { return &object{path: path, name: name} }

// hold opens the file, once. Once the process has ended, its paths lead nowhere.
func (o *object) hold() {
	if o.asked {
		return
	}
	o.asked = true
	// The process may have put a pipe or a device where its file was.
	if is, err := os.Stat(o.path); err != nil || !is.Mode().IsRegular() {
		return
	}
	if f, err := os.OpenFile(o.path, os.O_RDONLY|nonblocking, 0); err == nil {
		o.held = f
	}
}

// open reads the tables, once. What is not there, or is damaged, is left out.
func (o *object) open() {
	if o.opened {
		return
	}
	o.opened = true
	if o.hold(); o.held == nil {
		return
	}
	var err error
	if o.file, err = elf.NewFile(o.held); err != nil { // kept open: DWARF is read as it is wanted
		o.held.Close()
		return
	}
	o.table, _ = goTable(o.file)
	for _, read := range []func() ([]elf.Symbol, error){o.file.Symbols, o.file.DynamicSymbols} {
		all, _ := read()
		for _, s := range all {
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Value != 0 {
				o.symbols = append(o.symbols, s)
			}
		}
	}
	slices.SortStableFunc(o.symbols, func(a, b elf.Symbol) int { return compare(a.Value, b.Value) })
	o.lines, _ = newInlines(o.file)
}

func compare(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// hasLines reports whether there is DWARF.
func (o *object) hasLines() bool {
	o.open()
	return o.lines != nil
}

// address is where the file would have the byte at an offset, if it were loaded as it is linked.
func (o *object) address(offset uint64) (uint64, bool) {
	if o.file == nil {
		return 0, false
	}
	for _, p := range o.file.Progs {
		if p.Type == elf.PT_LOAD && p.Off <= offset && offset-p.Off < p.Filesz {
			return p.Vaddr + (offset - p.Off), true
		}
	}
	return 0, false
}

// frames are the functions at an address of the file, those that were inlined first.
func (o *object) frames(pc uint64) []Frame {
	if o.table != nil {
		if file, line, fn := o.table.PCToLine(pc); fn != nil {
			if inlined := o.lines.at(pc, file, line); inlined != nil {
				return inlined
			}
			return []Frame{o.outer(pc, file, line, fn)}
		}
	}
	if name := o.symbol(pc); name != "" {
		return []Frame{{Func: name}}
	}
	return []Frame{{Func: "[" + base(o.name) + "]"}}
}

// outer is the function at pc. Where another file's function is inlined there and only Go's table tells of it, the line is
// the last before it that is of the function's own file.
func (o *object) outer(pc uint64, file string, line int, fn *gosym.Func) Frame {
	own, first, _ := o.table.PCToLine(fn.Entry)
	if file != own {
		file, line = own, first
		for at := pc; at > fn.Entry && pc-at < 4096; at-- {
			if f, l, _ := o.table.PCToLine(at); f == own {
				line = l
				break
			}
		}
	}
	return Frame{fn.Name, file, line}
}

// symbol is the name of the function of C at pc, "" if there is none.
func (o *object) symbol(pc uint64) string {
	i := sort.Search(len(o.symbols), func(i int) bool { return o.symbols[i].Value > pc }) - 1
	if i < 0 || o.symbols[i].Size > 0 && pc-o.symbols[i].Value >= o.symbols[i].Size {
		return ""
	}
	return o.symbols[i].Name
}

// errNotGo is the error of a file without Go's table.
var errNotGo = errors.New("no program of Go")

// goTable reads Go's table of functions and lines.
func goTable(f *elf.File) (*gosym.Table, error) {
	var section *elf.Section
	for _, name := range []string{".gopclntab", ".data.rel.ro.gopclntab"} {
		if section = f.Section(name); section != nil {
			break
		}
	}
	text := f.Section(".text")
	if section == nil || text == nil {
		return nil, errNotGo
	}
	data, err := section.Data()
	if err != nil {
		return nil, err
	}
	return readTable(data, textStart(f, data, text.Addr))
}

// textStart is where Go's code begins. Where C's is before it in the same section, runtime.text says so, or the table's
// header, of which the linker may leave the word empty.
func textStart(f *elf.File, table []byte, section uint64) uint64 {
	all, _ := f.Symbols()
	for _, s := range all {
		if s.Name == "runtime.text" {
			return s.Value
		}
	}
	if at := 8 + 2*8; f.Class == elf.ELFCLASS64 && len(table) >= at+8 { // magic and sizes, nfunc, nfiles
		if v := f.ByteOrder.Uint64(table[at:]); v > section && v-section < 1<<32 {
			return v
		}
	}
	return section
}

// readTable reads the table. The package that does it panics where a table is damaged.
func readTable(data []byte, text uint64) (t *gosym.Table, err error) {
	defer func() {
		if r := recover(); r != nil {
			t, err = nil, fmt.Errorf("table of functions: %v", r)
		}
	}()
	if err := checkTable(data); err != nil {
		return nil, err
	}
	if t, err = gosym.NewTable(nil, gosym.NewLineTable(data, text)); err != nil {
		return nil, err
	}
	if len(t.Funcs) == 0 {
		return nil, errNotGo
	}
	return t, nil
}

// checkTable refuses a header whose numbers do not fit the table: the package that reads it allocates by them. Its form is
// that of Go 1.18 and 1.20 (runtime.pcHeader): magic, two zeros, the least size of an instruction, that of a pointer, and
// then words: functions, files, where the text starts, and five offsets.
func checkTable(data []byte) error {
	const magic118, magic120 = 0xfffffff0, 0xfffffff1
	if len(data) < 8+8*8 || data[4] != 0 || data[5] != 0 || data[7] != 4 && data[7] != 8 {
		return errNotGo
	}
	var order binary.ByteOrder = binary.LittleEndian
	if m := order.Uint32(data); m != magic118 && m != magic120 {
		order = binary.BigEndian
	}
	if m := order.Uint32(data); m != magic118 && m != magic120 {
		return errNotGo
	}
	size := int(data[7])
	for i := range 8 {
		word := uint64(order.Uint32(data[8+size*i:]))
		if size == 8 {
			word = order.Uint64(data[8+size*i:])
		}
		if i != 2 && word >= uint64(len(data)) || i < 2 && word >= uint64(len(data))/8 {
			return errNotGo
		}
	}
	return nil
}

// An inlines finds inlined calls in DWARF.
type inlines struct {
	data  *dwarf.Data
	units map[dwarf.Offset]*unit
}

// A unit is a compilation unit, of Go a package.
type unit struct {
	files []*dwarf.LineFile
	funcs []inlinedRange
}

// An inlinedRange is a function, or one inlined into it, and the addresses of its code.
type inlinedRange struct {
	name   string
	file   string // of the call, if it is inlined
	line   int
	depth  int // 0 for a function
	ranges [][2]uint64
}

func newInlines(f *elf.File) (*inlines, error) {
	if f.Section(".debug_info") == nil && f.Section(".zdebug_info") == nil {
		return nil, errors.New("no DWARF")
	}
	data, err := f.DWARF()
	if err != nil {
		return nil, err
	}
	return &inlines{data, make(map[dwarf.Offset]*unit)}, nil
}

// at are the functions at pc, whose innermost line is known.
func (l *inlines) at(pc uint64, file string, line int) (frames []Frame) {
	if l == nil {
		return nil
	}
	cu, err := l.data.Reader().SeekPC(pc)
	if err != nil {
		return nil
	}
	for _, f := range l.unit(cu).funcs { // outermost first
		if !slices.ContainsFunc(f.ranges, func(r [2]uint64) bool { return r[0] <= pc && pc < r[1] }) {
			continue
		}
		if f.depth == 0 {
			frames = nil
		} else if len(frames) == f.depth {
			frames[f.depth-1].File, frames[f.depth-1].Line = f.file, f.line
		} else {
			continue
		}
		frames = append(frames, Frame{f.name, file, line})
	}
	slices.Reverse(frames)
	return frames
}

// unit reads a unit, once.
func (l *inlines) unit(cu *dwarf.Entry) *unit {
	if u := l.units[cu.Offset]; u != nil {
		return u
	}
	u := new(unit)
	l.units[cu.Offset] = u
	if lines, err := l.data.LineReader(cu); err == nil && lines != nil {
		u.files = lines.Files()
	}
	r := l.data.Reader()
	r.Seek(cu.Offset)
	if _, err := r.Next(); err != nil {
		return u
	}
	for depth := 0; ; { // of functions around the entry
		e, err := r.Next()
		if err != nil || e == nil || e.Tag == dwarf.TagCompileUnit {
			return u
		}
		switch e.Tag {
		case 0:
			if depth--; depth < 0 {
				return u
			}
			continue
		case dwarf.TagSubprogram, dwarf.TagInlinedSubroutine:
			l.add(u, e)
		case dwarf.TagLexDwarfBlock: // what is inlined may stand in a block
		default:
			r.SkipChildren()
			continue
		}
		if e.Children {
			depth++
		}
	}
}

// add adds a function that has code. Its depth is that of the functions that it is inlined into.
func (l *inlines) add(u *unit, e *dwarf.Entry) {
	ranges, err := l.data.Ranges(e)
	if err != nil || len(ranges) == 0 {
		return
	}
	f := inlinedRange{name: l.nameOf(e), ranges: ranges}
	if e.Tag == dwarf.TagInlinedSubroutine {
		f.depth = 1
		for i := len(u.funcs) - 1; i >= 0; i-- { // the nearest before it that its code lies in
			if outer := u.funcs[i]; contains(outer.ranges, ranges[0][0]) {
				f.depth = outer.depth + 1
				break
			}
		}
		if i, ok := e.Val(dwarf.AttrCallFile).(int64); ok && i >= 0 && i < int64(len(u.files)) && u.files[i] != nil {
			f.file = u.files[i].Name
		}
		if n, ok := e.Val(dwarf.AttrCallLine).(int64); ok {
			f.line = int(n)
		}
	}
	u.funcs = append(u.funcs, f)
}

func contains(ranges [][2]uint64, pc uint64) bool {
	return slices.ContainsFunc(ranges, func(r [2]uint64) bool { return r[0] <= pc && pc < r[1] })
}

// nameOf is the function's name, or that of the one that it is an instance of.
func (l *inlines) nameOf(e *dwarf.Entry) string {
	for range 3 {
		if name, ok := e.Val(dwarf.AttrName).(string); ok {
			return name
		}
		origin, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			return ""
		}
		r := l.data.Reader()
		r.Seek(origin)
		next, err := r.Next()
		if err != nil || next == nil {
			return ""
		}
		e = next
	}
	return ""
}

// runtimeField finds in the runtime's struct of that variable the field of that name: its address and size.
func (o *object) runtimeField(variable, field string) (address, size uint64, err error) {
	o.open()
	at, ok := o.fields[variable+"."+field]
	if !ok {
		at.address, at.size, at.err = o.seekField(variable, field)
		o.fields = map[string]place{variable + "." + field: at}
	}
	return at.address, at.size, at.err
}

func (o *object) seekField(variable, field string) (address, size uint64, err error) {
	if o.lines == nil {
		return 0, 0, errors.New("its DWARF is stripped")
	}
	d := o.lines.data
	r := d.Reader()
	for {
		e, err := r.Next()
		if err != nil || e == nil {
			return 0, 0, fmt.Errorf("its DWARF has no %s", variable)
		}
		name, _ := e.Val(dwarf.AttrName).(string)
		switch {
		case e.Tag == dwarf.TagCompileUnit && name != "runtime":
			r.SkipChildren()
		case e.Tag == dwarf.TagCompileUnit:
		case e.Tag == dwarf.TagVariable && name == variable:
			return fieldOf(d, e, field)
		default:
			r.SkipChildren()
		}
	}
}

// fieldOf is a field of a variable whose place is an address.
func fieldOf(d *dwarf.Data, e *dwarf.Entry, field string) (address, size uint64, err error) {
	const opAddr = 0x03 // DW_OP_addr
	place, _ := e.Val(dwarf.AttrLocation).([]byte)
	kind, _ := e.Val(dwarf.AttrType).(dwarf.Offset)
	if len(place) != 9 || place[0] != opAddr {
		return 0, 0, errors.New("its DWARF has no address of the scheduler")
	}
	t, err := d.Type(kind)
	if err != nil {
		return 0, 0, err
	}
	if named, ok := t.(*dwarf.TypedefType); ok {
		t = named.Type
	}
	s, ok := t.(*dwarf.StructType)
	if !ok {
		return 0, 0, errors.New("its DWARF has no struct of the scheduler")
	}
	for _, f := range s.Field {
		if f.Name == field {
			return binary.LittleEndian.Uint64(place[1:]) + uint64(f.ByteOffset), uint64(max(0, f.Type.Size())), nil
		}
	}
	return 0, 0, fmt.Errorf("its Go has no %s", field)
}
