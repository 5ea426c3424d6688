// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"encoding/binary"
	"fmt"
	"time"
)

// The version of the format. Ends of one Major understand each other, whatever the minor version.
const (
	Major = 1
	Minor = 0
)

// A Kind says what a request asks for.
type Kind uint8

const (
	Verify Kind = 1
	Hash   Kind = 2
)

// MaxLeft is the most time that a request can say it has left.
const MaxLeft = 30 * time.Second

const headerSize = 24 // of this version; a later one's may be longer

// A Header is what the broker can read of a request, and what a worker reads before it opens one. It is true only if the
// request opens.
type Header struct {
	Minor uint8
	Kind  Kind
	Key   KeyID         // the fleet's key that it was sealed to
	Left  time.Duration // until the client's deadline, when it was sealed; above 0, to the microsecond
	Cost  Cost
}

// appendTo appends the header: major, minor, its own size and the kind, a byte each; the key's ID; microseconds left, 4 bytes;
// the cost.
func (h Header) appendTo(b []byte) []byte {
	b = append(b, Major, Minor, headerSize, byte(h.Kind))
	b = append(b, h.Key[:]...)
	b = binary.BigEndian.AppendUint32(b, uint32(h.Left/time.Microsecond))
	return h.Cost.appendTo(b)
}

// ParseHeader reads the header of a request and checks that the whole has a size that a request can have. It takes nanoseconds,
// so that a worker without room refuses before it opens. The error is a [Refusal].
func ParseHeader(request []byte) (Header, error) {
	h, _, err := parseHeader(request)
	return h, err
}

func parseHeader(request []byte) (h Header, size int, err error) {
	if len(request) < headerSize || len(request) > MaxRequest {
		return h, 0, Refusal{Reason: Unreadable}
	}
	if request[0] != Major {
		return h, 0, Refusal{Reason: Version}
	}
	size = int(request[2])
	if size < headerSize || len(request) < size+overhead {
		return h, 0, Refusal{Reason: Unreadable}
	}
	h.Minor, h.Kind = request[1], Kind(request[3])
	copy(h.Key[:], request[4:12])
	h.Left = time.Duration(binary.BigEndian.Uint32(request[12:16])) * time.Microsecond
	h.Cost = parseCost(request[16:24])
	switch {
	case h.Kind != Verify && h.Kind != Hash:
		return h, 0, Refusal{Reason: Version}
	case h.Left == 0:
		return h, 0, Refusal{Reason: Late}
	case h.Left > MaxLeft:
		return h, 0, Refusal{Reason: Unreadable}
	}
	return h, size, nil
}

// A Reason says why a worker did not open a request, or did not do what it asks.
type Reason uint8

const (
	Busy       Reason = 1 // no room, or no time: ask again after Refusal.After, or ask another worker
	Closing    Reason = 2 // the worker is going away: ask another
	Version    Reason = 3 // a major version or a kind that the worker does not know
	UnknownKey Reason = 4 // sealed to a key that the worker does not have
	Late       Reason = 5 // its time had run out
	Repeated   Reason = 6 // seen before
	Unreadable Reason = 7 // damaged, or made by something else
)

var reasons = [...]string{Busy: "busy", Closing: "closing", Version: "unknown version", UnknownKey: "unknown key", Late: "late",
	Repeated: "repeated", Unreadable: "unreadable"}

// String returns a few lower-case words: "unknown key".
func (r Reason) String() string {
	if int(r) < len(reasons) && reasons[r] != "" {
		return reasons[r]
	}
	return fmt.Sprintf("reason %d", uint8(r))
}

// A Refusal is a worker's answer to a request that it has not opened, or that it can't use. It is in the clear: anyone on the
// way can write one. It says no more than that this attempt has failed, which a broker brings about by silence too.
type Refusal struct {
	Reason Reason
	After  time.Duration // Busy: how long to wait; 0 to MaxLeft, to the millisecond
}

// Error names the reason.
func (r Refusal) Error() string { return "fleet: refused: " + r.Reason.String() }

// Renew reports whether a request under a new encapsulation may pass where this one did not: a machine that was paused or
// cloned counts time and requests otherwise than the workers that remember its encapsulation.
func (r Refusal) Renew() bool { return r.Reason == Late || r.Reason == Repeated }

// The first bytes of all that is no request: major, minor, form. In a request there is the size of its header, which is more.
const (
	replyHeader = 3
	formSealed  = 1
	formRefusal = 2
	formNews    = 3
	formCancel  = 4
	refusalSize = replyHeader + 1 + 4
)

// AppendTo appends the refusal as a reply of 8 bytes. The worker's news may follow.
func (r Refusal) AppendTo(b []byte) []byte {
	b = append(b, Major, Minor, formRefusal, byte(r.Reason))
	after := min(max(r.After, 0), MaxLeft)
	return binary.BigEndian.AppendUint32(b, uint32((after+time.Millisecond-1)/time.Millisecond))
}

// RefusalNews returns the news that stand behind a refusal, if reply is one: as much in the clear as that.
func RefusalNews(reply []byte) (News, bool) {
	if _, ok := parseRefusal(reply); !ok {
		return News{}, false
	}
	n, err := ParseNews(reply[refusalSize:])
	return n, err == nil
}

func parseRefusal(reply []byte) (Refusal, bool) {
	if len(reply) < refusalSize || reply[0] != Major || reply[2] != formRefusal {
		return Refusal{}, false
	}
	after := time.Duration(binary.BigEndian.Uint32(reply[4:8])) * time.Millisecond
	return Refusal{Reason(reply[3]), min(after, MaxLeft)}, true
}
