// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !fount_test

package fount_test

import (
	"fmt"
	"testing"

	"fount/internal/test/mutant"
)

// The tests with the tag fount_test need a library in which they can move the counter that clones
// change, take the kernel away, and act before each load of the generation. These changes of its
// sources add that, so no user's library has it.
var seams = []mutant.Change{
	{File: "internal/kernel/seam.go", Text: "testdata/seams/kernel.go"},
	{File: "internal/clone/seam.go", Text: "testdata/seams/clone.go"},
	{File: "internal/shard/seam.go", Text: "testdata/seams/shard.go"},
	{
		File: "internal/kernel/kernel.go",
		Old:  "err := read(b)",
		Text: "err := routed(b)",
	},
	{
		File: "internal/shard/generation.go",
		Old:  "{ return epoch.Load() + cloneCounter() }",
		Text: "{ loading(); return epoch.Load() + clone.Load() }",
	},
	{
		File: "internal/shard/generation.go",
		Old:  "{ return clone.Load() }",
		Text: "{ loading(); return clone.Load() }",
	},
	{
		File: "internal/shard/refill.go",
		Old:  "\tkernel.MixTime(b)\n",
		Text: "\tif kernelAlone {\n\t\treturn\n\t}\n\tkernel.MixTime(b)\n",
	},
}

const withSeams = "fount_test"

func TestWithSeams(t *testing.T) {
	for _, dir := range []string{".", "internal/shard"} {
		for _, tags := range [][]string{{withSeams}, {withSeams, "purego"}} {
			t.Run(fmt.Sprint(dir, tags), func(t *testing.T) {
				if out, err := mutant.Run(t, dir, "", tags, seams...); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}

// The clone search (clone_search_test.go) finds each of these defects of a draw.
func TestControlsOfCloneSearch(t *testing.T) {
	for name, defect := range map[string]mutant.Change{
		"a fixed size compares before it copies": {
			File: "internal/shard/draw.go",
			Old: `		src := claim[[16]byte](s)
		*dst = *src
		*src = [16]byte{}
		if s.generation == generation() {
`,
			Text: `		src := claim[[16]byte](s)
		current := s.generation == generation()
		*dst = *src
		*src = [16]byte{}
		if current {
`,
		},
		"a read does not compare after its only part": {
			File: "internal/shard/draw.go",
			Old:  "release(t)\n\tif n < len(b) || generation() != gen {",
			Text: "release(t)\n\tif n < len(b) {",
		},
		"a read keeps parts of another generation": {
			File: "internal/shard/draw.go",
			Old:  "if n > 0 && partGen != gen {",
			Text: "if false {",
		},
		"a chunk is not compared": {
			File: "internal/shard/draw.go",
			Old:  "if generation() == gen {\n\t\t\treturn\n",
			Text: "if generation() >= gen {\n\t\t\treturn\n",
		},
		"a value of several draws is not watched": {
			File: "internal/shard/generation.go",
			Old:  "if gen == w.gen {",
			Text: "if true {",
		},
		"a seed is drawn before its generation is loaded": {
			File: "internal/shard/refill.go",
			Old:  "\td.fill()\n",
			Text: "\td.fill()\n\td.gen = generation()\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			mutant.RunFails(t, "TestCloneSearch", []string{withSeams}, append(seams[:len(seams):len(seams)], defect)...)
		})
	}
}
