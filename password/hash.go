// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Hash returns a new hash of password by p, with a salt of its own: a string of
// printable ASCII, at most 260 bytes, ready to store. It works on the caller's
// goroutine and bounds only this one hash; a service needs a [Pool]. It may be
// called from any goroutine.
//
// The error is ErrTooLong, ErrEmpty or ErrNUL, ErrCost if p is above its own
// Limits, or says what is wrong with p.
func Hash(p Policy, password []byte) (string, error) {
	w, err := p.plan(password)
	if err != nil {
		return "", err
	}
	defer w.wipe()
	return w.encode(w.sum()), nil
}
