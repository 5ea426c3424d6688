// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// Each list of fields that is damaged is refused, wherever it is cut, and each that is whole is read.
func TestFields(t *testing.T) {
	whole := appendField(appendField(appendField(nil, 1, []byte("one")), 2, nil), 0x7f, bytes.Repeat([]byte{9}, 300))
	ends := []int{0, 6, 9, len(whole)}
	for n := range len(whole) + 1 {
		want := errFields
		if slices.Contains(ends, n) {
			want = nil
		}
		if err := readFields(slices.Clip(whole[:n]), func(byte, []byte) (bool, error) { return true, nil }); err != want {
			t.Errorf("%d bytes of %d: %v; want %v", n, len(whole), err, want)
		}
	}
	mine := errors.New("mine")
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"zeros":                      {make([]byte, 9), nil},
		"padded":                     {append(bytes.Clone(whole), 0, 0, 0), nil},
		"a byte behind zeros":        {append(bytes.Clone(whole), 0, 0, 1), errFields},
		"one twice":                  {appendField(bytes.Clone(whole), 1, nil), errFields},
		"unknown":                    {appendField(bytes.Clone(whole), 3, []byte("x")), nil},
		"unknown twice":              {appendField(appendField(nil, 3, nil), 3, nil), errFields},
		"unknown and critical":       {appendField(bytes.Clone(whole), critical|3, []byte("x")), errCritical},
		"known and critical":         {appendField(bytes.Clone(whole), critical|1, []byte("x")), nil},
		"a value that is refused":    {appendField(bytes.Clone(whole), 4, nil), mine},
		"unknown, critical, damaged": {[]byte{critical | 3, 0, 1}, errFields},
	} {
		var got []byte
		err := readFields(c.b, func(tag byte, value []byte) (bool, error) {
			switch tag {
			case 1, 2, 0x7f, critical | 1:
				got = appendField(got, tag, value)
				return true, nil
			case 4:
				return true, mine
			}
			return false, nil
		})
		if err != c.want {
			t.Errorf("%s: %v; want %v", name, err, c.want)
		}
		if c.want == nil && !bytes.HasPrefix(c.b, got) {
			t.Errorf("%s: read as %x", name, got)
		}
	}
}

// fieldsWith is b with one field in place of the tag's, or without it.
func fieldsWith(t *testing.T, b []byte, tag byte, value []byte, without bool) (out []byte) {
	t.Helper()
	if err := readFields(b, func(have byte, v []byte) (bool, error) {
		if have != tag {
			out = appendField(out, have, v)
		}
		return true, nil
	}); err != nil {
		t.Fatal(err)
	}
	if !without {
		out = appendField(out, tag, value)
	}
	return out
}

type fieldCase struct {
	tag     byte
	size    int
	without bool
	want    bool // it is read
}

// A request is read with each field at its bounds, and refused one byte beyond.
func TestRequestFields(t *testing.T) {
	r := aRequest
	r.Class, r.Principal, r.Upgrade = 1, "me", true
	b, err := r.appendTo(make([]byte, 0, 2*requestSize), 7, 8)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []fieldCase{
		{tagSequence, 3, false, false}, {tagSequence, 4, false, true}, {tagSequence, 5, false, false}, {tagSequence, 0, true, false},
		{tagAge, 3, false, false}, {tagAge, 4, false, true}, {tagAge, 5, false, false}, {tagAge, 0, true, false},
		{tagPassword, 0, false, true}, {tagPassword, MaxPassword, false, true}, {tagPassword, MaxPassword + 1, false, false}, {tagPassword, 0, true, false},
		{tagEncoded, 0, true, true}, {tagEncoded, MaxEncoded, false, true}, {tagEncoded, MaxEncoded + 1, false, false},
		{tagPrincipal, 0, true, true}, {tagPrincipal, MaxPrincipal, false, true}, {tagPrincipal, MaxPrincipal + 1, false, false},
		{tagClass, 0, false, false}, {tagClass, 1, false, true}, {tagClass, 2, false, false}, {tagClass, 0, true, true},
		{tagOptions, 0, false, false}, {tagOptions, 1, false, true}, {tagOptions, 2, false, true}, {tagOptions, 0, true, true},
	} {
		got := Request{Kind: r.Kind}
		_, _, err := got.parse(fieldsWith(t, b, c.tag, make([]byte, c.size), c.without))
		if want := map[bool]error{false: errFields}[c.want]; err != want {
			t.Errorf("%+v: %v; want %v", c, err, want)
		}
	}
	for option, want := range map[byte]bool{0: false, optionUpgrade: true, 0xff &^ optionUpgrade: false, 0xff: true} {
		got := Request{Kind: r.Kind}
		if _, _, err := got.parse(fieldsWith(t, b, tagOptions, []byte{option}, false)); err != nil || got.Upgrade != want {
			t.Errorf("options %x: upgrade %v, %v; want %v", option, got.Upgrade, err, want)
		}
	}
	hash := Request{Kind: Hash}
	for name, c := range map[string]struct {
		tag   byte
		value string
		want  error
	}{"as it is": {tagPrincipal, "", nil}, "with a hash": {tagEncoded, "x", errFields}, "to upgrade": {tagOptions, string([]byte{optionUpgrade}), errFields}} {
		b := fieldsWith(t, fieldsWith(t, b, tagEncoded, nil, true), tagOptions, nil, true)
		if _, _, err := hash.parse(fieldsWith(t, b, c.tag, []byte(c.value), false)); err != c.want {
			t.Errorf("a request to hash %s: %v; want %v", name, err, c.want)
		}
		hash = Request{Kind: Hash}
	}
}

