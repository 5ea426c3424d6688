// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package hashfile reads files of stored password hashes: one hash in each line, lines as in
// htpasswd, shadow and passwd, or CSV. It finds the hash in each line, so that all else can be
// kept.
package hashfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"fount/password"
)

// MaxLine is the maximum length of a line, or of a row of a CSV, in bytes.
const MaxLine = 1 << 20

const byteOrderMark = "\ufeff"

// A Line is a line of a file, or a row of a CSV.
type Line struct {
	Number int64  // from 1; of a row, the number of its first line
	Hash   string // empty if there is none
	Locked bool   // a marker says that no password signs in; Hash is what follows it
	Err    error  // why the policy doesn't read Hash

	text     string   // the line, with its end
	from, to int      // where the hash is in text, with its marker or quotes
	mark     string   // the marker before the hash
	names    []string // the text before the colon, or the other columns
	comma    byte     // the separator of a CSV
}

// Text returns the line, with its end.
func (l *Line) Text() string { return l.text }

// With returns the line with hash instead of Hash. It keeps spaces and NULs after Hash, which pad a
// column.
func (l *Line) With(hash string) string {
	padding := l.Hash[len(strings.TrimRight(l.Hash, " \x00")):]
	if strings.HasSuffix(hash, padding) { // of a salt
		padding = ""
	}
	hash = l.mark + hash

	special := string(l.comma) + `"`
	if !l.Named() {
		special += "," // of a single column
	}

	isCSV := l.comma != 0
	switch {
	case isCSV && l.text[l.from] == '"':
		hash = quote(hash + padding)
		padding = ""
	case isCSV && strings.ContainsAny(hash, special):
		hash = quote(hash)
	}

	return l.text[:l.from] + hash + padding + l.text[l.to:]
}

func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// Named reports whether the line has the name of a user.
func (l *Line) Named() bool { return len(l.names) > 0 }

// Of reports whether the line has the hash of user. If the line has no name, user is its number.
func (l *Line) Of(user string) bool {
	return slices.Contains(l.names, user) || !l.Named() && user == strconv.FormatInt(l.Number, 10)
}

// A Reader reads the lines of a file. Only one goroutine may use it.
type Reader struct {
	in     *bufio.Reader
	policy password.Policy
	column string
	lines  int64

	// Set by the first row of a CSV.
	comma byte
	index int
}

// NewReader returns a Reader for hashes that policy reads. If column is not empty, the file is a
// CSV with commas, semicolons or tabs. column is then the name of the hashes' column in the first
// row or, if the file has no names, its number, from 1.
func NewReader(r io.Reader, policy password.Policy, column string) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, 64<<10), policy: policy, column: column}
}

// All iterates over the lines, up to the end or the first error.
func (r *Reader) All() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for {
			l, err := r.next()
			if errors.Is(err, io.EOF) || !yield(l, err) || err != nil {
				return
			}
		}
	}
}

// Find returns the line of user or, if user is empty, the first line that has a hash. It returns an
// error if there is none, or if user has two.
func (r *Reader) Find(user string) (found Line, err error) {
	for l, err := range r.All() {
		switch {
		case err != nil:
			return Line{}, err
		case user == "" && l.Hash != "":
			return l, l.Err
		case user == "" || !l.Of(user):
		case found.Number > 0:
			return Line{}, fmt.Errorf("lines %d and %d are both of the user %q; want one", found.Number, l.Number, user)
		default:
			found = l
		}
	}

	switch {
	case user == "":
		return found, fmt.Errorf("%w: there is none", password.ErrMalformed)
	case found.Number == 0:
		return found, fmt.Errorf("no line of the user %q; want NAME:HASH, or a CSV", user)
	case found.Hash == "":
		return found, fmt.Errorf("line %d, of the user %q, has no hash", found.Number, user)
	}
	return found, found.Err
}

// next returns the next line. The error is io.EOF at the end.
func (r *Reader) next() (Line, error) {
	l := Line{Number: r.lines + 1, comma: r.comma}
	var err error
	if l.text, err = r.read(); err != nil {
		return l, err
	}

	to := len(strings.TrimRight(l.text, "\r\n"))
	from := 0
	if l.Number == 1 && strings.HasPrefix(l.text, byteOrderMark) {
		from = len(byteOrderMark)
	}

	if r.column == "" {
		r.findInLine(&l, from, to)
		return l, nil
	}
	return l, r.findInRow(&l, from, to)
}

