// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// numbers are those of samples.
var numbers = map[string]string{"i": "1000", "log2i": "06", "n": "1024", "ln": "10", "r": "8", "p": "1", "l": "17", "nrphex": "a0801",
	"ihex": "3e8", "nhex": "400", "rhex": "8", "phex": "1"}

// sample returns a string of a row, or nothing for those whose method reads further.
func (p *pattern) sample() (s string) {
	sum := part{size: 20}
	for _, f := range p.fields {
		for _, part := range f.parts {
			if part.name == "hash" {
				return ""
			}
			if part.name == "sum" && part.size > 0 {
				sum = part
			}
		}
	}

	for _, f := range p.fields {
		s += f.sample(sum.size)
	}
	return s
}

// sample returns a text of the field, in a string with a sum of so many bytes.
func (f field) sample(sumSize int) string {
	if f.text != "" {
		return f.text
	}
	first := f.parts[0].name
	number := numbers[first+strings.TrimPrefix(f.coding.name, "plain")]
	switch {
	case first == "len":
		return strconv.Itoa(sumSize)
	case number != "" && len(f.parts) == 1:
		return number
	}

	fill := "\xfb" // + or . in base64
	if f.coding.loose || f.coding.name == "crypt64" {
		fill = "s"
	}
	b := ""
	for _, part := range f.parts {
		size := part.size
		switch {
		case size == 0 && part.name == "salt":
			size = 8
		case size == 0:
			size = 20
		}
		b += strings.Repeat(fill, size)
	}
	return f.coding.encode([]byte(b))
}

// No two makers read one string, but what is known to be written alike: else each of its hashes
// would take two, and none could be wrapped. Nor does one row of a maker hide another.
func TestRowsApart(t *testing.T) {
	seen := 0
	for _, f := range compiled() {
		for _, p := range f.patterns {
			// A row of Sun's $md5$ reads nothing: it gives those strings an error of their own.
			s := p.sample()
			if _, _, err := p.parse(s); s == "" || errors.Is(err, errSun) {
				continue
			}

			seen++
			t.Run(f.name+": "+p.stored, func(t *testing.T) { p.checkApart(t, f, s) })
		}
	}
	if seen < 100 {
		t.Errorf("%d rows", seen)
	}
}

// sharing has the forms that read shared rows.
var sharing = [][]string{
	{"django", "werkzeug", "web2py"},
	{"django-salted", "werkzeug", "web2py"},
	{"pbkdf2", "mosquitto-auth-plug"},
	{"joomla", "magento1", "mybb", "vbulletin"},
}

// checkApart checks that s, a string of a row of f, is read by nothing else.
func (p *pattern) checkApart(t *testing.T, f *form, s string) {
	var readers []string
	for _, other := range whole() {
		if parsed, err := other.Parse(s); err == nil && parsed != nil {
			readers = append(readers, other.Name())
		}
	}
	isShared := slices.ContainsFunc(sharing, func(names []string) bool { return slices.Equal(names, readers) })
	if isShared && !p.shared || !isShared && !slices.Equal(readers, []string{f.name}) {
		t.Errorf("%s is read by %s", s, readers)
	}

	first := slices.IndexFunc(f.patterns, func(q *pattern) bool {
		parsed, _, err := q.parse(s)
		return parsed != nil && err == nil
	})
	if first < 0 || f.patterns[first] != p {
		t.Errorf("%s is read by row %d before", s, first)
	}

	without := anyPolicy()
	without.Formats = nil
	if without.Check(s) == nil {
		t.Errorf("%s is read by package password", s)
	}
}

// A form can be had by its name.
func TestForm(t *testing.T) {
	for _, f := range whole() {
		if got, err := Form(f.Name()); err != nil || got.Name() != f.Name() {
			t.Error(f.Name(), err)
		}
	}
	if _, err := Form("nobody"); err == nil || !strings.Contains(err.Error(), fmt.Sprint(Names())) {
		t.Error(err)
	}
}
