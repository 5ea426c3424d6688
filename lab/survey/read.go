// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

// The lines of a file, and the rows of a CSV.

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// mostLine is the longest line, in bytes: a name, a hash of at most 320, and fields after it.
const mostLine = 4096

const byteOrderMark = "\ufeff"

// skipMark leaves a byte order mark out.
func skipMark(in *bufio.Reader) {
	if mark, _ := in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		in.Discard(len(byteOrderMark))
	}
}

// often is after how many lines progress is called.
const often = 4096

// ReadLines counts the lines of a store: a hash each, or a name, a colon and a hash, after which
// shadow's and passwd's fields may follow. Blank lines, those that begin with #, and names without
// a hash are left out. It calls progress each few thousand lines, with their number.
func (s *Survey) ReadLines(r io.Reader, progress func(lines int64)) error {
	in := bufio.NewReaderSize(r, 64<<10)
	skipMark(in)
	for {
		line, size, err := readLine(in)
		if size > 0 {
			s.line(line, size)
		}
		if s.report.Lines%often == 0 {
			progress(s.report.Lines)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readLine returns a line as far as the buffer holds it, and how many bytes it has.
func readLine(in *bufio.Reader) (line []byte, size int, err error) {
	line, err = in.ReadSlice('\n')
	size = len(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		var rest []byte
		rest, err = in.ReadSlice('\n')
		size += len(rest)
	}
	return line, size, err
}

// line counts the next line.
func (s *Survey) line(line []byte, size int) {
	s.report.Lines++
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	switch text := bytes.TrimSpace(line); {
	case size > mostLine:
		s.refuse(s.report.Lines, fmt.Sprintf("a line of more than %d bytes", mostLine))
	case len(text) == 0 || text[0] == '#':
		s.report.Blank++
	default:
		s.add(s.report.Lines, s.judgeLine(string(line)))
	}
}

// judgeLine finds the hash in a line. Werkzeug's and others have colons of their own, so a line is
// taken apart only where the whole is no hash.
func (s *Survey) judgeLine(line string) verdict {
	whole := s.judge(line)
	_, rest, more := strings.Cut(line, ":")
	if !more || !whole.unreadable() && !whole.locked {
		return whole
	}
	field, after, _ := strings.Cut(rest, ":")
	ofRest, ofField := s.judge(rest), s.judge(field)
	switch {
	case !ofRest.unreadable():
		return ofRest
	case !ofField.unreadable():
		return ofField
	case whole.locked:
		return whole
	case strings.Count(after, ":") >= leastFields-3:
		rest, ofRest = field, ofField
	}
	ofRest.none = strings.TrimSpace(rest) == ""
	return ofRest
}

// leastFields is how many passwd has, with a name and a hash; shadow has 9.
const leastFields = 7

// mostRow is the longest row of a CSV, in bytes: a quote may be open to the end of the file.
const mostRow = 1 << 20

// A bounded reader fails when more than mostRow bytes are read since the last row.
type bounded struct {
	io.Reader
	read, row int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.read-b.row > mostRow {
		return 0, fmt.Errorf("a row has more than %d bytes, or a quote that is not closed", mostRow)
	}
	n, err := b.Reader.Read(p)
	b.read += int64(n)
	return n, err
}

// ReadCSV counts a column of a CSV: that with this name in the first row, or, if it is a number,
// that column from 1, of a file without names. An empty field is blank.
func (s *Survey) ReadCSV(r io.Reader, column string, progress func(lines int64)) error {
	from := &bounded{Reader: r}
	buffered := bufio.NewReaderSize(from, 64<<10)
	skipMark(buffered)
	in := csv.NewReader(buffered)
	in.ReuseRecord, in.FieldsPerRecord = true, -1
	i, err := strconv.Atoi(column)
	i--
	if err != nil {
		head, err := in.Read()
		if err != nil {
			return rowError(err)
		}
		i = slices.Index(head, column)
	}
	if i < 0 {
		return fmt.Errorf("its first row has no column %q", column)
	}
	for {
		from.row = from.read
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return rowError(err)
		}
		s.report.Lines++
		n, _ := in.FieldPos(0)
		switch {
		case i >= len(row):
			s.refuse(int64(n), fmt.Sprintf("a row without column %d", i+1))
		case strings.TrimSpace(row[i]) == "":
			s.report.Blank++
		default:
			s.add(int64(n), s.judge(row[i]))
		}
		if s.report.Lines%often == 0 {
			progress(s.report.Lines)
		}
	}
}

// rowError is why a row can't be read, without the csv package's words for it.
func rowError(err error) error {
	if e, ok := errors.AsType[*csv.ParseError](err); ok {
		return fmt.Errorf("line %d is no row of a CSV: %w", e.Line, e.Err)
	}
	if errors.Is(err, io.EOF) {
		return errors.New("it is empty")
	}
	return err
}
