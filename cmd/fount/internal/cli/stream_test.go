// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of streams: encodings across blocks, and what is left in memory.

package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"testing"
)

func TestStreamEncodings(t *testing.T) {
	for _, size := range []uint64{0, 1, 2, 3, 4, blockSize - 1, blockSize, blockSize + 1, 2*blockSize + 2} {
		for name, test := range map[string]struct {
			encoding encoding
			decode   func(string) ([]byte, error)
		}{
			"raw":    {raw, func(s string) ([]byte, error) { return []byte(s), nil }},
			"hex":    {hexLine, hex.DecodeString},
			"base64": {base64Line, base64.StdEncoding.Strict().DecodeString},
		} {
			var dst bytes.Buffer
			s := &stream{dst: &dst, encoding: test.encoding, size: size, count: 1}
			if err := s.run(); err != nil {
				t.Fatal(err)
			}
			if got := uint64(dst.Len()); got != s.total() || int64(got) != s.written.Load() {
				t.Errorf("%s of %d: wrote %d bytes, total %d, written %d", name, size, got, s.total(), s.written.Load())
			}
			text := dst.String()
			if name != "raw" {
				if text[len(text)-1] != '\n' {
					t.Errorf("%s of %d does not end with a newline", name, size)
				}
				text = text[:len(text)-1]
			}
			plain, err := test.decode(text)
			if err != nil || uint64(len(plain)) != size {
				t.Errorf("%s of %d: %d bytes decoded, %v", name, size, len(plain), err)
			}
			for zeros := make([]byte, 32); len(plain) >= 32; plain = plain[1:] {
				if bytes.HasPrefix(plain, zeros) {
					t.Fatalf("%s of %d: 32 zero bytes", name, size)
				}
			}
		}
	}
}

// keeper keeps what it was given: the slice, not a copy.
type keeper struct {
	blocks [][]byte
	limit  int
}

var errLimit = errors.New("limit")

func (k *keeper) Write(b []byte) (int, error) {
	if k.blocks = append(k.blocks, b); len(k.blocks) == k.limit {
		return len(b) / 2, errLimit
	}
	return len(b), nil
}

// A stream wipes its buffers when it ends, also by an error.
func TestStreamWipes(t *testing.T) {
	for _, encoding := range []encoding{raw, hexLine, base64Line} {
		for _, limit := range []int{0, 2} {
			dst := &keeper{limit: limit}
			s := &stream{dst: dst, encoding: encoding, size: 2 * blockSize, count: 1, forever: limit > 0}
			if err := s.run(); (err == nil) != (limit == 0) {
				t.Fatalf("limit %d: %v", limit, err)
			}
			for _, block := range dst.blocks {
				if !bytes.Equal(block, make([]byte, len(block))) {
					t.Errorf("limit %d: a block of %d bytes is not wiped", limit, len(block))
				}
			}
		}
	}
}

// The count that a failure reports includes the part of a block.
func TestStreamCountsPartOfABlock(t *testing.T) {
	s := &stream{dst: &keeper{limit: 2}, encoding: raw, forever: true}
	err := s.run()
	if want := int64(blockSize + blockSize/2); !errors.Is(err, errLimit) || s.written.Load() != want {
		t.Fatalf("%v after %d bytes, want %v after %d", err, s.written.Load(), errLimit, want)
	}
	if got, want := s.explain(err, true).Error(), "limit; 294912 bytes were written"; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}

func TestTotalOfTheLargestSize(t *testing.T) {
	for name, test := range map[string]struct {
		encoding encoding
		want     uint64
	}{"raw": {raw, 1<<63 - 1}, "hex": {hexLine, 1<<64 - 1}, "base64": {base64Line, 12297829382473034413}} {
		if got := (&stream{encoding: test.encoding, size: maxSize, count: 1}).total(); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

// More lines than 64 bits can count the bytes of have no total.
func TestTotalOfManyLines(t *testing.T) {
	for count, want := range map[uint64]uint64{0: 0, 3: 99, 1 << 58: 33 << 58, 1 << 59: 0, 1<<64 - 1: 0} {
		if got := (&stream{encoding: hexLine, size: 16, count: count}).total(); got != want {
			t.Errorf("%d lines: %d bytes, want %d", count, got, want)
		}
	}
}

// Lines are gathered, so that short ones cost no write each, and a single one is a single write.
func TestStreamLines(t *testing.T) {
	for count, writes := range map[uint64]int{0: 0, 1: 1, 1000: 1, 4000: 3} {
		var text bytes.Buffer
		calls := 0
		dst := writerFunc(func(b []byte) (int, error) { calls++; return text.Write(b) })
		if err := (&stream{dst: dst, encoding: hexLine, size: 16, count: count}).run(); err != nil {
			t.Fatal(err)
		}
		if calls != writes || bytes.Count(text.Bytes(), []byte("\n")) != int(count) || text.Len() != int(33*count) {
			t.Errorf("%d lines: %d writes of %d bytes, want %d of %d", count, calls, text.Len(), writes, 33*count)
		}
	}
}

func BenchmarkStream(b *testing.B) {
	for name, encoding := range map[string]encoding{"raw": raw, "hex": hexLine, "base64": base64Line} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(16 << 20)
			for b.Loop() {
				s := &stream{dst: io.Discard, encoding: encoding, size: 16 << 20, count: 1}
				if err := s.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
