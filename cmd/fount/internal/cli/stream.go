// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A stream: random values, encoded, into a writer at the speed of a pipe.

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

// blockSize is the number of random bytes in one write, a multiple of 3, so that base64 is padded
// at the end only. To a pipe it gave 2.2 GB/s, 64 KiB 2.0, 384 KiB 2.1.
const blockSize = 192 << 10

// stream writes count values of size bytes to dst, or bytes without end if forever, once.
type stream struct {
	dst     io.Writer
	src     io.Reader                    // of the bytes, fills what it is given or fails
	encode  func(dst, src []byte) []byte // appends text, a line a value; nil: raw
	size    uint64
	count   int
	forever bool
	written atomic.Int64 // bytes after encoding
	stop    atomic.Bool  // before the next write
}

// run writes until the end or the first error.
func (s *stream) run() error {
	block := make([]byte, blockSize)
	if s.encode == nil {
		return s.value(s, block)
	}
	// Through a buffer a short line costs no system call, and a single one is a single write.
	lines := bufio.NewWriterSize(s, 64<<10)
	for range s.count {
		if err := s.value(lines, block); err != nil {
			_ = lines.Flush() // what came before the error; a writer's error comes again
			return err
		}
		if err := lines.WriteByte('\n'); err != nil {
			return err
		}
	}
	return lines.Flush()
}

// value writes one value to w, by way of block.
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

// Write writes to the destination, and counts.
func (s *stream) Write(b []byte) (int, error) {
	if s.stop.Load() {
		return 0, errInterrupted
	}
	n, err := s.dst.Write(b)
	s.written.Add(int64(n))
	return n, err
}

// runInterruptibly runs s, and ends at Ctrl-C and SIGTERM. It lets a write end, so that the count
// is right, but abandons one to a pipe that nobody reads.
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

// explain adds how much was written. An interrupted stream to standard output needs no message.
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
