// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"encoding/binary"
	"errors"
	"time"
)

// News is what a worker says of itself, in the clear or under the seal of a reply. Anyone who may publish can forge what is in the
// clear: it moves requests from one worker to another, and says nothing else.
type News struct {
	Worker   WorkerID
	Draining bool          // it takes no more requests
	Wait     time.Duration // until all that it has now is done; 0 to MaxLeft, to the microsecond
	Kinds    []Estimate    // at most MaxKinds, each of another Cost
}

// An Estimate is how long a worker takes for a hash of one cost: 0 to MaxLeft, to the microsecond.
type Estimate struct {
	Cost  Cost
	Alone time.Duration // one by itself
	Drain time.Duration // by how much one more makes the wait longer
}

// MaxKinds is how many kinds of hashes a News can tell of: as many as a pool keeps apart.
const MaxKinds = 64

// The sizes of this version's; a later one's may be longer.
const (
	newsHeader = 3 + 2 + 8 + 1 + 4
	newsKind   = costSize + 4 + 4
)

// MaxNews is the size of the longest news that is read, in bytes.
const MaxNews = 4096

const newsDraining = 1 // bits; a bit that is not known is ignored

// ErrNews is the error of what is no news.
var ErrNews = errors.New("fleet: not a worker's news")

// AppendTo appends the news: major, minor, the form; the size of the header and of a kind; the worker's ID; bits; microseconds to wait, 4
// bytes. For each kind follow its cost, and microseconds, 4 bytes each. Kinds that would make it longer than limit bytes are left
// out.
func (n News) AppendTo(b []byte, limit int) []byte {
	var bits byte
	if n.Draining {
		bits = newsDraining
	}
	limit += len(b)
	b = append(b, Major, Minor, formNews, newsHeader, newsKind)
	b = append(b, n.Worker[:]...)
	b = append(b, bits)
	b = appendTime(b, n.Wait)
	for _, k := range n.Kinds[:min(len(n.Kinds), MaxKinds)] {
		if len(b)+newsKind > limit {
			break
		}
		b = k.Cost.appendTo(b)
		b = appendTime(b, k.Alone)
		b = appendTime(b, k.Drain)
	}
	return b
}

// ParseNews reads what AppendTo has written, this version's or a later one's of the same major.
func ParseNews(b []byte) (n News, err error) {
	if len(b) < newsHeader || len(b) > MaxNews || b[0] != Major || b[2] != formNews {
		return n, ErrNews
	}
	header, size := int(b[3]), int(b[4])
	if header < newsHeader || size < newsKind || len(b) < header {
		return n, ErrNews
	}
	kinds := b[header:]
	if len(kinds)%size != 0 || len(kinds)/size > MaxKinds {
		return n, ErrNews
	}
	copy(n.Worker[:], b[5:])
	n.Draining = b[13]&newsDraining != 0
	n.Wait = parseTime(b[14:])
	for ; len(kinds) > 0; kinds = kinds[size:] {
		n.Kinds = append(n.Kinds, Estimate{parseCost(kinds), parseTime(kinds[costSize:]), parseTime(kinds[costSize+4:])})
	}
	return n, nil
}

func appendTime(b []byte, d time.Duration) []byte {
	return binary.BigEndian.AppendUint32(b, uint32(min(max(d, 0), MaxLeft)/time.Microsecond))
}

func parseTime(b []byte) time.Duration {
	return min(time.Duration(binary.BigEndian.Uint32(b))*time.Microsecond, MaxLeft)
}
