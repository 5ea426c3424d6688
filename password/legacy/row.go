// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// A row describes how a store writes its strings and what their sums are of. This file parses
// strings by rows; makers.go has the table of makers, sum.go what a sum may be, method.go the
// methods.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fount/password"
	"fount/password/internal/format"
)

// A row is one form of stored strings: text with fields in braces, such as {salt} and
// {sha1({salt}{password}):hex}.
//
//	{i} {log2i}          iterations, and their logarithm
//	{n} {ln} {r} {p}     scrypt's N, its logarithm, r and p
//	{nrp}                log2 N, r and p in one hexadecimal number, with two digits for r and for p
//	{len} {l}            the sum's length; {l} is not checked
//	{sep} {key}          Firebase's
//	{hash}               what the method parses
//	{sum}                what the method computes, or in its place what it is: see describe
//
// A coding may follow a colon: see coding.go. Without one a salt is text, and a number is decimal.
// A field of several parts, {salt16+sum32:base64}, has their sizes in bytes; a sum without a size has
// the method's. The case of a name in braces at the beginning of the string does not matter (RFC 4519).
//
// A salt that is text may be empty, and ends before the text that follows. {salt:some} is not
// empty, and {salt:any} may contain the text that follows.
type row struct {
	stored string
	method method // but for what stored says of the sum
}

// A field is a part of a row: text, or one pair of braces.
type field struct {
	text   string // if it is text
	source string // as the row has it
	label  string // of errors
	parts  []part
	coding coding
	width  int // in characters; 0: unknown
}

type part struct {
	name string
	size int // bytes; 0: the rest of the field
}

// A pattern is a parsed row.
type pattern struct {
	stored string // the row's
	fields []field
	shape  string // of errors: pbkdf2_sha256$ITERATIONS$SALT$SUM
	method method
}

// maxFields is more than any row has.
const maxFields = 24

// values are the fields of a stored string.
type values struct {
	iterations, log2N, r, p uint32
	length                  uint32 // of the sum; 0: not said
	salt, sum               []byte
	separator, key          []byte // Firebase's
	hash                    string // what {hash} holds
	blank                   string // password.Computed.Blank
}

var (
	errNumber = errors.New("no number, or one that its maker does not write: of 0, above 2^32, with a zero or a sign first")
	errText   = errors.New("not exact base64, or hexadecimal, as its maker writes")
	errSizes  = errors.New("too short or too long")
	errSalt   = errors.New("too long, or has characters that its maker does not write")
	errHash   = errors.New("want a hash there, which begins with $")
)

var fieldLabels = map[string]string{"salt": "SALT", "sum": "SUM", "hash": "HASH", "i": "ITERATIONS", "log2i": "LOG2-ITERATIONS",
	"n": "N", "ln": "LOG2-N", "r": "R", "p": "P", "nrp": "NRP", "len": "LENGTH", "l": "LENGTH", "sep": "SEPARATOR", "key": "KEY"}

var (
	fieldText = regexp.MustCompile(`\{([a-z0-9+]+)(?::([A-Za-z0-9]+))?\}`)
	partText  = regexp.MustCompile(`^(log2i|[a-z]+)([0-9]*)$`)
)

// compile parses a row that describe has returned.
func (r row) compile() *pattern {
	p := &pattern{stored: r.stored, method: r.method}
	from := 0
	for _, at := range fieldText.FindAllStringSubmatchIndex(r.stored, -1) {
		parts, label := r.parts(r.stored[at[2]:at[3]])
		if parts == nil {
			continue // braces around anything but a field are text
		}

		f := field{source: r.stored[at[0]:at[1]], label: label, parts: parts, coding: plain}
		if at[4] >= 0 {
			f.coding = codings[r.stored[at[4]:at[5]]]
		}
		f.width = f.coding.width(parts)

		p.text(r.stored[from:at[0]])
		p.fields = append(p.fields, f)
		p.shape += label
		from = at[1]
	}
	p.text(r.stored[from:])
	return p
}

