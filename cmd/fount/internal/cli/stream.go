// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A stream writes random values, encoded or raw, as fast as a pipe takes them.

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// blockSize is how many random bytes one write has. It is a multiple of 3, so that base64 is padded
// at the end only. A pipe took 2.2 GB/s of such blocks, 2.0 GB/s of 64 KiB, 2.1 GB/s of 384 KiB.
const blockSize = 192 << 10

// stream writes count values of size bytes to dst, or bytes without end if forever. It runs once.
type stream struct {
	dst     io.Writer
	src     io.Reader                    // fills the whole buffer or returns an error
	encode  func(dst, src []byte) []byte // appends src as text; if nil, bytes are raw
	size    uint64
	count   int
	forever bool
	written atomic.Int64 // bytes of dst
	stop    atomic.Bool  // the next write fails
}

// run writes all values, or stops at the first error.
func (s *stream) run() error {
	block := make([]byte, blockSize)
	if s.encode == nil {
		return s.value(s, block)
	}

	// With a buffer, a short line needs no system call of its own.
	lines := bufio.NewWriterSize(s, 64<<10)

	for range s.count {
		if err := s.value(lines, block); err != nil {
			_ = lines.Flush() // the values before the error
			return err
		}
		if err := lines.WriteByte('\n'); err != nil {
			return err
		}
	}

	return lines.Flush()
}

// value writes one value to w. It uses block as its buffer.
func (s *stream) value(w io.Writer, block []byte) error {
	var text []byte
	for left := s.size; s.forever || left > 0; {
		if !s.forever && left < uint64(len(block)) {
			block = block[:left]
		}

		left -= uint64(len(block))
		n, srcErr := s.src.Read(block)
		out := block[:n]
		if s.encode != nil {
			text = s.encode(text[:0], out)
			out = text
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

// Write writes to dst and counts the bytes.
func (s *stream) Write(b []byte) (int, error) {
	if s.stop.Load() {
		return 0, errInterrupted
	}
	n, err := s.dst.Write(b)
	s.written.Add(int64(n))
	return n, err
}

// runInterruptibly runs s until it ends, or until Ctrl-C or SIGTERM. It then waits for the write in
// progress, so that the count is right, but not for a pipe that nobody reads.
func (s *stream) runInterruptibly() error {
	ctx, stop := interruptible(context.Background())
	defer stop()

	done := make(chan error, 1)
	go func() { done <- s.run() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
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

// explain returns err with how much was written. An interrupted stream to standard output needs no
// message.
func (s *stream) explain(err error, toFile bool) error {
	switch {
	case err == nil:
		return nil
	case err != errInterrupted:
		return fmt.Errorf("%w; %d bytes were written", err, s.written.Load())
	case toFile:
		return &exitError{statusInterrupted, fmt.Sprintf("interrupted; %d bytes were written", s.written.Load())}
	}
	return &exitError{status: statusInterrupted}
}
