// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// Tests and benchmarks of UUIDs.

import (
	"bytes"
	"database/sql"
	"database/sql/driver"
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var (
	_ fmt.Stringer             = UUID{}
	_ encoding.TextAppender    = UUID{}
	_ encoding.TextMarshaler   = UUID{}
	_ encoding.TextUnmarshaler = new(UUID)
	_ driver.Valuer            = UUID{}
	_ sql.Scanner              = new(UUID)
)

// The example UUIDs of RFC 9562, appendixes A.3 and A.6. As the RFC writes them,
// and their 128 bits.
var (
	rfcV4Text = "919108f7-52d1-4320-9bac-f847db4148a8"
	rfcV4     = UUID{0x91, 0x91, 0x08, 0xf7, 0x52, 0xd1, 0x43, 0x20, 0x9b, 0xac, 0xf8, 0x47, 0xdb, 0x41, 0x48, 0xa8}
	rfcV7Text = "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"
	rfcV7     = UUID{0x01, 0x7f, 0x22, 0xe2, 0x79, 0xb0, 0x7c, 0xc3, 0x98, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f}
)

// The RFC's examples are parsed, written and made from their fields.
func TestUUIDVectors(t *testing.T) {
	for text, want := range map[string]UUID{rfcV4Text: rfcV4, rfcV7Text: rfcV7} {
		for _, s := range []string{text, strings.ToLower(text), strings.ToUpper(text)} {
			if u, err := ParseUUID(s); u != want || err != nil {
				t.Errorf("ParseUUID(%q) = %x, %v", s, u[:], err)
			}
		}
		if got := want.String(); got != strings.ToLower(text) {
			t.Errorf("%x is written %s, want %s", want[:], got, text)
		}
	}

	// A.3: 48, 12 and 62 random bits. Here version and variant are ones before.
	u := rfcV4
	u[6] |= 0xf0
	u[8] |= 0xc0
	if setV4(&u); u != rfcV4 {
		t.Errorf("version 4 of the fields of A.3 is %v", u)
	}

	// A.6: Tuesday, February 22, 2022 2:22:22.00 PM GMT-05:00 is 0x017F22E279B0;
	// rand_a is 0xCC3, rand_b 0b01, 0x8C4DC0C0C07398F.
	at := time.Date(2022, 2, 22, 14, 22, 22, 0, time.FixedZone("", -5*60*60))
	if got, want := v7Stamp(at), uint64(0x017f22e279b0<<12); got != want {
		t.Errorf("stamp of %v is %#x, want %#x", at, got, want)
	}
	for _, above := range []uint64{0, 0b11 << 62} { // not part of the 62 bits
		if got := uuidV7(0x017f22e279b0<<12|0xcc3, above|0b01<<60|0x8c4dc0c0c07398f); got != rfcV7 {
			t.Errorf("version 7 of the fields of A.6 is %v", got)
		}
	}
}

// fixedBits returns how many of 128 bits the UUIDs all have in common.
func fixedBits(uuids []UUID) (n int) {
	for i := range len(UUID{}) {
		ones, zeros := byte(0), byte(0)
		for _, u := range uuids {
			ones |= u[i]
			zeros |= ^u[i]
		}
		n += 8 - bits.OnesCount8(ones&zeros)
	}
	return n
}

// Version and variant are fixed, and all other bits are sometimes 0 and sometimes 1. That fails by
// chance with a probability of 122·2·2^-10000.
func TestUUIDBits(t *testing.T) {
	const draws = 10_000
	v4, v7 := make([]UUID, draws), make([]UUID, draws)
	for i := range draws {
		v4[i], v7[i] = NewUUID(), NewUUIDv7()
		if u := v4[i]; u[6]>>4 != 4 || u[8]>>6 != 0b10 {
			t.Fatalf("NewUUID: %v has not version 4 and variant 0b10", u)
		}
		if u := v7[i]; u[6]>>4 != 7 || u[8]>>6 != 0b10 {
			t.Fatalf("NewUUIDv7: %v has not version 7 and variant 0b10", u)
		}
	}
	if n := fixedBits(v4); n != 4+2 {
		t.Errorf("NewUUID: %d bits are always the same, want 6", n)
	}
	for i := range v7 {
		clear(v7[i][:8])
	}
	if n := fixedBits(v7); n != 64+2 {
		t.Errorf("NewUUIDv7: of the last 64, %d bits are always the same, want 2", n-64)
	}
}

// stampOf returns the stamp in a UUID of version 7.
func stampOf(u UUID) uint64 {
	high := binary.BigEndian.Uint64(u[:8])
	return high>>16<<12 | high&0xfff
}

// TestV7Clock drives a clock of its own through every kind of step.
func TestV7Clock(t *testing.T) {
	var clock v7Clock
	at := time.Date(2026, 11, 21, 1, 2, 3, 456_999_999, time.UTC)
	ms := uint64(at.UnixMilli())
	check := func(step string, now time.Time, want uint64) {
		t.Helper()
		if got := clock.next(v7Stamp(now)); got != want {
			t.Errorf("%s: stamp %d+%d/4096 ms, want %d+%d/4096",
				step, got>>12, got&0xfff, want>>12, want&0xfff)
		}
	}
	check("before 1970", time.Unix(-1, 0), 1)
	check("still before", time.Date(-5000, 1, 1, 0, 0, 0, 0, time.UTC), 2)
	check("start", at, ms<<12|4095)
	check("millisecond boundary", at.Add(1), (ms+1)<<12)
	check("245 ns on", at.Add(1+245), (ms+1)<<12|1)
	check("clock stands", at.Add(1+245), (ms+1)<<12|2)
	check("clock creeps", at.Add(1+246), (ms+1)<<12|3)
	check("a year back", at.AddDate(-1, 0, 0), (ms+1)<<12|4)
	check("still back", at.AddDate(-1, 0, 0), (ms+1)<<12|5)
	for range 10_000 { // ahead of the clock by more than two milliseconds
		clock.next(v7Stamp(at))
	}
	check("after a burst", at, (ms+1)<<12+10_006)
	check("caught up", at.Add(5*time.Millisecond), (ms+5)<<12|4095)

	end := time.UnixMilli(1 << 48)
	if end.UTC().Year() != 10889 {
		t.Errorf("48 bits of milliseconds end in %v, documented is the year 10889", end)
	}
	check("one before the end", end.Add(-245), maxV7Stamp-1)
	check("the last", end.Add(-1), maxV7Stamp)
	check("after the end", end, maxV7Stamp)
	check("long after it", end.AddDate(100_000, 0, 0), maxV7Stamp)
	check("back from the end", at, maxV7Stamp)
	if got, want := uuidV7(maxV7Stamp, 1<<64-1).String(), "ffffffff-ffff-7fff-bfff-ffffffffffff"; got != want {
		t.Errorf("the last UUID of version 7 is %s, want %s", got, want)
	}
}

// A UUID of version 7 has the time when it was made. It may be ahead by what tests before this one
// made in a burst.
func TestV7Now(t *testing.T) {
	before := v7Stamp(time.Now())
	got := stampOf(NewUUIDv7())
	if got < before || got > before+uint64(time.Hour.Milliseconds())<<12 {
		t.Errorf("at stamp %d a UUID has %d", before, got)
	}
}

// In a bubble, whose clock is years behind, UUIDs continue from those made outside.
func TestV7Bubble(t *testing.T) {
	before := NewUUIDv7()
	synctest.Test(t, func(t *testing.T) {
		if got, want := stampOf(NewUUIDv7()), stampOf(before)+1; got != want {
			t.Errorf("in the bubble of %v a UUID has stamp %d, want %d", time.Now().UTC(), got, want)
		}
	})
}

// No two goroutines see the same stamp, and each sees stamps increase.
func TestV7Concurrent(t *testing.T) {
	const goroutines, draws = 32, 2000
	stamps := make([][]uint64, goroutines)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() {
			<-start
			for range draws {
				stamps[i] = append(stamps[i], stampOf(NewUUIDv7()))
			}
		})
	}
	close(start)
	wg.Wait()
	for i, s := range stamps {
		if !slices.IsSorted(s) {
			t.Errorf("goroutine %d: UUIDs of version 7 decrease", i)
		}
	}
	all := slices.Concat(stamps...)
	slices.Sort(all)
	if n := len(all) - len(slices.Compact(all)); n != 0 {
		t.Errorf("%d of %d stamps are not the only ones of their kind", n, goroutines*draws)
	}
}