// text appends text to the pattern.
func (p *pattern) text(s string) {
	if s == "" {
		return
	}
	p.fields = append(p.fields, field{text: s})

	if len(s) > 15 { // errors repeat no more of a stored string
		s = s[:12] + "..."
	}
	p.shape += s
}

// parts returns the parts of a field, nil if it is none, and its label in errors.
func (r row) parts(names string) (parts []part, label string) {
	for name := range strings.SplitSeq(names, "+") {
		named := partText.FindStringSubmatch(name)
		if named == nil || fieldLabels[named[1]] == "" {
			return nil, ""
		}

		one := part{name: named[1]}
		one.size, _ = strconv.Atoi(named[2])
		if one.name == "sum" && one.size == 0 {
			one.size = r.method.size
		}
		parts = append(parts, one)
		label += "+" + fieldLabels[one.name]
	}
	return parts, label[1:]
}

// cut sets texts to the fields of s, and returns -1, or the number of the first field that s does
// not have. It goes from the left up to a greedy salt, and from the right back to that.
func (p *pattern) cut(s string, texts []string) (missing int) {
	last := len(p.fields) - 1
	for i := range p.fields {
		if p.fields[i].coding.greedy {
			for ; last > i; last-- {
				at := p.lastIndex(s, last)
				if at < 0 {
					return last
				}
				texts[last] = s[at:]
				s = s[:at]
			}
		}

		n := p.length(s, i, i == last)
		if n < 0 || n > len(s) || i == last && n != len(s) {
			return i
		}
		texts[i] = s[:n]
		s = s[n:]
		if i == last {
			break
		}
	}
	return -1
}

// length returns the length of field i at the beginning of s, or a number below 0.
func (p *pattern) length(s string, i int, last bool) int {
	switch f := &p.fields[i]; {
	case f.text != "" && !hasPrefix(s, f.text, i == 0):
		return -1
	case f.text != "":
		return len(f.text)
	case f.width > 0:
		return f.width
	case last:
		return len(s)
	}

	return strings.Index(s, p.fields[i+1].text)
}

// lastIndex returns the index of field i at the end of s, or a number below 0.
func (p *pattern) lastIndex(s string, i int) int {
	switch f := &p.fields[i]; {
	case f.text != "" && !strings.HasSuffix(s, f.text):
		return -1
	case f.text != "":
		return len(s) - len(f.text)
	case f.width > 0:
		return len(s) - f.width
	}

	before := p.fields[i-1].text
	at := strings.LastIndex(s, before)
	if at < 0 {
		return -1
	}
	return at + len(before)
}

// hasPrefix reports whether s begins with text, ignoring the case of a name in braces if first.
func hasPrefix(s, text string, first bool) bool {
	if n := strings.IndexByte(text, '}') + 1; first && text[0] == '{' && len(s) >= n && strings.EqualFold(s[:n], text[:n]) {
		s = s[n:]
		text = text[n:]
	}
	return strings.HasPrefix(s, text)
}

// parse parses s. If s is of another form, it returns nil and no error. With an error, matched is
// the number of fields before the wrong one.
func (p *pattern) parse(s string) (parsed password.Parsed, matched int, err error) {
	marked := p.fields[0].text != ""
	if marked && !hasPrefix(s, p.fields[0].text, true) {
		return nil, 0, nil
	}

	var buf [maxFields]string
	texts := buf[:len(p.fields)]
	switch missing := p.cut(s, texts); {
	case missing >= 0 && (missing == 0 || !marked):
		return nil, 0, nil
	case missing >= 0:
		return nil, missing, p.cutError(missing)
	}

	var v values
	for i := range p.fields {
		f := &p.fields[i]
		if f.text != "" {
			continue
		}
		if err := v.read(f, texts[i]); err != nil {
			if !marked {
				return nil, 0, nil
			}
			return nil, i, p.fieldError(i, err)
		}

		if slices.ContainsFunc(f.parts, func(p part) bool { return p.name == "sum" }) {
			v.blank = f.zeroed(texts[i], v.sum) + strings.Join(texts[i+1:], "")
		}
	}

	parsed, err = p.method.hashOf(&v)
	if err != nil {
		return nil, len(p.fields), fmt.Errorf("%s: %w", p.shape, err)
	}
	return parsed, len(p.fields), nil
}

