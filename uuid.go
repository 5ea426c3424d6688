// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// UUIDs (RFC 9562): versions 4 and 7, the text form, and databases.

import (
	"bytes"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"fount/internal/shard"
)

// A UUID is a Universally Unique Identifier (RFC 9562): 16 bytes in network
// byte order.
//
// UUIDs can be compared with == and be keys of a map. The zero UUID is the Nil UUID (section 5.9),
// which encoding/json omits from fields marked omitzero. In encoding/json and database/sql a UUID
// is text. For a column that may be NULL use [database/sql.Null] of UUID.
//
// The UUIDs of github.com/google/uuid, of github.com/gofrs/uuid and of the standard library's
// package uuid (Go 1.27) are arrays of 16 bytes too. Convert by uuid.UUID(u) and back by
// fount.UUID(v).
type UUID [16]byte

// uuidLen is how many characters the text form has.
const uuidLen = 36

// NewUUID returns a UUID of version 4 (RFC 9562, section 5.4): 122 random bits.
//
// It never fails, and may be called from any goroutine.
func NewUUID() (u UUID) {
	shard.Read16((*[16]byte)(&u)) // in place: a copy of a Nonce costs 6 ns more
	setV4(&u)
	return u
}

// NewUUIDv7 returns a UUID of version 7 (RFC 9562, section 5.7): 48 bits of
// Unix time in milliseconds, 12 bits of the fraction of the millisecond
// (section 6.2, method 3), and 62 random bits. It shows when it was made; [NewUUID] does not.
//
// If one call returns before another begins, in any goroutine of the process, its UUID sorts first.
// To keep this order the time in a UUID may differ from the clock:
//
//   - If the clock steps back, UUIDs continue from the last one, 1/4096 of a millisecond (244 ns)
//     apart, until the clock has caught up. The standard library's uuid.NewV7 (Go 1.27) does so
//     only if the step is less than a second; otherwise its UUIDs sort before earlier ones.
//   - A bubble of testing/synctest, whose clock starts in the year 2000, is such a step back: UUIDs
//     continue from the last one made outside. If the bubble's clock passes the real one, UUIDs
//     made after the test continue from there.
//   - If more than 4096 UUIDs are made in a millisecond, their time runs ahead of the clock.
//   - A clock before 1970 counts as 1970. In the year 10889 the 48 bits run out: from then on the
//     time stands still, and UUIDs are not ordered.
//
// UUIDs of several processes are ordered as well as their clocks agree. Two clones of a machine
// have the same clock and last UUID, so their UUIDs differ only in the 62 random bits. [Status]
// tells how well these differ.
//
// It never fails, and may be called from any goroutine.
func NewUUIDv7() UUID { return uuidV7(v7.next(v7Stamp(time.Now())), Uint64()) }

// uuidV7 returns the UUID of 48 bits of stamp, 4 of version, 12 of stamp, 2 of variant and 62 of
// random.
func uuidV7(stamp, random uint64) (u UUID) {
	binary.BigEndian.PutUint64(u[:8], stamp>>12<<16|7<<12|stamp&0xfff)
	binary.BigEndian.PutUint64(u[8:], 0b10<<62|random&(1<<62-1))
	return u
}

// A v7Clock returns stamps, each greater than the last: Unix time in units of 1/4096 millisecond,
// in 60 bits. One compare-and-swap takes a stamp, so stamps are in the order of the calls.
type v7Clock struct {
	_    [64]byte // every core writes last, so nothing else shares its cache line
	last atomic.Uint64
	_    [56]byte
}

// v7 is the clock of the process.
var v7 v7Clock

// maxV7Stamp is the greatest stamp.
const maxV7Stamp = 1<<60 - 1

// next returns now, or the stamp after the last one if that is greater.
func (c *v7Clock) next(now uint64) uint64 {
	for {
		last := c.last.Load()
		stamp := max(now, min(last+1, maxV7Stamp))
		if c.last.CompareAndSwap(last, stamp) {
			return stamp
		}
	}
}

// v7Stamp returns the stamp of t. Its fraction is ns·4096/10⁶ rounded down, where ns < 10⁶ is the
// nanoseconds of the millisecond. So it is at most 4095.
func v7Stamp(t time.Time) uint64 {
	ms := t.UnixMilli()
	switch {
	case ms < 0:
		return 0
	case ms > maxV7Stamp>>12:
		return maxV7Stamp
	}

	ns := uint64(t.Nanosecond()) % 1e6
	return uint64(ms)<<12 | ns<<12/1e6
}

// Version returns the version of u, 0 to 15: 4 for a random UUID, 7 for one ordered by time, 0 for
// the Nil UUID.
func (u UUID) Version() int { return int(u[6] >> 4) }

// Time returns when u was made, to the millisecond, in UTC. ok is false if u is not of version 7.
func (u UUID) Time() (t time.Time, ok bool) {
	if u.Version() != 7 {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(u[:8]) >> 16)).UTC(), true
}

// IsZero reports whether u is the Nil UUID.
func (u UUID) IsZero() bool { return u == UUID{} }