// A UUID made after another goroutine handed over its own sorts after that. The first one is ten
// seconds ahead of the clock, so that the order is not that of the time.
func TestV7Handoff(t *testing.T) {
	const goroutines, rounds = 4, 1000
	var hand [goroutines]chan UUID
	for i := range hand {
		hand[i] = make(chan UUID, 1)
	}
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() {
			for range rounds {
				u := <-hand[i]
				v := NewUUIDv7()
				if u.Compare(v) != -1 {
					t.Errorf("%v was drawn before %v", u, v)
				}
				hand[(i+1)%goroutines] <- v
			}
		})
	}
	ahead := v7Stamp(time.Now().Add(10 * time.Second))
	hand[0] <- uuidV7(v7.next(ahead), 0)
	wg.Wait()
}

// uuidForm matches the text form.
var uuidForm = regexp.MustCompile(`\A(?i:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\z`)

// What the form matches is accepted, and written in lower case. All else is rejected with its
// length, or with the offset of the first byte that no text of the form has there. UnmarshalText and
// Scan agree.
func FuzzParseUUID(f *testing.F) {
	for _, s := range []string{
		"", "-", rfcV4Text, rfcV7Text, rfcV4Text[:35], rfcV4Text + "0",
		"{" + rfcV4Text + "}", "urn:uuid:" + rfcV4Text, strings.ReplaceAll(rfcV4Text, "-", ""),
		strings.Replace(rfcV4Text, "-", "\xad", 1), "\x00" + rfcV4Text[1:], strings.Repeat("é", 18),
	} {
		f.Add(s)
	}
	f.Fuzz(checkParseUUID)
}

