// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import (
	"bytes"
	"runtime"
	"testing"
)

func TestMixTime(t *testing.T) {
	a := bytes.Repeat([]byte{0x55}, 12)
	b := bytes.Clone(a)
	MixTime(a)
	for range 1000 { // where the time moves in steps
		if MixTime(b); !bytes.Equal(a[:8], b[:8]) {
			break
		}
		copy(b, bytes.Repeat([]byte{0x55}, 8))
		runtime.Gosched()
	}
	if bytes.Equal(a[:8], bytes.Repeat([]byte{0x55}, 8)) || bytes.Equal(a[:8], b[:8]) {
		t.Errorf("two times are %x and %x", a, b)
	}
	if !bytes.Equal(a[8:], bytes.Repeat([]byte{0x55}, 4)) {
		t.Errorf("more than 8 bytes were changed: %x", a)
	}
}

func TestMixCPU(t *testing.T) {
	b := bytes.Repeat([]byte{0x55}, 37)
	have := MixCPU(b)
	if !have {
		if !bytes.Equal(b, bytes.Repeat([]byte{0x55}, 37)) {
			t.Error("MixCPU changed the bytes and says it could not")
		}
		t.Skip("this processor or build has no random numbers of its own")
	}
	for i := 0; i < 32; i += 8 {
		if bytes.Equal(b[i:i+8], bytes.Repeat([]byte{0x55}, 8)) || i > 0 && bytes.Equal(b[i:i+8], b[:8]) {
			t.Errorf("bytes %d to %d: %x", i, i+8, b)
		}
	}
	if bytes.Equal(b[32:], bytes.Repeat([]byte{0x55}, 5)) {
		t.Errorf("the last 5 bytes were left alone")
	}
	before := bytes.Clone(b)
	MixCPU(b)
	for i := range b { // both mixed in: the sum holds neither alone
		before[i] ^= b[i]
	}
	if bytes.Contains(before, make([]byte, 8)) {
		t.Error("two draws have 8 bytes in common")
	}
}
