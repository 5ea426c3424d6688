// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The language that describes stored strings, in makers.go and to Digest. This file compiles a row
// to a pattern, sum.go compiles what a sum is of, and parse.go parses strings by patterns.

import (
	"slices"
	"strconv"
	"strings"
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
//	{sum}                what the method computes
//	{md5(...):hex}       a sum that the row describes: see newMethod
//
// A coding may follow a colon: see coding.go. Without one a salt is text, and a number is decimal.
// With one, {salt} in a sum has the bytes that it stands for. If its text was hashed instead, the
// coding is one of text, as crypt64, or a method encodes them again.
// A field of several parts, {salt16+sum32:base64}, has their sizes in bytes; a sum without a size
// has the method's. The case of a name in braces at the beginning of the string does not matter
// (RFC 4519).
//
// A salt that is text may be empty, and ends before the text that follows. {salt:some} is not
// empty, and {salt:any} may contain the text that follows.
type row struct {
	stored string
	method method // unless stored describes the sum
}

// A pattern is a compiled row.
type pattern struct {
	stored string // the row's, with {sum} instead of what describes a sum
	fields []field
	shape  string // of errors: pbkdf2_sha256$ITERATIONS$SALT$SUM
	method method
	shared bool // other programs write the same with other sums
}

// A field is a part of a row: text, or one pair of braces.
type field struct {
	text   string // if it is text
	source string // else, as pattern.stored has it
	label  string // of errors
	parts  []part
	coding coding
	width  int // in characters; 0: unknown
}

type part struct {
	name string
	size int // bytes; 0: the rest of the field
}

// fieldLabels has the names of all fields.
var fieldLabels = map[string]string{
	"salt": "SALT", "sum": "SUM", "hash": "HASH",
	"i": "ITERATIONS", "log2i": "LOG2-ITERATIONS",
	"n": "N", "ln": "LOG2-N", "r": "R", "p": "P", "nrp": "NRP",
	"len": "LENGTH", "l": "LENGTH",
	"sep": "SEPARATOR", "key": "KEY",
}

// compile returns the row's pattern. Errors contain nothing of what is digested.
func (r row) compile() (*pattern, error) {
	p := &pattern{method: r.method}
	text := ""

	for rest := r.stored; rest != ""; {
		before, _, hasBrace := strings.Cut(rest, "{")
		text += before
		rest = rest[len(before):]
		if !hasBrace {
			break
		}

		inside, after, closed := cutBraces(rest)
		f, err := p.parseField(inside, closed)
		switch {
		case err != nil:
			return nil, err
		case f == nil: // braces around anything but a field are text
			text += "{"
			rest = rest[1:]
		default:
			p.addText(text)
			p.addField(f)
			text = ""
			rest = after
		}
	}

	p.addText(text)
	return p, nil
}

// cutBraces returns what the first pair of braces in s has inside, which s begins with, and what
// comes after it. Braces inside are in pairs.
func cutBraces(s string) (inside, after string, closed bool) {
	depth := 0
	for i, c := range []byte(s) {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return s[1:i], s[i+1:], true
		}
	}
	return s[1:], "", false
}

// parseField parses what braces have inside: names with '+' between them, and a coding after a
// colon. The name of a described sum may have an argument in parentheses. It returns nil if that is
// no field.
func (p *pattern) parseField(inside string, closed bool) (*field, error) {
	names, code, hasCoding := cutLast(inside, ":")
	names, argument, hasArgument := cutArgument(names)
	list := strings.Split(names, "+")

	sum := slices.IndexFunc(list, isSumName)
	isSum := sum >= 0 && hasCoding
	switch {
	case looksLikeSum(inside) && !(isSum && hasArgument && closed):
		return nil, errNoSum
	case !closed:
		return nil, nil
	case isSum:
		if err := p.describeSum(list[sum], argument); err != nil {
			return nil, err
		}
		list[sum] = "sum"
	}

	parts, label := p.parseParts(list)
	if parts == nil {
		return nil, nil
	}
	f := &field{source: strings.Join(list, "+"), label: label, parts: parts, coding: plain}
	if hasCoding {
		var known bool
		f.coding, known = codings[code]
		if !known {
			return nil, errCoding
		}
		f.source += ":" + code
	}
	f.source = "{" + f.source + "}"
	f.width = f.coding.width(parts)
	return f, nil
}

// describeSum sets the method to that of a sum that the row describes.
func (p *pattern) describeSum(name, argument string) (err error) {
	if p.method.hashOf != nil { // by another sum
		return errNoSum
	}
	p.method, err = newMethod(name, argument)
	return err
}

// looksLikeSum reports whether braces with that inside can only be meant to describe a sum.
func looksLikeSum(inside string) bool {
	name, _, hasArgument := strings.Cut(inside, "(")
	return hasArgument && !strings.ContainsAny(name, "{}")
}

// cutArgument returns names without the parentheses, and what these have inside, with others in it.
func cutArgument(names string) (without, argument string, ok bool) {
	before, rest, begins := strings.Cut(names, "(")
	argument, after, ends := cutLast(rest, ")")
	if !begins || !ends {
		return names, "", false
	}
	return before + after, argument, true
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}

// parseParts parses the names of a field's parts, with sizes behind them. It returns nil if that is
// no field.
func (p *pattern) parseParts(names []string) (parts []part, label string) {
	for _, text := range names {
		name := strings.TrimRight(text, "0123456789")
		if fieldLabels[name] == "" {
			return nil, ""
		}

		size, _ := strconv.Atoi(text[len(name):])
		if name == "sum" && size == 0 {
			size = p.method.size
		}
		parts = append(parts, part{name, size})
		label += "+" + fieldLabels[name]
	}
	return parts, label[1:]
}

// addText adds text to the pattern.
func (p *pattern) addText(s string) {
	if s == "" {
		return
	}
	p.fields = append(p.fields, field{text: s})
	p.stored += s

	if len(s) > 15 { // errors repeat no more of a stored string
		s = s[:12] + "..."
	}
	p.shape += s
}

func (p *pattern) addField(f *field) {
	p.fields = append(p.fields, *f)
	p.stored += f.source
	p.shape += f.label
}
