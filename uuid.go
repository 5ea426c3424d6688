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
// UUIDs can be compared with == and be keys of a map. The zero UUID is the Nil
// UUID (section 5.9), which encoding/json leaves out of a field marked
// omitzero. encoding/json and database/sql take a UUID as text; for a column
// that may be NULL use [database/sql.Null] of UUID.
//
// The UUIDs of github.com/google/uuid, of github.com/gofrs/uuid and of the
// standard library's package uuid (Go 1.27) are arrays of 16 bytes too, and a
// conversion changes nothing: uuid.UUID(u) there, fount.UUID(v) back.
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
// (section 6.2, method 3), and 62 random bits. It tells everyone when it was
// made; [NewUUID] does not.
//
// Each is greater than all that the process made before, in any goroutine: if a call
// has returned before another begins, its UUID sorts first. For that, its time may
// differ from the clock's:
//
//   - If the clock steps back, the time counts on from the last UUID, by 1/4096
//     of a millisecond (244 ns) each, until the clock has caught up. The standard
//     library's uuid.NewV7 (Go 1.27) does so within a second, and otherwise
//     follows the clock back: its UUIDs then sort before earlier ones.
//   - In a bubble of testing/synctest, whose clock starts in the year 2000, the
//     same holds: UUIDs count on from the last one made outside. If the bubble's
//     clock passes the real one, the time after the test counts on from there.
//     uuid.NewV7 has the bubble's time, and after it the real one.
//   - If more than 4096 are made in a millisecond, it runs ahead of the clock
//     by as much as they need.
//   - A clock before 1970 counts as 1970. In the year 10889 the 48 bits run out;
//     from then on the time stands still, and the order ends.
//
// UUIDs of several processes are ordered only as well as their clocks agree. Two
// clones of a machine have the same clock and the same last UUID: only the 62
// random bits tell theirs apart, as well as the mode in [Status] promises.
//
// It never fails, and may be called from any goroutine.
func NewUUIDv7() UUID { return uuidV7(v7.next(v7Stamp(time.Now())), Uint64()) }

// uuidV7 makes a UUID of a stamp of 60 bits and of 62 bits of random: 48 bits
// of stamp, 4 of version, 12 of stamp, 2 of variant, 62 of random.
func uuidV7(stamp, random uint64) (u UUID) {
	binary.BigEndian.PutUint64(u[:8], stamp>>12<<16|7<<12|stamp&0xfff)
	binary.BigEndian.PutUint64(u[8:], 0b10<<62|random&(1<<62-1))
	return u
}

// A v7Clock gives out stamps, each greater than the last: Unix time in 1/4096
// of a millisecond, in 60 bits. A stamp is taken by one compare-and-swap, so
// stamps are in the order of the calls.
type v7Clock struct {
	_    [64]byte // every core writes the word: nothing else shares its cache line
	last atomic.Uint64
	_    [56]byte
}

// v7 is the clock of the process.
var v7 v7Clock

// v7End is the greatest stamp.
const v7End = 1<<60 - 1

// next returns now, or the stamp after the last one if that is later.
func (c *v7Clock) next(now uint64) uint64 {
	for {
		last := c.last.Load()
		stamp := max(now, min(last+1, v7End))
		if c.last.CompareAndSwap(last, stamp) {
			return stamp
		}
	}
}

// v7Stamp returns the stamp of t. The fraction is ns·4096/10⁶ rounded down, for
// ns < 10⁶ nanoseconds of the millisecond, and so at most 4095.
func v7Stamp(t time.Time) uint64 {
	ms := t.UnixMilli()
	switch {
	case ms < 0:
		return 0
	case ms > v7End>>12:
		return v7End
	}
	ns := uint64(t.Nanosecond()) % 1e6
	return uint64(ms)<<12 | ns<<12/1e6
}

// Version returns the version of u, 0 to 15: 4 for a random UUID, 7 for one that
// is ordered by time, 0 for the Nil UUID.
func (u UUID) Version() int { return int(u[6] >> 4) }

// Time returns when a UUID of version 7 was made, to the millisecond, in UTC. ok is
// false for all other versions.
func (u UUID) Time() (t time.Time, ok bool) {
	if u.Version() != 7 {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(u[:8]) >> 16)).UTC(), true
}

// IsZero reports whether u is the Nil UUID.
func (u UUID) IsZero() bool { return u == UUID{} }

// ParseUUID returns the UUID whose text form is s: 36 characters, hexadecimal
// digits in either case and four hyphens. Braces, "urn:uuid:" and digits
// without hyphens are errors. An error is one line: the length of s, or the first
// byte that is wrong and its offset, and no more of s, because s may be a secret.
func ParseUUID(s string) (UUID, error) {
	var u UUID
	err := u.UnmarshalText([]byte(s)) // no copy is made, as nobody writes to it
	return u, err
}

// MustParseUUID is like [ParseUUID] but panics on an error. It is for texts that
// are part of the program.
func MustParseUUID(s string) UUID {
	u, err := ParseUUID(s)
	if err != nil {
		panic(err)
	}
	return u
}

// UnmarshalText sets u to the UUID whose text form is text, as [ParseUUID]
// does. On an error it leaves u unchanged.
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

// String returns the text form of u: 36 characters, the digits in lower case,
// such as 919108f7-52d1-4320-9bac-f847db4148a8.
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

// Compare returns -1 if u sorts before v, +1 if after, and 0 if they are the
// same: the order of their bytes (RFC 9562, section 6.11), and of their text.
func (u UUID) Compare(v UUID) int { return bytes.Compare(u[:], v[:]) }

// Scan sets u from a column of a database: from text of 36 characters in a
// string or a []byte, as [ParseUUID] does, or from a []byte of 16, the UUID
// itself. Anything else is an error and leaves u unchanged; for NULL use a
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

// Value returns the text form of u, a string, for a database. The error is
// always nil.
func (u UUID) Value() (driver.Value, error) { return u.String(), nil }

// unhex8 is the inverse of hex8 (uuid_v4.go), for digits in either case; wrong is not 0 if
// one of the eight characters is not a digit. For a byte c < 128, c + 128 - k has
// its top bit set if and only if c ≥ k.
func unhex8(x uint64) (v uint32, wrong uint64) {
	const top = 128 * each
	c := x &^ top
	l := c | 0x20*each // letters in lower case
	digit := (c + (128-'0')*each) &^ (c + (127-'9')*each) & top
	letter := (l + (128-'a')*each) &^ (l + (127-'f')*each) & top
	wrong = top&^(digit|letter) | x&top

	n := c&(0x0f*each) + letter>>7*9 // 'a' and 'A' end in 1
	n = (n<<4 | n>>8) & 0x00ff00ff00ff00ff
	n = (n | n>>8) & 0x0000ffff0000ffff
	return uint32(n | n>>16), wrong
}

// newUUIDError says where a text that has an error stops being a UUID.
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
