// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

// Where the workers of a fleet are reached, and what they tell clients.

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"time"

	"fount"
)

// A Subject is a fleet's name at the broker, such as "fount.v1".
type Subject string

// Any returns the subject on which all workers listen as the queue group Group.
func (s Subject) Any() string { return string(s) + ".any" }

// Worker returns the subject on which only this worker listens.
func (s Subject) Worker(id WorkerID) string { return string(s) + ".worker." + id.String() }

// News returns the subject of the workers' news for clients.
func (s Subject) News() string { return string(s) + ".news" }

const Group = "workers"

// A WorkerID identifies a worker's process.
type WorkerID [8]byte

// NewWorkerID returns a random WorkerID.
func NewWorkerID() (id WorkerID) {
	fount.Read(id[:])
	return id
}

// String returns 16 hexadecimal digits.
func (id WorkerID) String() string { return hex.EncodeToString(id[:]) }

// Workers publish news every NewsEvery. Clients forget one without news for longer than NewsQuiet.
const (
	NewsEvery = 100 * time.Millisecond
	NewsQuiet = 3 * NewsEvery
)

// News is a worker's unencrypted state. The broker can forge it, and so move requests to a worker.
type News struct {
	Worker   WorkerID
	Draining bool          // it will refuse requests
	Wait     time.Duration // how long its queue takes: 0 to an hour, in whole microseconds
}

// A newsMessage is news as it is sent, in the order of its bytes, big-endian.
type newsMessage struct {
	Version  uint8
	Form     uint8
	Worker   WorkerID
	Draining bool   // one byte
	Wait     uint32 // microseconds
}

// Append appends the news as a message.
func (n News) Append(b []byte) []byte {
	wait := min(max(n.Wait, 0), time.Hour)
	b, _ = binary.Append(b, binary.BigEndian, newsMessage{ // fails only for a type without a fixed size
		Version:  version,
		Form:     formNews,
		Worker:   n.Worker,
		Draining: n.Draining,
		Wait:     uint32(wait / time.Microsecond),
	})
	return b
}

// ParseNews parses the result of Append.
func ParseNews(b []byte) (News, error) {
	var m newsMessage
	n, err := binary.Decode(b, binary.BigEndian, &m)
	if err != nil || n != len(b) || m.Version != version || m.Form != formNews {
		return News{}, errors.New("fleet: not a worker's news")
	}

	wait := time.Duration(m.Wait) * time.Microsecond
	return News{m.Worker, m.Draining, min(wait, time.Hour)}, nil
}
