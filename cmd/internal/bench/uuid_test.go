// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount.UUID beside github.com/google/uuid and github.com/gofrs/uuid: all three are [16]byte, and
// each must read what the other writes.

package bench

import (
	"testing"
	"time"

	"fount"

	gofrs "github.com/gofrs/uuid/v5"
	google "github.com/google/uuid"
)

// uuids returns values to exchange: both versions, the two constants of RFC 9562 sections 5.9 and
// 5.10, and the v4 and v7 test vectors of its appendixes A.3 and A.6.
func uuids() []fount.UUID {
	list := []fount.UUID{
		{},
		{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
		{0x91, 0x91, 0x08, 0xf7, 0x52, 0xd1, 0x43, 0x20, 0x9b, 0xac, 0xf8, 0x47, 0xdb, 0x41, 0x48, 0xa8},
		{0x01, 0x7f, 0x22, 0xe2, 0x79, 0xb0, 0x7c, 0xc3, 0x98, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f},
	}
	for range 100 {
		list = append(list, fount.NewUUID(), fount.NewUUIDv7())
	}
	return list
}

// foreign is what the other packages' types have in common.
type foreign interface {
	~[16]byte
	String() string
}

// exchange checks conversion, text and parsing between fount.UUID and U in both directions.
func exchange[U foreign](t *testing.T, parse func(string) (U, error), create func() (U, error)) {
	for _, ours := range uuids() {
		theirs := U(ours)
		if fount.UUID(theirs) != ours {
			t.Fatalf("%x became %x", [16]byte(ours), [16]byte(theirs))
		}
		if ours.String() != theirs.String() {
			t.Fatalf("String: ours %s, theirs %s", ours, theirs)
		}
		if got, err := parse(ours.String()); err != nil || got != theirs {
			t.Fatalf("they read %s as %v, %v", ours, got, err)
		}
	}
	for range 100 {
		theirs, err := create()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := fount.ParseUUID(theirs.String()); err != nil || got != fount.UUID(theirs) {
			t.Fatalf("we read %s as %v, %v", theirs, got, err)
		}
	}
}

func TestGoogleUUID(t *testing.T) {
	exchange(t, google.Parse, google.NewRandom)
	exchange(t, google.Parse, google.NewV7)
}

func TestGofrsUUID(t *testing.T) {
	exchange(t, gofrs.FromString, gofrs.NewV4)
	exchange(t, gofrs.FromString, gofrs.NewV7)
}

// Others read our values' version and variant (RFC 9562), and the time of version 7. Both sides may
// run ahead of the clock a little; a minute tells a wrong unit, epoch or byte order.
func TestUUIDParts(t *testing.T) {
	four, seven := google.UUID(fount.NewUUID()), google.UUID(fount.NewUUIDv7())
	if four.Version() != 4 || seven.Version() != 7 || four.Variant() != google.RFC4122 || seven.Variant() != google.RFC4122 {
		t.Errorf("they see %s and %s as versions %d and %d", four, seven, four.Version(), seven.Version())
	}
	ts, err := gofrs.TimestampFromV7(gofrs.UUID(seven))
	if err != nil {
		t.Fatal(err)
	}
	if at, err := ts.Time(); err != nil || time.Since(at).Abs() > time.Minute {
		t.Errorf("they say that %s was made at %v, %v", seven, at, err)
	}
}
