// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A stream: random values, encoded, into a writer at the speed of a pipe.

package cli

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"fount"
)

// blockSize is the number of random bytes in one write. It is a multiple of 3, so that base64 is padded in the last
// block only. With a generator of 5 GB/s a pipe to cat carried 2.0 GB/s in writes of 64 KiB, 2.2 of 192 KiB and 2.1 of
// 384 KiB; a larger pipe (F_SETPIPE_SZ 1 MiB) gave 1.9 to 2.3, within the noise.
const blockSize = 192 << 10

// encoding is a form of the bytes: raw, or one line of text.
type encoding struct {
	append func(dst, src []byte) []byte // nil: as they are
	length func(n uint64) uint64        // of n bytes, without the newline
}

var (
	raw           = encoding{nil, func(n uint64) uint64 { return n }}
	hexLine       = encoding{hex.AppendEncode, func(n uint64) uint64 { return 2 * n }}
	base64Line    = encoding{base64.StdEncoding.AppendEncode, func(n uint64) uint64 { return (n + 2) / 3 * 4 }}
	base64URLLine = encoding{base64.RawURLEncoding.AppendEncode, func(n uint64) uint64 { return (4*n + 2) / 3 }}
)

// stream writes count random values of size bytes to dst, or bytes without end if forever. run is called once; written may
// be read at any time.
type stream struct {
	dst      io.Writer
	src      io.Reader // of the bytes, fills what it is given or fails; nil: package fount
	encoding encoding
	size     uint64
	count    uint64 // of lines; 1 of what is raw
	forever  bool
	written  atomic.Int64 // bytes after encoding
	stop     atomic.Bool  // before the next write
}

// total is the number of bytes that run writes, 0 if there is no end, or none that 64 bits can count.
func (s *stream) total() uint64 {
	switch {
	case s.forever:
		return 0
	case s.encoding.append == nil:
		return s.size
	}
	high, low := bits.Mul64(s.encoding.length(s.size)+1, s.count) // the first is at most 2^64-1 (see maxSize)
	if high > 0 {
		return 0
	}
	return low
}

// run writes until the end or the first error, and wipes what it wrote from memory.
func (s *stream) run() error {
	block := make([]byte, blockSize)
	if !s.forever && s.size < blockSize {
		block = block[:s.size]
	}
	text := make([]byte, 0, s.encoding.length(uint64(len(block))))
	// Lines go through a buffer, so that a short one costs no system call, and a single one is a single write.
	lines := bufio.NewWriterSize(writerFunc(s.write), 64<<10)
	defer func() {
		clear(block)
		clear(text[:cap(text)])
		lines.Reset(nil)
		clear(lines.AvailableBuffer()[:lines.Size()])
	}()
	if s.encoding.append == nil {
		return s.value(writerFunc(s.write), block, text)
	}
	for range s.count {
		if err := s.value(lines, block, text); err != nil {
			_ = lines.Flush() // what came before the error; a writer's error comes again
			return err
		}
		if err := lines.WriteByte('\n'); err != nil {
			return err
		}
	}
	return lines.Flush()
}

// value writes one value to w, by way of block and text.
func (s *stream) value(w io.Writer, block, text []byte) error {
	for left := s.size; s.forever || left > 0; {
		if !s.forever && left < uint64(len(block)) {
			block = block[:left]
		}
		left -= uint64(len(block))
		n, srcErr := s.read(block)
		out := block[:n]
		if s.encoding.append != nil {
			out = s.encoding.append(text[:0], out)
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
		if srcErr != nil {
			return srcErr
		}
	}
	return nil
}

// A writerFunc is a function as an io.Writer.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func (s *stream) read(b []byte) (int, error) {
	if s.src == nil {
		return fount.Read(b)
	}
	return s.src.Read(b)
}

func (s *stream) write(b []byte) (int, error) {
	if s.stop.Load() {
		return 0, errInterrupted
	}
	n, err := s.dst.Write(b)
	s.written.Add(int64(n))
	return n, err
}

// runInterruptibly runs s, and ends at Ctrl-C. It lets the write in progress end, so that the count is the destination's,
// but abandons one that blocks on a pipe that nobody reads.
func (s *stream) runInterruptibly() error {
	interrupt := make(chan os.Signal, 1)
	if !signal.Ignored(os.Interrupt) { // as it is in a shell's background job
		notify(interrupt, os.Interrupt)
		defer signal.Stop(interrupt)
	}
	done := make(chan error, 1)
	go func() { done <- s.run() }()
	select {
	case err := <-done:
		return err
	case <-interrupt:
	}
	s.stop.Store(true)
	select {
	case err := <-done:
		return err
	case <-time.After(time.Second / 4):
		return errInterrupted
	}
}

var errInterrupted = errors.New("interrupted")

// explain adds to err how much was written. An interrupted stream to standard output needs no message.
func (s *stream) explain(err error, toFile bool) error {
	if err == nil {
		return nil
	}
	amount := fmt.Sprintf("%d bytes were written", s.written.Load())
	if total := s.total(); total > 0 {
		amount = fmt.Sprintf("%d of %d bytes were written", s.written.Load(), total)
	}
	switch {
	case err != errInterrupted:
		return fmt.Errorf("%w; %s", err, amount)
	case toFile:
		return &exitError{statusInterrupted, "interrupted; " + amount}
	}
	return &exitError{status: statusInterrupted}
}
