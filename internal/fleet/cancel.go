// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

// A Name names a request to the worker that has it: the request's nonce, drawn at random, which nobody knows but the client, the
// worker, and who carried it. Who knows it could as well have dropped the request.
type Name [nonceSize]byte

// A cancel is major, minor, the form, and the name of the request that nobody waits for any more. It is in the clear, and has no reply.
const cancelSize = replyHeader + nonceSize

// NameOf returns the name of a request. ok is false for what can't be one.
func NameOf(request []byte) (name Name, ok bool) {
	_, size, err := parseHeader(request)
	if err != nil {
		return name, false
	}
	copy(name[:], request[size+encapsulatedSize:])
	return name, true
}

// Cancel returns the cancel of a request.
func (n Name) Cancel() []byte { return append([]byte{Major, Minor, formCancel}, n[:]...) }

// ParseCancel reads a cancel, which a later minor version may lengthen. ok is false for all else that a worker receives.
func ParseCancel(b []byte) (name Name, ok bool) {
	if len(b) < cancelSize || len(b) > MaxNews || b[0] != Major || b[2] != formCancel {
		return name, false
	}
	copy(name[:], b[replyHeader:])
	return name, true
}
