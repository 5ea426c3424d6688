// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// Tests of messages against the codec of 9fans.net/go/plan9.

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"9fans.net/go/plan9"
)

// examples are a message of each type of a client.
func examples(number uint32, wide uint64, text string, data []byte) []*fcall {
	tag, small := uint16(number), uint8(wide)
	all := []*fcall{
		{Type: plan9.Tversion, Msize: number, Version: text},
		{Type: plan9.Tauth, Afid: number, Uname: text, Aname: "a"},
		{Type: plan9.Tattach, Fid: number, Afid: ^number, Uname: "u", Aname: text},
		{Type: plan9.Tflush, Oldtag: tag},
		{Type: plan9.Twalk, Fid: number, Newfid: ^number, Wname: []string{}},
		{Type: plan9.Twalk, Fid: number, Newfid: ^number, Wname: []string{text, "", text}},
		{Type: plan9.Twalk, Fid: number, Newfid: ^number, Wname: strings.Split(strings.Repeat("/x", 15), "/")},
		{Type: plan9.Topen, Fid: number, Mode: small},
		{Type: plan9.Tcreate, Fid: number, Name: text, Perm: plan9.Perm(wide), Mode: small},
		{Type: plan9.Tread, Fid: number, Offset: wide, Count: ^number},
		{Type: plan9.Twrite, Fid: number, Offset: wide, Data: data},
		{Type: plan9.Tclunk, Fid: number},
		{Type: plan9.Tremove, Fid: number},
		{Type: plan9.Tstat, Fid: number},
		{Type: plan9.Twstat, Fid: number, Stat: data[:min(len(data), 1<<16-1)]},
	}
	for i, f := range all {
		f.Tag = tag + uint16(i)
	}
	return all
}

// checkMessage wants the layouts to take every message that the codec makes, and only such: what
// they take must be what the codec makes of it.
func checkMessage(t *testing.T, m []byte) {
	t.Helper()
	if !wellFormed(m) {
		return
	}
	f, err := plan9.UnmarshalFcall(m)
	if err != nil {
		t.Fatalf("%x passes and is %v to the codec", m, err)
	}
	again, err := f.Bytes()
	if err != nil || !bytes.Equal(again, m) {
		t.Fatalf("%x passes and is %x to the codec: %v", m, again, err)
	}
	r, ok := decodeRead(m)
	if ok != (f.Type == plan9.Tread) {
		t.Fatalf("%v: decoded as a Tread: %t", f, ok)
	}
	if ok && (r.tag != f.Tag || r.fid != f.Fid || r.offset != f.Offset || r.count != f.Count) {
		t.Fatalf("%v is decoded as %+v", f, r)
	}
}

func checkExamples(t *testing.T, number uint32, wide uint64, text string, data []byte) {
	t.Helper()
	for _, f := range examples(number, wide, text, data) {
		m := bytesOf(t, f)
		if !wellFormed(m) {
			t.Fatalf("%v does not pass", f)
		}
		checkMessage(t, m)
	}
	tag := uint16(number)
	read := make([]byte, dataStart+len(data))
	copy(read[dataStart:], data)
	encodeRead(read, tag)
	want := bytesOf(t, &fcall{Type: plan9.Rread, Tag: tag, Data: data})
	if !bytes.Equal(read, want) {
		t.Fatalf("an Rread is %x, want %x", read, want)
	}
	text = text[:min(len(text), maxEname)]
	want = bytesOf(t, &fcall{Type: plan9.Rerror, Tag: tag, Ename: text})
	if got := encodeError(tag, text); !bytes.Equal(got, want) {
		t.Fatalf("an Rerror is %x, want %x", got, want)
	}
}

// FuzzMessage compares what is written by hand here with the codec.
func FuzzMessage(f *testing.F) {
	f.Add([]byte(nil), uint32(0), uint64(0), "")
	f.Add(make([]byte, 1<<17), uint32(noFid), ^uint64(0), strings.Repeat("x", 65535))
	for _, c := range examples(7, 8, "name", []byte("data")) {
		m := bytesOf(f, c)
		for n := headSize; n <= len(m); n++ { // cut short, and whole
			f.Add(m[4:n], uint32(0xdeadbeef), uint64(1<<63|5), "name")
		}
		f.Add(append(m[4:len(m):len(m)], 0), uint32(1), uint64(2), "")
		for kind := range byte(plan9.Tmax + 1) {
			m[4] = kind
			f.Add(slices.Clone(m[4:]), uint32(1), uint64(2), "")
		}
	}
	walk := make([]byte, headSize+10+2*(maxNames+1)) // 17 empty names
	walk[4], walk[headSize+8] = plan9.Twalk, maxNames+1
	f.Add(walk[4:], uint32(3), uint64(4), "..")
	f.Fuzz(func(t *testing.T, b []byte, number uint32, wide uint64, text string) {
		if len(b) >= headSize-4 {
			m := append([]byte{byte(len(b) + 4), byte((len(b) + 4) >> 8), byte((len(b) + 4) >> 16), 0}, b...)
			checkMessage(t, m)
		}
		checkExamples(t, number, wide, text[:min(len(text), 1<<16-1)], b)
		if got := encodeError(1, text); len(got) > minMsize {
			t.Errorf("an error takes %d bytes", len(got))
		}
	})
}
