// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// Strings that are parsed by a pattern: cut into the texts of its fields, whose values the method
// gets.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"fount/password"
	"fount/password/internal/format"
)

// values are the fields of a stored string.
type values struct {
	iterations, log2N, r, p uint32
	length                  uint32 // of the sum; 0: not said
	salt, sum               []byte
	separator, key          []byte // Firebase's
	hash                    []byte // what {hash} holds
	blank                   string // password.Computed.Blank
}

var (
	errNumber = errors.New("no number, or one that its maker does not write: of 0, above 2^32, with a zero or a sign first")
	errText   = errors.New("not exact base64, or hexadecimal, as its maker writes")
	errSizes  = errors.New("too short or too long")
	errSalt   = errors.New("too long, or has characters that its maker does not write")
	errHash   = errors.New("want a hash there, which begins with $")
)

// parse parses s. If s is of another form, it returns nil and no error. With an error, matched is
// the number of fields before the wrong one.
func (p *pattern) parse(s string) (parsed password.Parsed, matched int, err error) {
	hasMark := p.fields[0].text != ""
	if hasMark && !hasPrefix(s, p.fields[0].text, true) {
		return nil, 0, nil
	}

	texts := make([]string, len(p.fields))
	wrong, err := p.cut(s, texts)

	var v values
	if err == nil {
		wrong, err = p.read(texts, &v)
	}
	switch {
	case err != nil && hasMark && wrong > 0:
		return nil, wrong, fmt.Errorf("want %s: %w", p.shape, err)
	case err != nil: // nothing tells that it is of this form
		return nil, 0, nil
	}

	parsed, err = p.method.hashOf(&v)
	if err != nil {
		return nil, len(p.fields), fmt.Errorf("%s: %w", p.shape, err)
	}
	return parsed, len(p.fields), nil
}

// cut sets texts to the fields of s. One field takes what the others leave: the greedy one, or else
// the last. Those before it are cut from the left, and those behind it from the right. With an
// error, it returns the first field that s does not have.
func (p *pattern) cut(s string, texts []string) (missing int, err error) {
	last := len(p.fields) - 1
	rest := slices.IndexFunc(p.fields, func(f field) bool { return f.coding.greedy })
	if rest < 0 {
		rest = last
	}

	for i := range rest {
		n := p.length(s, i)
		if n < 0 || n > len(s) {
			return i, p.cutError(i)
		}
		texts[i] = s[:n]
		s = s[n:]
	}

	for i := last; i > rest; i-- {
		at := p.lastIndex(s, i)
		if at < 0 {
			return i, p.cutError(i)
		}
		texts[i] = s[at:]
		s = s[:at]
	}

	f := &p.fields[rest]
	isOther := f.text != "" && f.text != s
	if isOther || f.width > 0 && f.width != len(s) {
		return rest, p.cutError(rest)
	}
	texts[rest] = s
	return 0, nil
}

// length returns the length of field i, which is not the last, at the beginning of s, or a number
// below 0.
func (p *pattern) length(s string, i int) int {
	switch f := &p.fields[i]; {
	case f.text != "" && !hasPrefix(s, f.text, i == 0):
		return -1
	case f.text != "":
		return len(f.text)
	case f.width > 0:
		return f.width
	}
	return strings.Index(s, p.fields[i+1].text)
}

// lastIndex returns the index of field i, which is not the first, at the end of s, or a number
// below 0.
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
	name := strings.IndexByte(text, '}') + 1
	isNamed := first && text[0] == '{' && len(s) >= name
	if isNamed && strings.EqualFold(s[:name], text[:name]) {
		s = s[name:]
		text = text[name:]
	}
	return strings.HasPrefix(s, text)
}

// cutError returns the error of a string in which field i is not found.
func (p *pattern) cutError(i int) error {
	f := &p.fields[i]
	if f.width > 0 {
		return fmt.Errorf("its %s is not of %d characters", f.label, f.width)
	}

	due := f.text
	if due == "" {
		due = p.fields[i+1].text
	}
	return fmt.Errorf("no %q where it is due", due)
}

// read sets v to what the texts of the fields say. With an error, it returns the first wrong field.
func (p *pattern) read(texts []string, v *values) (wrong int, err error) {
	for i := range p.fields {
		f := &p.fields[i]
		if f.text != "" {
			continue
		}
		if err := v.read(f, texts[i]); err != nil {
			return i, fmt.Errorf("its %s is %w", f.label, err)
		}

		hasSum := slices.ContainsFunc(f.parts, func(p part) bool { return p.name == "sum" })
		if hasSum {
			v.blank = f.zeroed(texts[i], v.sum) + strings.Join(texts[i+1:], "")
		}
	}
	return 0, nil
}

// read reads the text of a field.
func (v *values) read(f *field, text string) error {
	first := f.parts[0]
	to := v.bytes(first.name)
	if len(f.parts) == 1 && to == nil {
		return v.readNumber(first.name, text, f.coding.name == "hex")
	}

	b, err := f.coding.decode(text)
	switch {
	case err != nil:
		return err
	case len(f.parts) > 1:
		return v.readParts(f.parts, b)
	case first.size > 0 && first.size != len(b):
		return errSizes
	}
	*to = b
	return nil
}

// bytes returns where the bytes of a field with the name go, or nil if it is a number.
func (v *values) bytes(name string) *[]byte {
	switch name {
	case "salt":
		return &v.salt
	case "sum":
		return &v.sum
	case "hash":
		return &v.hash
	case "sep":
		return &v.separator
	case "key":
		return &v.key
	}
	return nil
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

		if to := v.bytes(part.name); to != nil {
			*to = b[:n:n]
		} else if v.iterations = binary.BigEndian.Uint32(b[:n]); v.iterations == 0 {
			return errNumber
		}
		b = b[n:]
	}
	return nil
}

// readNumber sets the number of a field with the name.
func (v *values) readNumber(name, text string, isHex bool) error {
	n, ok := format.Number(text)
	switch {
	case name == "log2i":
		n, ok = powerOf2(text)
	case isHex:
		n, ok = hexNumber(text)
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
	case "l": // not checked
	case "nrp":
		v.log2N = n >> 16
		v.r = n >> 8 & 0xff
		v.p = n & 0xff
		ok = v.log2N > 0 && v.log2N < 32
	}
	if !ok {
		return errNumber
	}
	return nil
}

// powerOf2 returns 2 to the power of a number below 32 of two digits.
func powerOf2(text string) (n uint32, ok bool) {
	x, err := strconv.ParseUint(text, 10, 5)
	return 1 << x, err == nil && len(text) == 2
}

// hexNumber reads a positive hexadecimal number in lower case without leading zeros.
func hexNumber(text string) (n uint32, ok bool) {
	x, err := strconv.ParseUint(text, 16, 32)
	return uint32(x), err == nil && x > 0 && strconv.FormatUint(x, 16) == text
}
