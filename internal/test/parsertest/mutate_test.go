// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package parsertest

import (
	"hash/crc32"
	"testing"
)

// A counter is a test that goes on where one would fail.
type counter struct {
	testing.TB
	errors int
}

func (c *counter) Errorf(string, ...any) { c.errors++ }
func (c *counter) Failed() bool          { return c.errors > 0 }

var sink []byte

// allocates is a parser that allocates 8 bytes for each of a string's, so that a long one makes many times what a short one may, and
// more for one string in so many.
func allocates(more, in uint32) Target {
	g := Target{
		Name: "allocates", Bytes: 512, Seeds: []string{"$1$salt$sum"},
		Check: func(testing.TB, string, any, error) bool { return true },
	}
	g.Parse = func(s string) (any, error) {
		sink = make([]byte, 8*len(s))
		if (crc32.ChecksumIEEE([]byte(s))+1)%in == 0 {
			sink = make([]byte, more)
		}
		return nil, nil
	}
	return g
}

// Strings that allocate too much are found though others may allocate more, and no others are.
func TestMutateFinds(t *testing.T) {
	for _, c := range []struct {
		target Target
		found  bool
	}{{allocates(0, 1), false}, {allocates(4096, 1), true}, {allocates(4096, 20), true}} {
		got := &counter{TB: t}
		line := c.target.mutate(got, 20_000)
		if found := got.errors > 0; found != c.found {
			t.Errorf("%d errors; want some: %v: %s", got.errors, c.found, line)
		}
	}
}

// What others allocate meanwhile is not a string's.
func TestMeasureAgain(t *testing.T) {
	for _, most := range []uint64{0, 1 << 20} {
		g, times := allocates(0, 1), 0
		g.Parse = func(string) (any, error) {
			if times++; times < 5 {
				sink = make([]byte, 1<<16)
			}
			return nil, nil
		}
		got := &counter{TB: t}
		r := &run{target: g, figures: figures{most: most}, t: got}
		if r.measure("$"); got.errors > 0 || times != 5 || r.most != most {
			t.Errorf("%d at most before: %d errors in %d times, %d after", most, got.errors, times, r.most)
		}
	}
}
