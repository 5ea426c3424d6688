// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build amd64 && gc && !purego

package chacha

import "testing"

func TestSkylakeX(t *testing.T) {
	for _, c := range []struct {
		processor string
		signature uint32
		want      bool
	}{
		{"Skylake-SP", 0x00050654, true},
		{"Cascade Lake", 0x00050657, true},
		{"Cooper Lake", 0x0005065b, true},
		{"Skylake, desktop", 0x000506e3, false},
		{"Ice Lake-SP", 0x000606a6, false},
		{"Sapphire Rapids", 0x000806f8, false},
		{"Zen 4", 0x00a10f11, false},
		{"Zen 5", 0x00b00f21, false},
	} {
		if got := skylakeX(c.signature); got != c.want {
			t.Errorf("%s: %v, want %v", c.processor, got, c.want)
		}
	}
}