// read returns a line, or a row, with its end.
func (r *Reader) read() (string, error) {
	var text []byte
	quotes := 0
	for start := r.lines + 1; ; {
		part, err := r.in.ReadSlice('\n')
		text = append(text, part...)
		quotes += bytes.Count(part, []byte{'"'})
		open := r.column != "" && quotes%2 == 1

		switch {
		case len(text) > MaxLine && open:
			return "", fmt.Errorf("line %d has more than %d bytes, or a quote that is not closed", start, MaxLine)
		case len(text) > MaxLine:
			return "", fmt.Errorf("line %d has more than %d bytes", start, MaxLine)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(text) == 0):
			return "", err
		}

		r.lines++
		if !open || err != nil {
			return string(text), nil
		}
	}
}

// isMarker reports whether text, which is no hash, means that no password signs in.
func isMarker(text string) bool {
	return strings.IndexAny(text, "!*") == 0 && password.Policy{Markers: true}.Check(text) == nil
}

// set sets the line's hash to value, a part of it, and reports whether the policy reads it.
func (r *Reader) set(l *Line, from, to int, value string) bool {
	l.from = from
	l.to = to
	l.Hash = value
	l.mark = ""
	l.Locked = false
	l.Err = nil

	_, err := r.policy.Inspect(value)
	if err == nil {
		return true
	}

	if isMarker(value) {
		l.Locked = true
		hash := strings.TrimPrefix(strings.TrimPrefix(value, "*LOCKED*"), "*LK*") // FreeBSD, Solaris
		hash = strings.TrimLeft(hash, "!*")
		if _, err := r.policy.Inspect(hash); err == nil {
			l.Hash = hash
			l.mark = value[:len(value)-len(hash)]
			return true
		}
		l.Hash = ""
		return false
	}

	switch strings.TrimSpace(value) {
	case "", "NULL", `\N`:
		l.Hash = ""
	default:
		l.Err = err
	}
	return false
}

var errTwo = errors.New("two parts of the line can be read as its hash: give one hash a line, or a CSV")

// minFields is the number of fields in passwd; shadow has 9.
const minFields = 7

// maxHash is the maximum length of a part that is tried as a hash, in bytes.
const maxHash = 1024

// findInLine finds the hash in a line: the whole line, or the part between the first colon and a
// later one or the end. It tries each colon, as a hash may contain some.
func (r *Reader) findInLine(l *Line, from, to int) {
	whole := l.text[from:to]
	isHash := r.set(l, from, to, whole)
	if !isHash && strings.HasPrefix(strings.TrimSpace(whole), "#") {
		r.set(l, to, to, "")
		return
	}

	name, rest, isNamed := strings.Cut(whole, ":")
	isSalted := isDigest(name) // rest may be its salt
	if !isNamed || isHash && !isSalted {
		return
	}

	start := to - len(rest)
	part := *l
	part.names = []string{name}
	found := 0
	for end := start; end <= min(to, start+maxHash); end++ {
		isEnd := end == to || l.text[end] == ':'
		if !isEnd || !r.set(&part, start, end, l.text[start:end]) {
			continue
		}
		found++
		if found == 1 {
			*l = part
		}
	}

	switch found {
	case 0:
		hasNone := part.Err == nil // the user has no password
		if hasNone || !isHash && !isSalted {
			r.setFirst(&part, start, rest)
			*l = part
		}
	case 1:
	default:
		l.Err = errTwo
	}
}

// setFirst sets the line's hash to rest, which is not read, or to what it has before a colon if it
// is of passwd or shadow.
func (r *Reader) setFirst(l *Line, start int, rest string) {
	if strings.Count(rest, ":") >= minFields-2 {
		rest, _, _ = strings.Cut(rest, ":")
	}
	r.set(l, start, start+len(rest), rest)
}

// isDigest reports whether text is hexadecimal and as long as an MD5, SHA-1 or SHA-2.
func isDigest(text string) bool {
	return slices.Contains([]int{32, 40, 56, 64, 96, 128}, len(text)) && strings.Trim(text, "0123456789abcdefABCDEF") == ""
}

