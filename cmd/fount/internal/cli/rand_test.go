// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io"
	"testing"

	"fount"
)

// What is written is the value, whole, also where it takes several blocks.
func TestStreamEncodings(t *testing.T) {
	for _, size := range []uint64{0, 1, 2, 3, 4, blockSize - 1, blockSize, blockSize + 1, 2*blockSize + 2} {
		for name, test := range map[string]struct {
			encode func(dst, src []byte) []byte
			decode func(string) ([]byte, error)
		}{
			"raw":    {nil, func(s string) ([]byte, error) { return []byte(s), nil }},
			"hex":    {hex.AppendEncode, hex.DecodeString},
			"base64": {base64.StdEncoding.AppendEncode, base64.StdEncoding.Strict().DecodeString},
		} {
			var dst, drawn bytes.Buffer
			s := &stream{dst: &dst, src: io.TeeReader(fount.Reader, &drawn), encode: test.encode, size: size, count: 1}
			if err := s.run(); err != nil || s.written.Load() != int64(dst.Len()) {
				t.Fatalf("%s of %d: %v, %d bytes written and %d counted", name, size, err, dst.Len(), s.written.Load())
			}
			text := dst.String()
			if test.encode != nil {
				text = text[:len(text)-1] // the newline
			}
			if plain, err := test.decode(text); err != nil || !bytes.Equal(plain, drawn.Bytes()) || uint64(len(plain)) != size {
				t.Errorf("%s of %d: %d bytes decoded, %v", name, size, len(plain), err)
			}
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
