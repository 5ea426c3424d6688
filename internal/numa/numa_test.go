// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package numa

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestParseList(t *testing.T) {
	for in, want := range map[string]string{
		"0-3\n":         "[0 1 2 3]",
		"0,8\n":         "[0 8]",
		"0-1,4,6-7":     "[0 1 4 6 7]",
		"":              "it is empty",
		"-1":            `"" is not a number`,
		"0,":            `"" is not a number`,
		"+1":            `"+1" is not a number`,
		"0-1024":        `"1024" is not a number from 0 to 1023`,
		"3-1":           `"3-1" does not follow in growing order`,
		"0-3,3":         `"3" does not follow in growing order`,
		"99999999999-1": "is not a number",
	} {
		list, err := ParseList(in)
		got := fmt.Sprint(list)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// What is accepted is a growing list, and comes back from its own numbers.
func FuzzParseList(f *testing.F) {
	for _, s := range []string{"0-3,8\n", "0", "1-1", "0,1,2", "0-1023", "4-2", ",", "1--2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		list, err := ParseList(s)
		if err != nil {
			return
		}
		if len(list) == 0 || !slices.IsSorted(list) || list[0] < 0 || list[len(list)-1] > maxNode {
			t.Fatalf("%q: %v", s, list)
		}
		again, err := ParseList(strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ","))
		if err != nil || !slices.Equal(again, list) {
			t.Fatalf("%q: %v, and from its own numbers %v, %v", s, list, again, err)
		}
	})
}

func TestCurrentIsANode(t *testing.T) {
	top := Detect()
	t.Logf("this machine: %s, nodes %v %s", top.Source, top.Nodes, top.Note)
	if len(top.Nodes) == 0 {
		t.Errorf("%s with %d nodes", top.Source, len(top.Nodes))
	}
	if got := top.Current(); got < 0 || got >= len(top.Nodes) {
		t.Errorf("index %d of %d nodes", got, len(top.Nodes))
	}
	if got := testing.AllocsPerRun(100, func() { top.Current() }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
