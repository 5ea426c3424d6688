// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"time"

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

// NewsEvery is how often workers publish news. One that is not heard for NewsQuiet is gone.
const (
	NewsEvery = 100 * time.Millisecond
	NewsQuiet = 3 * NewsEvery
)

// News is what a worker says of itself, in the clear. Anyone who may publish can forge it: it moves requests from one worker to another,
// and says nothing else.
type News struct {
	Worker   WorkerID
	Draining bool          // it takes no more requests
	Wait     time.Duration // until all that it has now is done; 0 to an hour, to the microsecond
}

const newsSize = 2 + len(WorkerID{}) + 1 + 4

// ErrNews is the error of what is no news.
var ErrNews = errors.New("fleet: not a worker's news")

// Append appends the news: version, form, the worker's ID, 1 if it drains, microseconds to wait in four bytes.
func (n News) Append(b []byte) []byte {
	b = append(append(b, version, formNews), n.Worker[:]...)
	if n.Draining {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	return binary.BigEndian.AppendUint32(b, uint32(min(max(n.Wait, 0), time.Hour)/time.Microsecond))
}

// ParseNews reads what Append has written.
func ParseNews(b []byte) (n News, err error) {
	if len(b) != newsSize || b[0] != version || b[1] != formNews {
		return n, ErrNews
	}
	copy(n.Worker[:], b[2:])
	n.Draining = b[10] != 0
	n.Wait = min(time.Duration(binary.BigEndian.Uint32(b[11:]))*time.Microsecond, time.Hour)
	return n, nil
}
