// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"bytes"
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
	length := 20
	for _, f := range p.fields {
		for _, part := range f.parts {
			if part.name == "sum" && part.size > 0 {
				length = part.size
			}
		}
	}
	for _, f := range p.fields {
		if f.text != "" {
			s += f.text
			continue
		}
		var b []byte
		for _, part := range f.parts {
			n, fill := part.size, byte(0xfb) // which is + or . in base64
			if f.coding.loose || f.coding.name == "crypt64" {
				fill = 's'
			}
			if n == 0 && part.name == "salt" {
				n = 8
			} else if n == 0 {
				n = 20
			}
			switch part.name {
			case "hash":
				return ""
			case "i", "log2i", "n", "ln", "r", "p", "l", "len", "nrp":
				if part.name == "len" {
					s += strconv.Itoa(length)
				} else if part.size == 0 {
					s += numbers[part.name+strings.TrimPrefix(f.coding.name, "plain")]
				}
				b = append(b, bytes.Repeat([]byte{1}, part.size)...)
				continue
			}
			b = append(b, bytes.Repeat([]byte{fill}, n)...)
		}
		if len(b) > 0 {
			s += f.coding.encode(b)
		}
	}
	return s
}

// No two makers read one string, but what is known to be written alike: else each of its hashes
// would take two, and none could be wrapped. Nor does one row of a maker hide another.
func TestRowsApart(t *testing.T) {
	shared := [][]string{{"django", "werkzeug", "web2py"}, {"django-salted", "werkzeug", "web2py"},
		{"pbkdf2", "mosquitto-auth-plug"}, {"joomla", "magento1", "mybb", "vbulletin"}}
	seen := 0
	for _, f := range compiled() {
		for _, p := range f.patterns {
			s := p.sample()
			if _, _, err := p.parse(s); s == "" || errors.Is(err, errSun) { // it is there for its error
				continue
			}
			seen++
			var readers []string
			for _, other := range whole() {
				if parsed, err := other.Parse(s); err == nil && parsed != nil {
					readers = append(readers, other.Name())
				}
			}
			alike := slices.ContainsFunc(shared, func(names []string) bool { return slices.Equal(names, readers) })
			if !slices.Equal(readers, []string{f.name}) && !alike || alike && !p.method.shared {
				t.Errorf("%s is of %s, and is read by %s", s, f.name, readers)
			}
			first := slices.IndexFunc(f.patterns, func(q *pattern) bool {
				parsed, _, err := q.parse(s)
				return parsed != nil && err == nil
			})
			if first < 0 || f.patterns[first] != p {
				t.Errorf("%s of %s is read by row %d before", s, f.name, first)
			}
			without := anyPolicy()
			without.Formats = nil
			if without.Check(s) == nil {
				t.Errorf("%s of %s is read by package password", s, f.name)
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d rows", seen)
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
