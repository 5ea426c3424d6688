// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Asking the sources.

package entropy

import (
	"errors"
	"strconv"
	"strings"

	"fount/internal/erase"
)

// Gather asks every healthy source once and hands each answer to sink, with the
// source's name and the bits of entropy that count for it: 8 a byte for the kernel,
// which answers only when it is seeded, and 0 for every other source. Gather skips a
// source that is absent, cut off, has nothing to give now, or is being asked by another
// goroutine.
//
// b has 1 to 64 bytes, and 32 from the kernel; it is valid until sink returns, and then
// wiped. The order is that of [List]. Gather takes about a millisecond, nearly all of
// it for the jitter source. It may be called from any goroutine; sink runs on the
// caller's goroutine, with no lock held.
func Gather(sink func(name string, b []byte, creditBits int)) { gather(sources[:], sink) }

func gather(from []*source, sink func(string, []byte, int)) {
	buf := make([]byte, maxLength)
	defer erase.Wipe(buf)
	for _, s := range from {
		n, err := s.askFree(buf[:s.length])
		if err != nil || n == 0 {
			continue // named in List
		}
		sink(s.name, buf[:n], n*s.credit)
		erase.Wipe(buf)
	}
}

// Draw fills the front of b from the named source alone and returns the number of
// bytes: fewer than len(b) if the source has no more for the moment. It is for measuring
// and inspecting a source; keys come from package fount. The error says that there is no
// such source here, that it was cut off, or that it only passes on what it was given.
// Draw may be called from any goroutine.
func Draw(name string, b []byte) (int, error) {
	var asked []string
	for _, s := range sources {
		switch {
		case s.name == name && s.passive:
			return 0, errors.New(name + " gives nothing on demand: it passes on what it was given")
		case s.name == name:
			return s.ask(b)
		case !s.passive:
			asked = append(asked, s.name)
		}
	}
	return 0, errors.New("unknown source " + strconv.Quote(name) + "; use one of " + strings.Join(asked, ", "))
}
