// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package parsertest is the fuzz target of parsers: what they allocate is bounded, and their errors
// repeat nothing. It is not for programs.
package parsertest

import (
	"math"
	"runtime"
	"strings"
	"testing"
)

// A Target is a parser.
type Target struct {
	Name  string
	Seeds []string // that it reads, or nearly

	// Bytes is how many bytes Parse may allocate, beside 16 for each byte of the string.
	Bytes uint64

	Says  bool   // an error may hold what was read
	Known string // what errors say of a form, whatever was read

	// Parse is what is measured: it reads s and does nothing else.
	Parse func(s string) (parsed any, err error)

	// Check checks what Parse returned for s, and reports whether s was accepted.
	Check func(t testing.TB, s string, parsed any, err error) bool

	// Compute does what was accepted, and checks what that takes. Nil: nothing.
	Compute func(t testing.TB, s string)
}

// Fuzz is the target's fuzz target.
func (g Target) Fuzz(f *testing.F) {
	for _, s := range g.Seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { g.Try(t, s) })
}

// Try parses one string, and computes what is accepted.
func (g Target) Try(t testing.TB, s string) {
	var parsed any
	var err error
	limit := g.Bytes + 16*uint64(len(s))
	if bytes := Allocated(limit, func() { parsed, err = g.Parse(s) }); bytes > limit {
		t.Errorf("%s: %.400q makes it allocate %d bytes; want at most %d", g.Name, s, bytes, limit)
	}
	if err != nil && !g.Says && Tells(err.Error(), s, g.Known) {
		t.Errorf("%s: %q: the error holds it: %v", g.Name, s, err)
	}
	if g.Check(t, s, parsed, err) && g.Compute != nil {
		g.Compute(t, s)
	}
}

// Allocated returns how many bytes f allocates, as the runtime counts them, for all goroutines.
// Where that is more than enough it tries again, up to 40 times, and takes the least: others
// allocate meanwhile, and under the race detector a sync.Pool drops each fourth of its values.
func Allocated(enough uint64, f func()) uint64 {
	least := uint64(math.MaxUint64)
	for i := 0; i < 40 && least > enough; i++ {
		before := total()
		f()
		least = min(least, total()-before)
	}
	return least
}

func total() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// Tells reports whether an error's text holds 16 bytes of s on end, which is more than a form's
// name, and which known does not hold.
func Tells(text, s, known string) bool {
	for i := 0; i+16 <= len(text); i++ {
		if part := text[i : i+16]; strings.Contains(s, part) && !strings.Contains(known, part) {
			return true
		}
	}
	return false
}
