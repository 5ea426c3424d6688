// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

import (
	"encoding/json"
	"strings"
	"testing"
)

// What JSON leaves as it is, and a terminal obeys, is escaped, and comes back as it was.
func TestJSONOnTerminal(t *testing.T) {
	object, err := with(nil, over(hostile)).JSON()
	if err != nil || strings.ContainsAny(object, "\u009b\u202e\x1b\a") {
		t.Fatalf("%q, %v", object, err)
	}
	var f Frame
	if err := json.Unmarshal([]byte(object), &f); err != nil || f.Pools[0].Name != strings.ToValidUTF8(hostile, "\ufffd") {
		t.Errorf("%q, %v", f.Pools[0].Name, err)
	}
}