func checkParseUUID(t *testing.T, s string) {
	u, err := ParseUUID(s)
	if uuidForm.MatchString(s) != (err == nil) {
		t.Fatalf("ParseUUID(%q): %v", s, err)
	}
	if err == nil {
		if u.String() != strings.ToLower(s) {
			t.Errorf("ParseUUID(%q) = %v", s, u)
		}
	} else {
		checkUUIDError(t, s, err)
	}

	want := u
	if err != nil {
		want = rfcV7 // left alone
	}
	for name, set := range map[string]func(*UUID) error{
		"UnmarshalText": func(v *UUID) error { return v.UnmarshalText([]byte(s)) },
		"Scan":          func(v *UUID) error { return v.Scan(s) },
	} {
		v := rfcV7
		if e := set(&v); v != want || fmt.Sprint(e) != fmt.Sprint(err) {
			t.Errorf("ParseUUID(%q): %v, %v; %s: %v, %v", s, u, err, name, v, e)
		}
	}
}

func checkUUIDError(t *testing.T, s string, err error) {
	t.Helper()
	if len(s) != uuidLen {
		if want := fmt.Sprintf("fount: UUID of length %d, want 36", len(s)); err.Error() != want {
			t.Errorf("error of %q: %v, want %s", s, err, want)
		}
		return
	}
	_, text, _ := strings.Cut(err.Error(), " at offset ")
	offset := -1
	fmt.Sscan(text, &offset)
	if offset < 0 || offset >= uuidLen || !uuidForm.MatchString(s[:offset]+rfcV4Text[offset:]) ||
		uuidForm.MatchString(s[:offset+1]+rfcV4Text[offset+1:]) {
		t.Errorf("%q is not wrong first where it says: %v", s, err)
	}
	if message := err.Error(); strings.Contains(message, "\n") || len(message) > 120 {
		t.Errorf("error of %q is not a short line: %q", s, message)
	}
}

