// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test && amd64 && gc && !purego

package entropy

import (
	"bytes"
	"strings"
	"testing"

	"fount/internal/processor"
)

// What the kernel hides is not listed, not asked, and not mixed in.
func TestHiddenInstructionsAreNotUsed(t *testing.T) {
	bare := []string{"fpu", "cx8"}
	for name, c := range map[string]struct {
		flags          []string
		rdrand, rdseed bool
	}{
		"both":        {append(bare, "rdrand", "rdseed"), true, true},
		"no RDSEED":   {append(bare, "rdrand"), true, false},
		"no RDRAND":   {append(bare, "rdseed"), false, true},
		"neither":     {bare, false, false},
		"not told of": {nil, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(processor.Pretend(processor.View{RDRAND: true, RDSEED: true, Flags: c.flags}))
			for _, s := range List() {
				want, known := map[string]bool{"rdrand": c.rdrand, "rdseed": c.rdseed}[s.Name]
				if !known {
					continue
				}
				if s.Available != want || want == strings.Contains(s.Why, "the kernel hides it") {
					t.Errorf("%+v, want available: %v", s, want)
				}
				if want {
					continue // this processor may lack it
				}
				if n, err := Draw(s.Name, make([]byte, 8)); n != 0 || err == nil || !strings.Contains(err.Error(), "hides") {
					t.Errorf("%s gave %d bytes, %v", s.Name, n, err)
				}
			}
			if b := make([]byte, 16); !c.rdrand && (MixCPU(b) || !bytes.Equal(b, make([]byte, 16))) {
				t.Errorf("RDRAND was mixed in: %x", b)
			}
		})
	}
}