// ParseUUID returns the UUID whose text form is s: 36 characters, hexadecimal digits in either case
// and four hyphens. Braces, "urn:uuid:" and digits without hyphens are errors. An error has one
// line with the length of s, or the first wrong byte and its offset. It shows no more of s, which
// may be a secret.
func ParseUUID(s string) (UUID, error) {
	var u UUID
	err := u.UnmarshalText([]byte(s)) // the compiler makes no copy, as nothing writes to it
	return u, err
}

// MustParseUUID is like [ParseUUID] but panics on an error. It is for constants of the program.
func MustParseUUID(s string) UUID {
	u, err := ParseUUID(s)
	if err != nil {
		panic(err)
	}
	return u
}

// UnmarshalText sets u to the UUID whose text form is text, as for [ParseUUID]. After an error u is
// unchanged.
func (u *UUID) UnmarshalText(text []byte) error {
	if len(text) != uuidLen {
		return newUUIDError(text)
	}

	le := binary.LittleEndian
	a, wrongA := unhex8(le.Uint64(text[0:]))
	b, wrongB := unhex8(uint64(le.Uint32(text[9:])) | uint64(le.Uint32(text[14:]))<<32)
	c, wrongC := unhex8(uint64(le.Uint32(text[19:])) | uint64(le.Uint32(text[24:]))<<32)
	d, wrongD := unhex8(le.Uint64(text[28:]))
	hyphens := (text[8] ^ '-') | (text[13] ^ '-') | (text[18] ^ '-') | (text[23] ^ '-')

	if wrongA|wrongB|wrongC|wrongD|uint64(hyphens) != 0 {
		return newUUIDError(text)
	}

	le.PutUint32(u[0:], a)
	le.PutUint32(u[4:], b)
	le.PutUint32(u[8:], c)
	le.PutUint32(u[12:], d)
	return nil
}

// String returns the text form of u: 36 characters in lower case, such as
// 919108f7-52d1-4320-9bac-f847db4148a8.
func (u UUID) String() string {
	text := make([]byte, uuidLen)
	encode((*[uuidLen]byte)(text), &u)
	return stringOf(text)
}

// AppendText appends the text form of u to b. The error is always nil.
func (u UUID) AppendText(b []byte) ([]byte, error) {
	n := len(b)
	if cap(b)-n < uuidLen {
		b = slices.Grow(b, uuidLen)
	}
	b = b[:n+uuidLen]
	encode((*[uuidLen]byte)(b[n:]), &u)
	return b, nil
}

// MarshalText returns the text form of u. The error is always nil.
func (u UUID) MarshalText() ([]byte, error) {
	return u.AppendText(make([]byte, 0, uuidLen))
}

// Compare returns -1 if u sorts before v, +1 if after, and 0 if they are equal. The order is that
// of their bytes (RFC 9562, section 6.11) and of their text.
func (u UUID) Compare(v UUID) int { return bytes.Compare(u[:], v[:]) }

// Scan implements [database/sql.Scanner]. It accepts the text form as a string or []byte, and the
// 16 bytes of a UUID as a []byte. Anything else is an error and leaves u unchanged. For NULL use
// [database/sql.Null] of UUID.
func (u *UUID) Scan(src any) error {
	switch src := src.(type) {
	case string:
		return u.UnmarshalText([]byte(src))
	case []byte:
		if len(src) == len(u) {
			*u = UUID(src)
			return nil
		}
		return u.UnmarshalText(src)
	case nil:
		return errors.New("fount: can't scan NULL into a UUID, want a sql.Null[fount.UUID]")
	default:
		return fmt.Errorf("fount: can't scan %T into a UUID, want string or []byte", src)
	}
}

// Value implements [database/sql/driver.Valuer]. It returns the text form of u as a string, and a
// nil error.
func (u UUID) Value() (driver.Value, error) { return u.String(), nil }

// unhex8 is the inverse of hex8 (uuid_v4.go), for digits in either case. wrong is not 0 if one of
// the eight characters is not a digit. For a byte c < 128, c + 128 - k has its top bit set if and
// only if c ≥ k.
func unhex8(x uint64) (v uint32, wrong uint64) {
	const top = 128 * ones
	c := x &^ top
	l := c | 0x20*ones // letters in lower case
	digit := (c + (128-'0')*ones) &^ (c + (127-'9')*ones) & top
	letter := (l + (128-'a')*ones) &^ (l + (127-'f')*ones) & top
	wrong = top&^(digit|letter) | x&top

	n := c&(0x0f*ones) + letter>>7*9 // 'a' and 'A' end in 1
	n = (n<<4 | n>>8) & 0x00ff00ff00ff00ff
	n = (n | n>>8) & 0x0000ffff0000ffff
	return uint32(n | n>>16), wrong
}

// newUUIDError returns the error of a text that is not a UUID.
func newUUIDError(text []byte) error {
	if len(text) != uuidLen {
		return fmt.Errorf("fount: UUID of length %d, want 36", len(text))
	}

	for i, c := range text {
		hyphen := i == 8 || i == 13 || i == 18 || i == 23
		switch {
		case hyphen && c != '-':
			return fmt.Errorf("fount: UUID has byte %q at offset %d, want '-'", c, i)
		case !hyphen && !isHex(c):
			return fmt.Errorf("fount: UUID has byte %q at offset %d, want a hexadecimal digit", c, i)
		}
	}
	return nil
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
