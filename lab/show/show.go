// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package show lays figures out for a terminal: numbers, bars, tables, paragraphs, and a line of progress. It measures
// nothing and decides nothing, and it writes no colours or other escape codes.
package show

import (
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// A Style says what the reader's screen can show.
type Style struct {
	Width   int  // columns
	Unicode bool // block characters may be used; else ASCII
}

// Widths outside these are not used: narrower can't hold a table, wider is hard to read.
const (
	minWidth     = 40
	defaultWidth = 80
	maxWidth     = 100
)

// StyleOf finds the style for what is written to w. The width is the terminal's if w is one, else $COLUMNS, else 80.
// Unicode is used if the first that is set of LC_ALL, LC_CTYPE, and LANG names UTF-8, and on systems that have no other
// encoding.
func StyleOf(w any, goos string, getenv func(string) string) Style {
	return Style{Width: min(max(width(w, getenv), minWidth), maxWidth), Unicode: unicode(goos, getenv)}
}

func width(w any, getenv func(string) string) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	if columns, err := strconv.Atoi(getenv("COLUMNS")); err == nil && columns > 0 {
		return columns
	}
	return defaultWidth
}

func unicode(goos string, getenv func(string) string) bool {
	switch goos {
	case "windows", "plan9", "js":
		return true // Go converts for the Windows console; the others know nothing but UTF-8
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := getenv(name); locale != "" {
			locale = strings.ToLower(locale)
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return false
}

// columns is how many columns s takes: one a character, which holds for all that this package and its callers print.
func columns(s string) int { return utf8.RuneCountInString(s) }
