// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"encoding/hex"

	"fount"
)

// A Subject is the broker's name for a fleet, of which its others are made: "fount.v1".
type Subject string

// Any is where the workers listen together, as the members of one queue group of the name Group: each request goes to one of them.
func (s Subject) Any() string { return string(s) + ".any" }

// Worker is where one worker listens.
func (s Subject) Worker(id WorkerID) string { return string(s) + ".worker." + id.String() }

// News is where the workers publish and the clients listen.
func (s Subject) News() string { return string(s) + ".news" }

// Group is the name of the queue group.
const Group = "workers"

// A WorkerID names a worker for as long as its process lives. It is drawn at random.
type WorkerID [8]byte

// NewWorkerID draws one.
func NewWorkerID() (id WorkerID) {
	fount.Read(id[:])
	return id
}

// String returns 16 hexadecimal digits.
func (id WorkerID) String() string { return hex.EncodeToString(id[:]) }
