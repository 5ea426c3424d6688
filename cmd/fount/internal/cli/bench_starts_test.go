// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import "testing"

func TestForRC(t *testing.T) {
	for word, want := range map[string]string{"": "''", "fount uuid": "'fount uuid'", "echo 'it''s'": "'echo ''it''''s'''"} {
		if got := forRC(word); got != want {
			t.Errorf("%q for rc: %s, want %s", word, got, want)
		}
	}
}
