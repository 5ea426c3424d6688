// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// A class has one word, which Stats uses too.
func TestClassText(t *testing.T) {
	var stats map[string]any
	text, err := json.Marshal(Stats{})
	if err == nil {
		err = json.Unmarshal(text, &stats)
	}
	if err != nil {
		t.Fatal(err)
	}
	for c := range Class(len(rank)) {
		word, err := c.MarshalText()
		var back Class = -1
		if err != nil || string(word) != c.String() || back.UnmarshalText(word) != nil || back != c {
			t.Errorf("%v is written as %q, %v, and read as %v", c, word, err, back)
		}
		if _, ok := stats[c.String()]; !ok {
			t.Errorf("Stats has no %q", c)
		}
	}
	for _, c := range []Class{-1, Class(len(rank))} {
		if word, err := c.MarshalText(); err == nil {
			t.Errorf("%d is written as %q", int(c), word)
		}
	}
	for _, word := range []string{"", "change", "sign-in", "SIGN_IN", "unknown class"} {
		c := ClassRehash
		err := c.UnmarshalText([]byte(word))
		if err == nil || c != ClassRehash {
			t.Errorf("%q is read as %v", word, c)
			continue
		}
		if !slices.ContainsFunc(classNames[:], func(name string) bool { return strings.Contains(err.Error(), name) }) {
			t.Errorf("%q: %v; want the words that are right", word, err)
		}
	}
}
