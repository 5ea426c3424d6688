// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package config

// Values of settings: how each is typed, stands in TOML, and is shown.

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"fount/internal/policytext"
	"fount/password"
)

// A setting is one thing that can be set: a flag, a key of the file, a variable.
type setting struct {
	name  string
	arg   string // what a flag takes, in capitals
	help  string
	live  bool // a running server takes another value
	value value
}

// A value is where a setting goes.
type value interface {
	set(string) error // all of it, as a variable has it
	add(string) error // as a flag has it, which may come again
	take(any) error   // as TOML has it
	clear()           // before the first add
	literal() string  // as TOML
}

// A one is a value that is a word to users.
type one[T any] struct {
	to    *T
	parse func(string) (T, error)
}

func (v *one[T]) set(s string) error {
	parsed, err := v.parse(s)
	if err == nil {
		*v.to = parsed
	}
	return err
}

func (v *one[T]) add(s string) error { return v.set(s) }
func (v *one[T]) clear()             {}
func (v *one[T]) literal() string    { return literal(*v.to) }

func (v *one[T]) take(a any) error {
	switch a := a.(type) {
	case string:
		return v.set(a)
	case int64:
		return v.set(strconv.FormatInt(a, 10))
	}
	return fmt.Errorf("is a TOML value of another type; want for example %s", v.literal())
}

// A text is a string as it stands.
type text struct{ to *string }

func (v *text) set(s string) error { *v.to = s; return nil }
func (v *text) add(s string) error { return v.set(s) }
func (v *text) clear()             {}
func (v *text) literal() string    { return literal(*v.to) }

func (v *text) take(a any) error {
	s, ok := a.(string)
	if !ok {
		return errors.New("is a TOML value of another type; want a string")
	}
	return v.set(s)
}

// A truth is true or false.
type truth struct{ to *bool }

func (v *truth) set(s string) error {
	parsed, err := strconv.ParseBool(s)
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", s)
	}
	*v.to = parsed
	return nil
}

func (v *truth) add(s string) error { return v.set(s) }
func (v *truth) clear()             {}
func (v *truth) literal() string    { return strconv.FormatBool(*v.to) }

func (v *truth) take(a any) error {
	b, ok := a.(bool)
	if !ok {
		return errors.New("is a TOML value of another type; want true or false")
	}
	*v.to = b
	return nil
}

// A list is several words. A variable has them between spaces, because policies have commas.
type list[T any] struct {
	to    *[]T
	parse func(string) (T, error)
}

func (v *list[T]) clear() { *v.to = nil }

func (v *list[T]) add(s string) error {
	parsed, err := v.parse(s)
	if err == nil {
		*v.to = append(*v.to, parsed)
	}
	return err
}

func (v *list[T]) set(s string) error {
	v.clear()
	for word := range strings.FieldsSeq(s) {
		if err := v.add(word); err != nil {
			return err
		}
	}
	return nil
}

func (v *list[T]) take(a any) error {
	words, ok := a.([]any)
	if !ok {
		return errors.New("is a TOML value of another type; want an array of strings")
	}
	v.clear()
	for _, w := range words {
		word, ok := w.(string)
		if !ok {
			return errors.New("has an element of another type; want strings")
		}
		if err := v.add(word); err != nil {
			return err
		}
	}
	return nil
}

func (v *list[T]) literal() string {
	var words []string
	for _, one := range *v.to {
		words = append(words, literal(one))
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// literal is a value as TOML.
func literal(a any) string {
	switch a := a.(type) {
	case int:
		return strconv.Itoa(a)
	case int64:
		return strconv.FormatInt(a, 10)
	case string:
		return quoted(a)
	case time.Duration:
		return quoted(a.String())
	case password.Policy:
		return quoted(policytext.Of(a))
	case Pepper:
		return quoted(a.ID + "=" + a.File)
	}
	panic(fmt.Sprintf("config: no TOML for a %T", a))
}

// quoted is a basic string of TOML, which has the escapes of JSON.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func anyText(s string) (string, error) { return s, nil }

// count reads a whole number.
func count(least, most int) func(string) (int, error) {
	return func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("%q is not a number from %d to %d", s, least, most)
		}
		return n, nil
	}
}

// size reads a number of bytes, with at most one of K, M and G behind it.
func size(s string) (int64, error) {
	digits, unit := s, int64(1)
	if i := len(s) - 1; i > 0 {
		if shift := strings.IndexByte("KMG", s[i]&^0x20); shift >= 0 {
			digits, unit = s[:i], 1<<(10*(shift+1))
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("%q is not a number of bytes; want for example 512M or 2G", s)
	}
	return n * unit, nil
}

// duration reads a time with its unit.
func duration(least, most time.Duration) func(string) (time.Duration, error) {
	return func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil || d < least || d > most {
			return 0, fmt.Errorf("%q is not a duration from %v to %v; want for example 300ms", s, least, most)
		}
		return d, nil
	}
}
