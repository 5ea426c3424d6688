// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the progress line.

package cli

import (
	"testing"
)

func TestShowsProgress(t *testing.T) {
	sized := func(n uint64, e encoding) *stream { return &stream{size: n, count: 1, encoding: e} }
	endless := &stream{size: defaultSize, count: 1, encoding: raw, forever: true}
	for _, test := range []struct {
		s           *stream
		output      string
		stderr, dst bool // are terminals
		want        bool
	}{
		{sized(progressFrom, raw), "", true, false, true},
		{sized(progressFrom, raw), "file", true, false, true},
		{sized(progressFrom-1, raw), "file", true, false, false},
		{sized(progressFrom, raw), "", false, false, false},
		{sized(progressFrom, hexLine), "", true, true, false},
		{&stream{size: 16, count: progressFrom / 33, encoding: hexLine}, "", true, false, false},
		{&stream{size: 16, count: progressFrom/33 + 1, encoding: hexLine}, "", true, false, true},
		{endless, "file", true, false, true},
		{endless, "", true, false, false},
		{endless, "-", true, false, false},
		{endless, "file", false, false, false},
	} {
		f := valueFlags{output: test.output}
		if got := f.showsProgress(test.s, test.stderr, test.dst); got != test.want {
			t.Errorf("%d bytes, -o %q, stderr terminal %v, destination terminal %v: %v, want %v",
				test.s.total(), test.output, test.stderr, test.dst, got, test.want)
		}
	}
}

// No progress is a progress.
func TestNilProgress(t *testing.T) {
	var p *progress
	if p.tick() != nil {
		t.Error("a nil progress ticks")
	}
	p.clear()
}
