// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordhttp

// Headers in which proxies note addresses, read from their ends: only what stands there
// was written by somebody who is trusted, and what stands before it, balanced or not, must
// not change how the end is read.

import (
	"iter"
	"strings"
)

// listed yields the elements of a list with commas, the last first.
func listed(line string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			i := strings.LastIndexByte(line, ',')
			if !yield(strings.TrimSpace(line[i+1:])) || i < 0 {
				return
			}
			line = line[:i]
		}
	}
}

// forwarded yields the address of each element of a header Forwarded (RFC 7239), the
// last first, and "" for one that has none.
func forwarded(line string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			rest, element, more := cutLast(line, ',')
			if !yield(forOf(element)) || !more {
				return
			}
			line = rest
		}
	}
}

// forOf returns what an element says after for=.
func forOf(element string) string {
	for more := true; more; {
		var pair string
		element, pair, more = cutLast(element, ';')
		name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if !strings.EqualFold(name, "for") {
			continue
		}
		if n := len(value); n >= 2 && value[0] == '"' && value[n-1] == '"' {
			value = value[1 : n-1] // an address needs no escapes in it
		}
		return value
	}
	return ""
}

// cutLast cuts s at its last separator outside of quotes, as they pair from the end. A quote behind an odd number of
// backslashes is one that a proxy has quoted.
func cutLast(s string, separator byte) (before, after string, found bool) {
	quoted := false
	for i := len(s) - 1; i >= 0; i-- {
		switch {
		case s[i] == '"' && (i-len(strings.TrimRight(s[:i], `\`)))%2 == 0:
			quoted = !quoted
		case s[i] == separator && !quoted:
			return s[:i], s[i+1:], true
		}
	}
	return "", s, false
}
