// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package api

// A decoder of JSON objects of scalar members. encoding/json would copy passwords into strings,
// which can't be wiped.

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"fount/internal/erase"
)

// An InvalidError says what is wrong with a message. Its text repeats no string from a value.
type InvalidError struct {
	Field   string // the member, or "" for the whole message
	Problem string // "is missing"
}

// Error returns the member and its problem.
func (e InvalidError) Error() string {
	return cmp.Or(e.Field, "the body") + " " + e.Problem
}

// A value is the text of a valid JSON value.
type value []byte

// A member names a member of an object, and how to decode it.
type member struct {
	name string
	set  func(value) error
}

// object decodes the members of a JSON object. It rejects other members if strict, or skips them.
func object(body []byte, strict bool, members []member, required ...string) error {
	switch {
	case !utf8.Valid(body):
		return InvalidError{"", "is not UTF-8; send a password that is not as password_b64"}
	case !json.Valid(body) || bytes.TrimLeft(body, whitespace)[0] != '{':
		return InvalidError{"", "is not JSON; want one object"}
	}

	values := map[string]value{}
	for name, v := range split(body) {
		known := slices.ContainsFunc(members, func(m member) bool { return m.name == name })
		switch _, twice := values[name]; {
		case strict && !known:
			return InvalidError{fmt.Sprintf("%+.32q", name), "is not a member of this request; want " + names(members)}
		case twice && known:
			return InvalidError{name, "is given twice; want it once"}
		}
		values[name] = v
	}

	for _, m := range members {
		v, ok := values[m.name]
		if !ok && slices.Contains(required, m.name) {
			return InvalidError{m.name, "is missing"}
		}
		if ok {
			if err := m.set(v); err != nil {
				return InvalidError{m.name, err.Error()}
			}
		}
	}
	return nil
}

func names(members []member) string {
	var all []string
	for _, m := range members {
		all = append(all, m.name)
	}
	return strings.Join(all, ", ")
}

const whitespace = " \t\r\n"

// split yields the members of a valid JSON object in order.
func split(body []byte) iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		object := bytes.Trim(body, whitespace)
		rest := bytes.Trim(object[1:len(object)-1], whitespace)
		for len(rest) > 0 {
			var name, v value
			name, rest = cut(rest, ':')
			v, rest = cut(rest, ',')

			decoded, _ := unquote(name) // with half of a surrogate pair: no known name
			if !yield(string(decoded), v) {
				return
			}
		}
	}
}

// cut returns the value before the first separator that is in no string, object or array, and what
// stands behind it.
func cut(text []byte, separator byte) (v value, behind []byte) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case separator:
			if depth == 0 {
				return bytes.TrimRight(text[:i], whitespace), bytes.TrimLeft(text[i+1:], whitespace)
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return text, nil
}

// text decodes a string of at most maxLen bytes.
func text(to *string, maxLen int) func(value) error {
	return func(v value) error {
		s, err := unquote(v)
		*to = string(s)
		if len(s) > maxLen {
			return fmt.Errorf("has %d bytes; want at most %d", len(s), maxLen)
		}
		return err
	}
}

func boolean(to *bool) func(value) error {
	return func(v value) error {
		*to = v[0] == 't'
		if !*to && v[0] != 'f' {
			return errors.New("is not true or false")
		}
		return nil
	}
}

// unbase64 decodes a string of base64, with padding and without line breaks.
func unbase64(v value) ([]byte, error) {
	s, err := unquote(v)
	if err != nil {
		return nil, err
	}
	defer erase.Wipe(s)

	decoded := make([]byte, base64.StdEncoding.DecodedLen(len(s)))
	n, err := base64.StdEncoding.Strict().Decode(decoded, s)
	hasBreak := bytes.ContainsAny(s, "\r\n")
	if err != nil || hasBreak {
		erase.Wipe(decoded)
		return nil, errors.New("is not base64; want RFC 4648's standard alphabet, padded")
	}
	return decoded[:n], nil
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unquote decodes a string into new bytes, never nil. It wipes them if it fails.
func unquote(v value) ([]byte, error) {
	if v[0] != '"' {
		return nil, errors.New("is not a string")
	}

	decoded := make([]byte, 0, len(v)) // no escape is shorter than its character
	v = v[1 : len(v)-1]

	for len(v) > 0 {
		switch {
		case v[0] != '\\':
			decoded = append(decoded, v[0])
			v = v[1:]
		case v[1] != 'u':
			decoded = append(decoded, escapes[v[1]])
			v = v[2:]
		default:
			r := escaped(v)
			v = v[6:]
			if utf16.IsSurrogate(r) {
				r = utf16.DecodeRune(r, escaped(v))
				if r == utf8.RuneError {
					erase.Wipe(decoded)
					return nil, errors.New("has half of a surrogate pair; want Unicode")
				}
				v = v[6:]
			}
			decoded = utf8.AppendRune(decoded, r)
		}
	}
	return decoded, nil
}

// escaped decodes \uXXXX at the beginning of a string, or returns 0.
func escaped(v value) rune {
	if !bytes.HasPrefix(v, []byte(`\u`)) {
		return 0
	}
	n, _ := strconv.ParseUint(string(v[2:6]), 16, 16) // valid
	return rune(n)
}