// findInRow finds the hash in a row of a CSV. The first row has names, unless the column is a
// number.
func (r *Reader) findInRow(l *Line, from, to int) error {
	if r.comma == 0 {
		if named, err := r.begin(l.text[from:to]); named || err != nil {
			return err
		}
		l.comma = r.comma
	}
	if from == to {
		return nil
	}

	fields, err := split(l.text[from:to], r.comma)
	if err != nil {
		return fmt.Errorf("line %d is no row of a CSV: %w", l.Number, err)
	}

	if r.index >= len(fields) {
		l.Hash = l.text[from:to]
		l.Err = fmt.Errorf("a row without column %d", r.index+1)
		return nil
	}

	for i, f := range fields {
		if i != r.index {
			l.names = append(l.names, f.value)
		}
	}

	f := fields[r.index]
	start := from + f.from
	isHash := r.set(l, start, from+f.to, f.value)

	trimmed := strings.TrimRight(f.value, " ")
	isPadded := trimmed != f.value && l.text[start] != '"'
	if !isHash && isPadded {
		r.set(l, start, start+len(trimmed), trimmed)
	}
	return nil
}

// begin sets the separator and the column from the first row, and reports whether that has names.
func (r *Reader) begin(row string) (named bool, err error) {
	number, notNumber := strconv.Atoi(r.column)
	named = notNumber != nil
	best := 0
	isRow := false

	for _, comma := range []byte("\t;,") {
		fields, wrong := split(row, comma)
		if wrong != nil {
			err = fmt.Errorf("line 1 is no row of a CSV: %w", wrong)
			continue
		}
		isRow = true

		i := number - 1
		if named {
			i = slices.IndexFunc(fields, func(f field) bool { return strings.TrimSpace(f.value) == r.column })
		}
		if i < 0 || i >= len(fields) {
			continue
		}

		rank := r.rank(fields[i].value)
		if rank > best {
			best = rank
			r.comma = comma
			r.index = i
		}
	}

	switch {
	case best > 0:
		return named, nil
	case isRow:
		return false, fmt.Errorf("its first row has no column %q", r.column)
	}
	return false, err
}

// rank returns 3 for a value that is a hash, 2 for one that says that there is none, else 1.
func (r *Reader) rank(value string) int {
	var l Line
	switch isHash := r.set(&l, 0, 0, strings.TrimSpace(value)); {
	case isHash:
		return 3
	case l.Err == nil:
		return 2
	}
	return 1
}

// A field is a part of a row.
type field struct {
	from, to int // in the row, with quotes and without leading spaces
	value    string
}

var errQuote = errors.New("a quote that does not begin or end a field")

// split returns the fields of row, which has no line's end.
func split(row string, comma byte) (fields []field, err error) {
	for at := 0; ; at++ {
		f, end, err := fieldAt(row, at, comma)
		if err != nil {
			return nil, err
		}

		fields = append(fields, f)
		if end == len(row) {
			return fields, nil
		}
		at = end
	}
}

// fieldAt returns the field of row at an index, and where it ends: at a comma, or with the row.
func fieldAt(row string, at int, comma byte) (f field, end int, err error) {
	f.from = skipSpaces(row, at)
	if !strings.HasPrefix(row[f.from:], `"`) {
		f.value, _, _ = strings.Cut(row[f.from:], string(comma))
		f.to = f.from + len(f.value)
		if strings.Contains(f.value, `"`) {
			return f, 0, errQuote
		}
		return f, f.to, nil
	}

	f.to, err = quotedEnd(row, f.from)
	if err != nil {
		return f, 0, err
	}
	f.value = strings.ReplaceAll(row[f.from+1:f.to-1], `""`, `"`)

	end = skipSpaces(row, f.to)
	if end < len(row) && row[end] != comma {
		return f, 0, errQuote
	}
	return f, end, nil
}

// skipSpaces returns the index of the first byte in row, from at on, that is no space.
func skipSpaces(row string, at int) int {
	return len(row) - len(strings.TrimLeft(row[at:], " "))
}

// quotedEnd returns where a field ends that begins with a quote at an index: behind the next quote
// that is not doubled.
func quotedEnd(row string, at int) (int, error) {
	for at++; ; at += 2 {
		i := strings.IndexByte(row[at:], '"')
		if i < 0 {
			return 0, errors.New("a quote that is not closed")
		}
		at += i
		if !strings.HasPrefix(row[at:], `""`) {
			return at + 1, nil
		}
	}
}
