// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import "fmt"

// A Refusal says, unencrypted, why a worker did not decrypt a request. The broker can forge one.
type Refusal uint8

// The reasons. There is no 2: Busy is also for a worker that shuts down.
const (
	Busy         Refusal = 1 // no room, or shutting down: ask another worker
	OtherVersion Refusal = 3 // the request has another version
	UnknownKey   Refusal = 4 // encrypted to a key that the worker does not have
	Unreadable   Refusal = 5 // damaged, or made by something else
)

// Error returns the reason and, if a client can mend it, what it should do.
func (r Refusal) Error() string {
	switch r {
	case Busy:
		return "fleet: the worker has no room"
	case OtherVersion:
		return "fleet: the worker has another version; want the same version of clients and workers"
	case UnknownKey:
		return "fleet: the worker does not have this key; want the public key that fountd key public prints now"
	case Unreadable:
		return "fleet: the worker can't read the request"
	}
	return fmt.Sprintf("fleet: refused for reason %d", uint8(r))
}

// Reply returns the refusal as a message.
func (r Refusal) Reply() []byte { return []byte{version, formRefusal, byte(r)} }
