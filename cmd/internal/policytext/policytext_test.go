// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package policytext

import "testing"

// Every name stands for a policy, and what Of says, Parse takes.
func TestNames(t *testing.T) {
	for _, name := range Names {
		p, err := Parse(name)
		if err != nil || p.Algorithm.String() != name {
			t.Errorf("%s is of %v, %v", name, p.Algorithm, err)
		}
		if q, err := Parse(Of(p)); err != nil || q != p {
			t.Errorf("%s becomes %q, and that %+v, %v", name, Of(p), q, err)
		}
	}
	if p, err := Parse("plain"); err == nil {
		t.Errorf("plain is %+v", p)
	}
}