// And so is a reply.
func TestReplyFields(t *testing.T) {
	b, err := (&Reply{Verdict: Match, Policy: aRequest.Cost}).appendTo(make([]byte, 0, 2*replySize))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []fieldCase{
		{tagVerdict, 0, false, false}, {tagVerdict, 2, false, false}, {tagVerdict, 0, true, false},
		{tagResult, 0, false, false}, {tagResult, 1, false, true}, {tagResult, 2, false, true},
		{tagAfter, 3, false, false}, {tagAfter, 4, false, true}, {tagAfter, 5, false, false},
		{tagEncoded, MaxEncoded, false, true}, {tagEncoded, MaxEncoded + 1, false, false},
		{tagPolicy, costSize - 1, false, false}, {tagPolicy, costSize, false, true}, {tagPolicy, costSize + 1, false, true},
		{tagNews, 1, false, true}, // the answer counts without them
	} {
		var got Reply
		if err := got.parse(fieldsWith(t, b, c.tag, make([]byte, c.size), c.without), Verify); (err == nil) != c.want {
			t.Errorf("%+v: %v; want it read: %v", c, err, c.want)
		}
	}
	for bits, want := range map[byte]Reply{0: {}, resultRehash: {NeedsRehash: true}, resultTruncated: {Truncated: true}, 0xfc: {}, 0xff: {NeedsRehash: true, Truncated: true}} {
		var got Reply
		if err := got.parse(fieldsWith(t, b, tagResult, []byte{bits}, false), Verify); err != nil || got.NeedsRehash != want.NeedsRehash || got.Truncated != want.Truncated {
			t.Errorf("result %x: %+v, %v", bits, got, err)
		}
	}
	for _, c := range []struct {
		kind    Kind
		verdict Verdict
		encoded string
		want    bool
	}{
		{Verify, 0, "", false}, {Verify, Match, "", true}, {Verify, Match, "x", true}, {Verify, Mismatch, "", true}, {Verify, Mismatch, "x", false}, {Verify, Hashed, "x", false},
		{Hash, Hashed, "x", true}, {Hash, Hashed, "", false}, {Hash, Match, "", false}, {Hash, Mismatch, "", false}, {Hash, Failed, "", true}, {Hash, Failed, "x", false},
		{Verify, Failed + 1, "", true},
	} {
		var got Reply
		b := fieldsWith(t, fieldsWith(t, b, tagVerdict, []byte{byte(c.verdict)}, false), tagEncoded, []byte(c.encoded), false)
		if err := got.parse(b, c.kind); (err == nil) != c.want {
			t.Errorf("kind %v, verdict %d, hash %q: %v; want it read: %v", c.kind, c.verdict, c.encoded, err, c.want)
		}
	}
	var late Reply
	if err := late.parse(fieldsWith(t, b, tagAfter, []byte{0xff, 0xff, 0xff, 0xff}, false), Verify); err != nil || late.After != MaxLeft {
		t.Errorf("an After of 2^32-1 µs is %v, %v; want %v", late.After, err, MaxLeft)
	}
	for size, want := range map[int]bool{MaxEncoded: true, MaxEncoded + 1: false} {
		r := Reply{Verdict: Hashed, Encoded: strings.Repeat("x", size), After: time.Hour}
		if _, err := r.appendTo(make([]byte, 0, replySize)); (err == nil) != want {
			t.Errorf("a hash of %d bytes: %v; want it sent: %v", size, err, want)
		}
	}
}
