// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import (
	"bytes"
	"testing"
)

func TestReadFillsEveryLength(t *testing.T) {
	for _, n := range []int{0, 1, 16, 255, 256, 257, 4096, 65536, 65537, 1 << 20} {
		const edge = 0x5A
		buf := bytes.Repeat([]byte{edge}, n+16)
		b := buf[8 : 8+n]
		clear(b)
		Read(b)
		if bytes.Contains(b, make([]byte, 8)) {
			t.Errorf("length %d: 8 zero bytes in a row", n)
		}
		if n >= 16 && bytes.Contains(b[8:], b[:8]) {
			t.Errorf("length %d: the first 8 bytes come again", n)
		}
		if !bytes.Equal(buf[:8], bytes.Repeat([]byte{edge}, 8)) || !bytes.Equal(buf[8+n:], bytes.Repeat([]byte{edge}, 8)) {
			t.Errorf("length %d: wrote outside b", n)
		}
	}
	if Name() == "" {
		t.Error("Name is empty")
	}
}
