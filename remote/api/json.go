// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package api

// JSON objects of scalar members. encoding/json would leave passwords in strings, which nobody can wipe, take a member that
// stands twice, and match names in any case.

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// An InvalidError is what is wrong with a message. Its text holds no value of a string.
type InvalidError struct {
	Field   string // the member; "" for the message as a whole
	Problem string // "is missing"
}

// Error names the member.
func (e InvalidError) Error() string {
	if e.Field == "" {
		return "the body " + e.Problem
	}
	return e.Field + " " + e.Problem
}

// A value is a JSON value as it stands in the message, known to be valid.
type value []byte

// A member sets what it is the name of.
type member struct {
	name string
	set  func(value) error
}

// object reads the members of the JSON object that body is. Others are errors if strict, and skipped if not.
func object(body []byte, strict bool, members []member, required ...string) error {
	switch {
	case !utf8.Valid(body):
		return InvalidError{"", "is not UTF-8; send a password of other bytes as password_b64"}
	case !json.Valid(body):
		return InvalidError{"", "is not JSON; want one object"}
	}
	s := scanner{rest: body}
	if s.space(); s.rest[0] != '{' {
		return InvalidError{"", "is not a JSON object"}
	}
	var seen []string
	for s.next() {
		name, v := s.member()
		i := slices.IndexFunc(members, func(m member) bool { return m.name == name })
		switch {
		case i < 0 && strict:
			return InvalidError{printable(name), "is not a member of this request"}
		case i < 0:
			continue
		case slices.Contains(seen, name):
			return InvalidError{name, "stands there twice"}
		}
		seen = append(seen, name)
		if err := members[i].set(v); err != nil {
			return InvalidError{name, err.Error()}
		}
	}
	for _, name := range required {
		if !slices.Contains(seen, name) {
			return InvalidError{name, "is missing"}
		}
	}
	return nil
}

// printable is a name that is not ours, for an error of one short line.
func printable(name string) string {
	if len(name) > 32 {
		return "a member with a name of " + strconv.Itoa(len(name)) + " bytes"
	}
	return strconv.QuoteToASCII(name)
}

// A scanner walks through JSON that is valid.
type scanner struct{ rest []byte }

func (s *scanner) space() {
	for len(s.rest) > 0 && (s.rest[0] == ' ' || s.rest[0] == '\t' || s.rest[0] == '\n' || s.rest[0] == '\r') {
		s.rest = s.rest[1:]
	}
}

// next goes on to the next member of an object, past '{' or ',', and reports whether there is one.
func (s *scanner) next() bool {
	s.space()
	if s.rest[0] == '}' {
		return false
	}
	s.rest = s.rest[1:]
	s.space()
	return s.rest[0] != '}' // of an empty object
}

// member takes a name, as encoding/json reads it, and its value.
func (s *scanner) member() (string, value) {
	var name string
	_ = json.Unmarshal(s.value(), &name) // half a surrogate pair becomes U+FFFD, which no name of ours has
	s.space()
	s.rest = s.rest[1:] // the colon
	s.space()
	return name, s.value()
}

// value takes a value, whatever it is.
func (s *scanner) value() value {
	depth, quoted := 0, false
	for i := 0; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
			if !quoted && depth == 0 {
				return s.take(i + 1)
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth > 0 && (c == '}' || c == ']'):
			if depth--; depth == 0 {
				return s.take(i + 1)
			}
		case depth == 0 && (c == ',' || c == '}' || c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			return s.take(i)
		}
	}
	return s.take(len(s.rest))
}

func (s *scanner) take(n int) value {
	v := s.rest[:n:n]
	s.rest = s.rest[n:]
	return v
}

// kind is what a value is, in words.
func (v value) kind() string {
	switch v[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

func wrong(v value, want string) error { return fmt.Errorf("is %s; want %s", v.kind(), want) }

func text(to *string) func(value) error {
	return func(v value) error {
		s, err := unquote(v)
		*to = string(s)
		return err
	}
}

func boolean(to *bool) func(value) error {
	return func(v value) error {
		if k := v[0]; k != 't' && k != 'f' {
			return wrong(v, "a boolean")
		}
		*to = v[0] == 't'
		return nil
	}
}

func number(to *int) func(value) error {
	return func(v value) error {
		n, err := integer(v, 0, math.MaxInt32)
		*to = int(n)
		return err
	}
}

// integer takes every JSON number that is a whole one, as JSON Schema does: 5, 5.0 and 5e0.
func integer(v value, least, most int64) (int64, error) {
	if v.kind() != "a number" {
		return 0, wrong(v, "an integer")
	}
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil || n != math.Trunc(n) || n < float64(least) || n > float64(most) {
		return 0, fmt.Errorf("is out of range; want an integer from %d to %d", least, most)
	}
	return int64(n), nil
}

// unbase64 decodes a string of base64, with padding and without line breaks.
func unbase64(v value) ([]byte, error) {
	s, err := unquote(v)
	if err != nil {
		return nil, err
	}
	defer clear(s)
	decoded := make([]byte, base64.StdEncoding.DecodedLen(len(s)))
	n, err := base64.StdEncoding.Strict().Decode(decoded, s)
	if err != nil || slices.ContainsFunc(s, func(c byte) bool { return c == '\n' || c == '\r' }) {
		clear(decoded)
		return nil, errors.New("is not base64; want RFC 4648's standard alphabet, padded")
	}
	return decoded[:n], nil
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unquote decodes a string into bytes that nothing else holds. They are never nil, and wiped if it fails.
func unquote(v value) ([]byte, error) {
	if v[0] != '"' {
		return nil, wrong(v, "a string")
	}
	decoded := make([]byte, 0, len(v)) // no escape is shorter than what it stands for
	for v = v[1 : len(v)-1]; len(v) > 0; {
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
				low := rune(0)
				if len(v) >= 6 && v[0] == '\\' && v[1] == 'u' {
					low = escaped(v)
				}
				if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
					clear(decoded)
					return nil, errors.New("has half of a surrogate pair; want Unicode")
				}
				v = v[6:]
			}
			decoded = utf8.AppendRune(decoded, r)
		}
	}
	return decoded, nil
}

// escaped reads \uXXXX.
func escaped(v value) rune {
	n, _ := strconv.ParseUint(string(v[2:6]), 16, 16) // valid
	return rune(n)
}
