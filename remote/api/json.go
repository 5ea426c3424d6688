// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package api

// JSON objects of scalar members. encoding/json would leave passwords in strings, which nobody can
// wipe.

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
type value json.RawMessage

// A member sets what it is the name of.
type member struct {
	name string
	set  func(value) error
}

// object reads the members of a JSON object. Others are errors if strict, and skipped if not.
func object(body []byte, strict bool, members []member, required ...string) error {
	var values map[string]json.RawMessage // copies, of which one is a password
	switch {
	case !utf8.Valid(body):
		return InvalidError{"", "is not UTF-8; send a password of other bytes as password_b64"}
	case json.Unmarshal(body, &values) != nil || values == nil:
		return InvalidError{"", "is not JSON; want one object"}
	}
	defer func() {
		for _, v := range values {
			clear(v)
		}
	}()
	for name := range values {
		if strict && !slices.ContainsFunc(members, func(m member) bool { return m.name == name }) {
			return InvalidError{fmt.Sprintf("%+.32q", name), "is not a member of this request"}
		}
	}
	for _, m := range members {
		v, ok := values[m.name]
		if !ok && slices.Contains(required, m.name) {
			return InvalidError{m.name, "is missing"}
		}
		if ok {
			if err := m.set(value(v)); err != nil {
				return InvalidError{m.name, err.Error()}
			}
		}
	}
	return nil
}

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
			return errors.New("is not true or false")
		}
		*to = v[0] == 't'
		return nil
	}
}

// integer takes every JSON number that is a whole one, as JSON Schema does: 5, 5.0 and 5e0.
func integer(v value, least, most int64) (int64, error) {
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil || n != math.Trunc(n) || n < float64(least) || n > float64(most) {
		return 0, fmt.Errorf("is not an integer from %d to %d", least, most)
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

// unquote decodes a string into bytes of their own, never nil. It wipes them if it fails.
func unquote(v value) ([]byte, error) {
	if v[0] != '"' {
		return nil, errors.New("is not a string")
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
