// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// A row of the table says how a maker's stored strings look and what computes their sums. This file
// takes strings apart by rows; the table is in table.go, the methods are in method.go.

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

// A row is one form of stored strings.
//
// The fields of stored are {salt}, {sum}, {i} (iterations), {log2i}, {n}, {ln}, {r} and {p}
// (scrypt's, {ln} the logarithm of N), {nrp} (all three in one hexadecimal number, log2 N before
// two digits each), {len} (the sum's length), {l} (a length that is not needed), {sep} and {key}
// (Firebase's) and {hash} (what the method reads further). A colon and the coding follow the
// name: {sum:base64}. Without one a salt stands for itself, and a number is decimal. Several
// fields in one coding are {salt16+sum32:base64}, with their sizes in bytes; of a sum without a
// size that is the method's. All else is text, where the case of a name in braces at the
// beginning does not matter (RFC 4519 compares them so).
//
// A salt that stands for itself ends before the text that follows, and may be of no characters.
// {salt:some} has one at least, {salt:mixed} one that is not a hexadecimal digit, and {salt:any}
// may hold the text that follows too.
type row struct {
	stored string
	method method
}

// A field is a part of a row: text, or what is between braces.
type field struct {
	text   string // if it is text
	label  string // of errors
	parts  []part
	coding coding
	width  int // in characters; 0: unknown
}

type part struct {
	name string
	size int // bytes; 0: the rest of the field
}

// A pattern is a row's stored, taken apart.
type pattern struct {
	fields []field
	shape  string // of errors: pbkdf2_sha256$ITERATIONS$SALT$SUM
	method method
}

// maxFields is how many fields a row has at most.
const maxFields = 24

// values are what the fields of a string hold.
type values struct {
	iterations, log2N, r, p uint32
	length                  uint32 // of the sum; 0: not said
	salt, sum               []byte
	separator, key          []byte // Firebase's
	hash                    string // what {hash} holds
	blank                   string // see password.Computed
}

var (
	errNumber = errors.New("no number, or one that its maker does not write: of 0, above 2^32, with a zero or a sign first")
	errText   = errors.New("not exact base64, or hexadecimal, as its maker writes")
	errSizes  = errors.New("too short or too long")
	errSalt   = errors.New("too long, or has characters that its maker does not write")
	errHash   = errors.New("want a hash there, which begins with $")
)

var labels = map[string]string{"salt": "SALT", "sum": "SUM", "hash": "HASH", "i": "ITERATIONS", "log2i": "LOG2-ITERATIONS",
	"n": "N", "ln": "LOG2-N", "r": "R", "p": "P", "nrp": "NRP", "len": "LENGTH", "l": "LENGTH", "sep": "SEPARATOR", "key": "KEY"}

var (
	fieldText = regexp.MustCompile(`\{([a-z0-9+]+)(?::([A-Za-z0-9]+))?\}`)
	partText  = regexp.MustCompile(`^(log2i|[a-z]+)([0-9]*)$`)
)

// compile takes a row's stored apart. A brace that begins none of the fields is text.
func (r row) compile() *pattern {
	p := &pattern{method: r.method}
	text := func(s string) {
		if s == "" {
			return
		}
		p.fields = append(p.fields, field{text: s})
		if len(s) > 15 { // errors repeat no more of a stored string
			s = s[:12] + "..."
		}
		p.shape += s
	}
	from := 0
	for _, at := range fieldText.FindAllStringSubmatchIndex(r.stored, -1) {
		f := field{coding: plain}
		for name := range strings.SplitSeq(r.stored[at[2]:at[3]], "+") {
			named := partText.FindStringSubmatch(name)
			if named == nil || labels[named[1]] == "" {
				f.parts = nil
				break
			}
			one := part{name: named[1]}
			one.size, _ = strconv.Atoi(named[2])
			if one.name == "sum" && one.size == 0 {
				one.size = r.method.size
			}
			f.parts = append(f.parts, one)
			f.label = strings.TrimPrefix(f.label+"+"+labels[one.name], "+")
		}
		if f.parts == nil {
			continue
		}
		if at[4] >= 0 {
			f.coding = codings[r.stored[at[4]:at[5]]]
		}
		f.width = f.coding.width(f.parts)
		text(r.stored[from:at[0]])
		p.fields = append(p.fields, f)
		p.shape += f.label
		from = at[1]
	}
	text(r.stored[from:])
	return p
}

// cut sets texts to those of the fields of s, or returns the number of the first that is not there.
// It goes from the left to a salt that may hold anything, and to that from the right.
func (p *pattern) cut(s string, texts []string) (missing int) {
	last := len(p.fields) - 1
	for i := range p.fields {
		if p.fields[i].coding.greedy {
			for ; last > i; last-- {
				at := p.lastIndex(s, last)
				if at < 0 {
					return last
				}
				texts[last], s = s[at:], s[:at]
			}
		}
		n := p.length(s, i, i == last)
		if n < 0 || n > len(s) || i == last && n != len(s) {
			return i
		}
		texts[i], s = s[:n], s[n:]
		if i == last {
			break
		}
	}
	return -1
}

// length returns how much of s is field i, or a number below 0.
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

// lastIndex returns where field i begins if s ends with it, or a number below 0.
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

// hasPrefix reports whether s begins with text, in which the case of a first name in braces does
// not matter.
func hasPrefix(s, text string, first bool) bool {
	if n := strings.IndexByte(text, '}') + 1; first && text[0] == '{' && len(s) >= n && strings.EqualFold(s[:n], text[:n]) {
		s, text = s[n:], text[n:]
	}
	return strings.HasPrefix(s, text)
}

// parse returns what s is, nothing if it is of another form, or what is wrong with it, and after
// how many of the fields.
func (p *pattern) parse(s string) (parsed password.Parsed, right int, err error) {
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
		return nil, missing, p.damage(missing)
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
			return nil, i, p.wrong(i, err)
		}
		if slices.ContainsFunc(f.parts, func(p part) bool { return p.name == "sum" }) {
			v.blank = f.zeroed(texts[i], v.sum) + strings.Join(texts[i+1:], "")
		}
	}
	parsed, err = p.method.parsed(&v)
	if err != nil {
		return nil, len(p.fields), fmt.Errorf("%s: %w", p.shape, err)
	}
	return parsed, len(p.fields), nil
}

// damage is the error of a string that ends, or goes on otherwise, at field i.
func (p *pattern) damage(i int) error {
	switch f := &p.fields[i]; {
	case f.text != "":
		return fmt.Errorf("want %s: no %q where it is due", p.shape, f.text)
	case f.width > 0:
		return p.wrong(i, fmt.Errorf("not of %d characters", f.width))
	}
	return fmt.Errorf("want %s: no %q where it is due", p.shape, p.fields[i+1].text)
}

// wrong is the error of field i, which is not as err says.
func (p *pattern) wrong(i int, err error) error {
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

// readParts takes b apart, of which one part at most has no size, but a byte or more.
func (v *values) readParts(parts []part, b []byte) error {
	left := len(b)
	for _, part := range parts {
		left -= part.size
	}
	if left < 0 || (left > 0) != slices.ContainsFunc(parts, func(p part) bool { return p.size == 0 }) {
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
