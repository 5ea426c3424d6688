// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package numa

import (
	"errors"
	"fmt"
	"testing"
)

func TestPlaces(t *testing.T) {
	has := map[int][]int{0: {0, 4}, 1: nil, 2: {1, 2, 3}, 8: {8191}}
	of := func(node int) ([]int, error) { return has[node], nil }
	for allowed, want := range map[[5]int]string{
		{0, 1, 2, 3, 4}:     "[{0 [0 4]} {2 [1 2 3]}]",
		{1, 3, 3, 3, 8191}:  "[{2 [1 3]} {8 [8191]}]", // a node that may not be used is left out
		{77, 78, 79, 80, 0}: "[{0 [0]}]",              // and so is a CPU of no node
	} {
		got, err := places([]int{0, 1, 2, 8}, allowed[:], of)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("CPUs %v: %v, %v, want %s", allowed, got, err, want)
		}
	}
	lost := errors.New("lost")
	if got, err := places([]int{0}, []int{0}, func(int) ([]int, error) { return nil, lost }); !errors.Is(err, lost) || got != nil {
		t.Errorf("%v, %v, want the error", got, err)
	}
}

func TestPlacesOfOneNode(t *testing.T) {
	if got, err := oneNode("").Places([]int{3, 5}); err != nil || fmt.Sprint(got) != "[{0 [3 5]}]" {
		t.Errorf("one node: %v, %v", got, err)
	}
}
