// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// Fuzzing of what parses UUIDs.

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// uuidForm is the text form in the words of another parser.
var uuidForm = regexp.MustCompile(`\A(?i:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\z`)

// FuzzParseUUID: what the form matches is accepted, and written in lower case;
// all else is rejected with its length, or an offset such that the text can be
// completed before it, but not after. UnmarshalText and Scan agree.
func FuzzParseUUID(f *testing.F) {
	for _, s := range []string{
		"", "-", rfcV4Text, rfcV7Text, rfcV4Text[:35], rfcV4Text + "0",
		"{" + rfcV4Text + "}", "urn:uuid:" + rfcV4Text, strings.ReplaceAll(rfcV4Text, "-", ""),
		strings.Replace(rfcV4Text, "-", "\xad", 1), "\x00" + rfcV4Text[1:], strings.Repeat("é", 18),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
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

		var v, w UUID
		if e := v.UnmarshalText([]byte(s)); v != u || (e == nil) != (err == nil) {
			t.Errorf("ParseUUID(%q): %v; UnmarshalText: %v", s, err, e)
		}
		if e := w.Scan(s); w != u || (e == nil) != (err == nil) {
			t.Errorf("ParseUUID(%q): %v; Scan: %v", s, err, e)
		}
	})
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
