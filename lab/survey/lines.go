// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

// The lines of a file.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// mostLine is the longest line that is looked at, in bytes: a name, a hash of at most 320, and fields after it.
const mostLine = 4096

var tooLong = fmt.Sprintf("a line of more than %d bytes", mostLine)

// ReadLines counts the lines of a store: a hash each, or a name, a colon and a hash, after which shadow's and passwd's
// fields may follow. Blank lines, those that begin with #, and names without a hash are left out. It calls progress, if
// there is one, each few thousand lines, with the number of lines and bytes read.
func (s *Survey) ReadLines(r io.Reader, progress func(lines, bytes int64)) error {
	in := bufio.NewReaderSize(r, 64<<10)
	if mark, _ := in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		in.Discard(len(byteOrderMark))
	}
	var n, read int64
	for {
		line, size, err := readLine(in)
		read += size
		if size > 0 {
			n++
			s.line(n, line, size)
			if n%4096 == 0 && progress != nil {
				progress(n, read)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

const byteOrderMark = "\ufeff"

// readLine returns a line, and how many bytes it has in the file. The line is short of what does not fit the buffer.
func readLine(in *bufio.Reader) (line []byte, size int64, err error) {
	line, err = in.ReadSlice('\n')
	size = int64(len(line))
	for errors.Is(err, bufio.ErrBufferFull) {
		var rest []byte
		rest, err = in.ReadSlice('\n')
		size += int64(len(rest))
	}
	return line, size, err
}

// line counts line n.
func (s *Survey) line(n int64, line []byte, size int64) {
	s.lines++
	if size > mostLine {
		s.refuse(n, tooLong)
		return
	}
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	if text := bytes.TrimSpace(line); len(text) == 0 || text[0] == '#' {
		s.blank++
		return
	}
	v := s.judgeLine(string(line))
	if v.none {
		s.blank++
		return
	}
	s.add(n, v)
}

// judgeLine finds the hash in a line. Werkzeug's and others have colons of their own, so a line is taken apart only where
// the whole is no hash.
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
