// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

import (
	"errors"
	"slices"
	"testing"
)

// A call that fills less is followed by another for the rest, and an error ends it.
func TestWholeAfterShortCalls(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		give []int // bytes by call; the one after the last fails
		want []int // bytes that were asked for
		err  error
	}{
		{[]int{1000}, []int{1000}, nil},
		{[]int{300, 0, 699, 1}, []int{1000, 700, 700, 1}, nil},
		{[]int{256}, []int{1000, 744}, broken},
	} {
		var asked []int
		b := make([]byte, 1000)
		err := whole(func(rest []byte) (int, error) {
			asked = append(asked, len(rest))
			if len(asked) > len(test.give) {
				return 0, broken
			}
			n := test.give[len(asked)-1]
			for i := range n {
				rest[i]++
			}
			return n, nil
		}, b)
		if err != test.err || !slices.Equal(asked, test.want) {
			t.Errorf("calls that give %v: asked for %v, %v; want %v, %v", test.give, asked, err, test.want, test.err)
		}
		if err == nil && slices.ContainsFunc(b, func(x byte) bool { return x != 1 }) {
			t.Errorf("calls that give %v fill some bytes twice or not at all", test.give)
		}
	}
	if err := RawGetrandom(make([]byte, 1<<20)); err != nil {
		t.Error(err)
	}
}