// cutError returns the error of a string in which field i is not found.
func (p *pattern) cutError(i int) error {
	switch f := &p.fields[i]; {
	case f.text != "":
		return fmt.Errorf("want %s: no %q where it is due", p.shape, f.text)
	case f.width > 0:
		return p.fieldError(i, fmt.Errorf("not of %d characters", f.width))
	}
	return fmt.Errorf("want %s: no %q where it is due", p.shape, p.fields[i+1].text)
}

// fieldError returns the error of field i, of which err says what is wrong.
func (p *pattern) fieldError(i int, err error) error {
	return fmt.Errorf("want %s: its %s is %w", p.shape, p.fields[i].label, err)
}

// read reads the text of a field.
func (v *values) read(f *field, text string) (err error) {
	switch name := f.parts[0].name; {
	case len(f.parts) > 1:
		b, err := f.coding.decode(text)
		if err != nil {
			return err
		}
		return v.readParts(f.parts, b)
	case name == "sum":
		v.sum, err = f.coding.decode(text)
		if size := f.parts[0].size; err == nil && size > 0 && len(v.sum) != size {
			return errSizes
		}
	case name == "salt":
		v.salt, err = f.coding.decode(text)
	case name == "sep":
		v.separator, err = f.coding.decode(text)
	case name == "key":
		v.key, err = f.coding.decode(text)
	case name == "hash":
		var b []byte
		b, err = f.coding.decode(text)
		v.hash = string(b)
	default:
		return v.readNumber(name, text, f.coding.name == "hex")
	}
	return err
}

// readParts sets the parts that b consists of. At most one has no size: it is the rest, not empty.
func (v *values) readParts(parts []part, b []byte) error {
	left := len(b)
	for _, part := range parts {
		left -= part.size
	}
	hasRest := slices.ContainsFunc(parts, func(p part) bool { return p.size == 0 })
	if left < 0 || (left > 0) != hasRest {
		return errSizes
	}

	for _, part := range parts {
		n := part.size
		if n == 0 {
			n = left
		}

		switch part.name {
		case "salt":
			v.salt = b[:n:n]
		case "sum":
			v.sum = b[:n:n]
		case "i":
			v.iterations = binary.BigEndian.Uint32(b[:n])
			if v.iterations == 0 {
				return errNumber
			}
		}
		b = b[n:]
	}
	return nil
}

func (v *values) readNumber(name, text string, isHex bool) error {
	n, ok := format.Number(text)
	switch {
	case name == "log2i": // two digits
		x, err := strconv.ParseUint(text, 10, 5)
		n, ok = 1<<x, err == nil && len(text) == 2
	case isHex:
		x, err := strconv.ParseUint(text, 16, 32)
		n, ok = uint32(x), err == nil && x > 0 && strconv.FormatUint(x, 16) == text
	}
	if !ok {
		return errNumber
	}

	switch name {
	case "i", "log2i":
		v.iterations = n
	case "n":
		v.log2N = uint32(bits.TrailingZeros32(n))
		ok = n == 1<<v.log2N && n > 1
	case "ln":
		v.log2N = n
	case "r":
		v.r = n
	case "p":
		v.p = n
	case "len":
		v.length = n
	case "nrp":
		v.log2N, v.r, v.p = n>>16, n>>8&0xff, n&0xff
		ok = v.log2N > 0 && v.log2N < 32
	}
	if !ok {
		return errNumber
	}
	return nil
}
