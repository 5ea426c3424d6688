// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !fount_test

package fount_test

import (
	"fmt"
	"testing"

	"fount/internal/test/mutant"
)

// The tests with the tag fount_test need a library that lets them move the counter that clones
// change, take the kernel away, and look into a draw. It is put over the sources here, so no user's
// has it.
var seams = []mutant.Change{
	{File: "internal/kernel/seam.go", Text: "testdata/seams/kernel.go"},
	{File: "internal/kernel/kernel.go", Old: "err := read(b)", Text: "err := routed(b)"},
	{File: "internal/clone/seam.go", Text: "testdata/seams/clone.go"},
	{File: "internal/shard/seam.go", Text: "testdata/seams/shard.go"},
	{File: "internal/shard/generation.go", Old: "uint64 { return epoch.Load() + cloneCounter() }", Text: "uint64 { look(); return epoch.Load() + clone.Load() }"},
	{File: "internal/shard/generation.go", Old: "cloneCounter() uint64 { return", Text: "cloneCounter() uint64 { look(); return"},
	{File: "internal/shard/refill.go", Old: "\tkernel.MixTime(b)\n", Text: "\tif kernelAlone {\n\t\treturn\n\t}\n\tkernel.MixTime(b)\n"},
}

var withSeams = []string{"fount_test"}

func TestWithSeams(t *testing.T) {
	for _, dir := range []string{".", "internal/shard"} {
		for _, tags := range [][]string{withSeams, {"fount_test", "purego"}} {
			t.Run(fmt.Sprint(dir, tags), func(t *testing.T) {
				if out, err := mutant.Run(t, dir, "", tags, seams...); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}

// The clone search finds a draw that does not look again after it has copied, one that keeps what
// was there from before, and one whose key comes before its clone was seen.
func TestControlLookRemoved(t *testing.T) {
	for name, c := range map[string]mutant.Change{
		"fixed size":   {File: "internal/shard/draw.go", Old: "*src = [16]byte{}\n\t\tif s.generation == generation() {", Text: "*src = [16]byte{}\n\t\tif s.generation != 0 {"},
		"any size":     {File: "internal/shard/draw.go", Old: "release(t)\n\tif n < len(b) || generation() != gen {", Text: "release(t)\n\tif n < len(b) {"},
		"parts":        {File: "internal/shard/draw.go", Old: "if n > 0 && partGen != gen {", Text: "if false {"},
		"bulk":         {File: "internal/shard/draw.go", Old: "if generation() != gen {\n\t\t\tdiscard(b[:n])", Text: "if generation()+gen == 0 {\n\t\t\tdiscard(b[:n])"},
		"several":      {File: "internal/shard/generation.go", Old: "if gen == w.gen {", Text: "if true {"},
		"seed's order": {File: "internal/shard/refill.go", Old: "\td.size, d.now = fullRefill, clock()\n\td.fill(d.bytes[:], true)\n", Text: "\td.size, d.now = fullRefill, clock()\n\td.fill(d.bytes[:], true)\n\td.gen = generation()\n"},
	} {
		t.Run(name, func(t *testing.T) {
			mutant.RunFails(t, "TestCloneSearch", withSeams, append(seams[:len(seams):len(seams)], c)...)
		})
	}
}
