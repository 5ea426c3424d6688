// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import (
	"errors"
	"syscall/js"
)

// Name returns the name of the generator that Read asks, for Status.
func Name() string { return "crypto.getRandomValues" }

// read calls getRandomValues for 64 KiB at a time, as it refuses more (W3C Web Cryptography Level
// 2, QuotaExceededError).
func read(b []byte) error {
	crypto := js.Global().Get("crypto")
	if crypto.IsUndefined() {
		return errors.New("this host has no crypto object")
	}

	whole := js.Global().Get("Uint8Array").New(min(len(b), 64<<10))
	defer whole.Call("fill", 0)

	for piece := whole; len(b) > 0; {
		if len(b) < piece.Length() {
			piece = piece.Call("subarray", 0, len(b))
		}

		crypto.Call("getRandomValues", piece)
		n := js.CopyBytesToGo(b, piece)
		b = b[n:]
	}
	return nil
}