// Each of the 256 bytes is tried at each of the 36 offsets.
func TestParseUUIDEveryByte(t *testing.T) {
	for i := range uuidLen {
		for c := range 256 {
			text := []byte(rfcV4Text)
			text[i] = byte(c)
			checkParseUUID(t, string(text))
		}
	}
}

func TestMustParseUUID(t *testing.T) {
	if u := MustParseUUID(rfcV4Text); u != rfcV4 {
		t.Errorf("MustParseUUID returns %v", u)
	}
	defer func() {
		if err, ok := recover().(error); !ok || !strings.HasPrefix(err.Error(), "fount: UUID of length 1,") {
			t.Errorf("MustParseUUID panics with %v", err)
		}
	}()
	MustParseUUID("1")
}

// Every digit at every offset is written as encoding/hex writes it, and what is written parses.
func TestUUIDText(t *testing.T) {
	uuids := []UUID{{}, rfcV4, rfcV7}

	for i := range 32 {
		for nibble := range byte(16) {
			zeros := UUID{}
			zeros[i/2] = nibble << (i % 2 * 4)
			ones := UUID{}
			for j := range ones {
				ones[j] = ^zeros[j]
			}
			uuids = append(uuids, zeros, ones)
		}
	}

	for _, u := range uuids {
		h := hex.EncodeToString(u[:])
		want := strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")

		if got := u.String(); got != want {
			t.Fatalf("String is %s, want %s", got, want)
		}
		if got, err := u.MarshalText(); string(got) != want || err != nil {
			t.Fatalf("MarshalText returns %s, %v, want %s", got, err, want)
		}
		if got, err := u.AppendText([]byte("id=")); string(got) != "id="+want || err != nil {
			t.Fatalf("AppendText returns %s, %v, want id=%s", got, err, want)
		}
		if got := fmt.Sprintf("%v %s", u, u); got != want+" "+want {
			t.Fatalf("fmt writes %s, want %s", got, want)
		}
		if got, err := ParseUUID(want); got != u || err != nil {
			t.Fatalf("ParseUUID(%q) = %v, %v", want, got, err)
		}
	}
}

func TestUUIDVersionTimeIsZero(t *testing.T) {
	for name, c := range map[string]struct {
		u       UUID
		version int
		time    time.Time // if the version is 7
	}{
		"Nil UUID":       {u: UUID{}},
		"version 4":      {u: rfcV4, version: 4},
		"version 7":      {u: rfcV7, version: 7, time: time.Date(2022, 2, 22, 19, 22, 22, 0, time.UTC)}, // RFC 9562, A.6
		"last version 7": {u: uuidV7(maxV7Stamp, 0), version: 7, time: time.Date(10889, 8, 2, 5, 31, 50, 655e6, time.UTC)},
		"all ones":       {u: UUID(bytes.Repeat([]byte{0xff}, 16)), version: 15},
		"one bit":        {u: UUID{15: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.u.Version(); got != c.version {
				t.Errorf("version %d, want %d", got, c.version)
			}
			if at, ok := c.u.Time(); !at.Equal(c.time) || ok != (c.version == 7) {
				t.Errorf("time %v, %v, want %v", at, ok, c.time)
			}
			if got, want := c.u.IsZero(), name == "Nil UUID"; got != want {
				t.Errorf("zero: %v, want %v", got, want)
			}
		})
	}
}

