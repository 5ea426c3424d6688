// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package weaksecret

import "math/rand"

// Tests put weak values into fields, which says nothing of what the program puts there.
func generate(s *session, n int) {
	s.token = string(rune(rand.Intn(n)))
}