// The order is that of the numbers of 128 bits, and of the text.
func TestUUIDCompare(t *testing.T) {
	uuids := []UUID{{}, {15: 1}, {7: 1}, {8: 0x80}, {0: 0x80}, rfcV4, rfcV7, uuidV7(maxV7Stamp, 0)}
	for range 20 {
		uuids = append(uuids, NewUUID(), NewUUIDv7())
	}
	for _, u := range uuids {
		for _, v := range uuids {
			want := new(big.Int).SetBytes(u[:]).Cmp(new(big.Int).SetBytes(v[:]))
			if got := u.Compare(v); got != want || got != strings.Compare(u.String(), v.String()) {
				t.Errorf("%v.Compare(%v) = %d, want %d", u, v, got, want)
			}
		}
	}
}

func TestUUIDScan(t *testing.T) {
	for name, src := range map[string]any{
		"string":     rfcV4Text,
		"upper case": strings.ToUpper(rfcV4Text),
		"text":       []byte(rfcV4Text),
		"16 bytes":   rfcV4[:],
	} {
		t.Run(name, func(t *testing.T) {
			var u UUID
			if err := u.Scan(src); err != nil || u != rfcV4 {
				t.Errorf("%v, %v", u, err)
			}
		})
	}

	for name, c := range map[string]struct {
		src  any
		want string
	}{
		"NULL":           {src: nil, want: "fount: can't scan NULL into a UUID, want a sql.Null[fount.UUID]"},
		"integer":        {src: int64(7), want: "fount: can't scan int64 into a UUID, want string or []byte"},
		"string of 16":   {src: string(rfcV4[:]), want: "fount: UUID of length 16, want 36"},
		"17 bytes, zero": {src: make([]byte, 17), want: "fount: UUID of length 17, want 36"},
	} {
		t.Run(name, func(t *testing.T) {
			u := rfcV7
			if err := u.Scan(c.src); err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if u != rfcV7 {
				t.Errorf("the UUID became %v", u)
			}
		})
	}
}

func TestUUIDValue(t *testing.T) {
	value, err := rfcV7.Value()
	if value != strings.ToLower(rfcV7Text) || err != nil || !driver.IsValue(value) {
		t.Errorf("Value returns %T %v, %v", value, value, err)
	}
	var u UUID
	if err := u.Scan(value); err != nil || u != rfcV7 {
		t.Errorf("Scan of Value sets %v, %v", u, err)
	}

	// As the errors and the documentation advise: NULL by way of sql.Null.
	var null sql.Null[UUID]
	if err := null.Scan(nil); err != nil || null.Valid {
		t.Errorf("sql.Null scans NULL as %v, %v", null, err)
	}
	if value, err := null.Value(); value != nil || err != nil {
		t.Errorf("sql.Null of NULL has the value %v, %v", value, err)
	}
	if err := null.Scan([]byte(rfcV7Text)); err != nil || !null.Valid || null.V != rfcV7 {
		t.Errorf("sql.Null scans a UUID as %v, %v", null, err)
	}
	if value, err := null.Value(); value != strings.ToLower(rfcV7Text) || err != nil {
		t.Errorf("sql.Null of a UUID has the value %v, %v", value, err)
	}
}

func TestUUIDJSON(t *testing.T) {
	type document struct {
		ID    UUID         `json:"id"`
		Maybe *UUID        `json:"maybe"`
		Zero  UUID         `json:"zero,omitzero"`
		By    map[UUID]int `json:"by"`
	}
	const want = `{"id":"919108f7-52d1-4320-9bac-f847db4148a8","maybe":null,` +
		`"by":{"017f22e2-79b0-7cc3-98c4-dc0c0c07398f":7}}`
	got, err := json.Marshal(document{ID: rfcV4, By: map[UUID]int{rfcV7: 7}})
	if string(got) != want || err != nil {
		t.Errorf("JSON is %s, %v, want %s", got, err, want)
	}
	var back document
	if err := json.Unmarshal(got, &back); err != nil || back.ID != rfcV4 || back.By[rfcV7] != 7 || back.Maybe != nil {
		t.Errorf("back from JSON: %+v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"id":"{`+rfcV4Text+`}"}`), &back); err == nil {
		t.Error("JSON takes braces")
	}
}
