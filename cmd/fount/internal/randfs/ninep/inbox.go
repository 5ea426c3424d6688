// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

import (
	"encoding/binary"
	"fmt"
)

// aheadSize is what one system call reads: a Tread of 23 bytes, and what follows it.
const aheadSize = 512

// An inbox collects what is read from a connection until a message is whole. It reads ahead; a
// message that is longer than that goes into the scratch buffer, where answers are made too.
type inbox struct {
	ahead [aheadSize]byte
	start int // ahead[start:end] was read and is not used yet
	end   int

	scratch
	long int // the size of a long message that is under way, else 0
	got  int // buf[:got] is of that
}

// room returns where the next bytes go that are read. It is never empty.
func (in *inbox) room() []byte {
	if in.isLong() {
		return in.buf[in.got:in.long]
	}
	return in.ahead[in.end:]
}

// add takes n bytes that were read into the room.
func (in *inbox) add(n int) {
	if in.isLong() {
		in.got += n
	} else {
		in.end += n
	}
}

// isLong reports whether a long message is under way.
func (in *inbox) isLong() bool { return in.long > 0 }

// isWithinMessage reports whether a part of a message is there.
func (in *inbox) isWithinMessage() bool { return in.isLong() || in.end > in.start }

// next returns the next message, or nil if none is whole. It is valid until an answer is made.
func (in *inbox) next(msize uint32) ([]byte, error) {
	if in.isLong() {
		return in.nextLong(), nil
	}

	have := in.ahead[in.start:in.end]
	if len(have) < headSize {
		in.moveToStart(have)
		return nil, nil
	}

	size := binary.LittleEndian.Uint32(have)
	switch {
	case size < headSize:
		return nil, fmt.Errorf("a message of %d bytes: the least is %d", size, headSize)
	case size > msize:
		return nil, tooLongError{size: size, msize: msize, tag: tagOf(have)}
	case int(size) <= len(have):
		in.start += int(size)
		return have[:size], nil
	case size <= aheadSize:
		in.moveToStart(have)
		return nil, nil
	}

	in.grow(int(size))
	in.long = int(size)
	in.got = copy(in.buf, have)
	in.start = 0
	in.end = 0
	return nil, nil
}

// nextLong is next for a long message.
func (in *inbox) nextLong() []byte {
	if in.got < in.long {
		return nil
	}
	message := in.buf[:in.long]
	in.long = 0
	return message
}

// moveToStart makes room behind the bytes that are there.
func (in *inbox) moveToStart(have []byte) {
	in.start = 0
	in.end = copy(in.ahead[:], have)
}

// giveBack ends the use of a long buffer.
func (in *inbox) giveBack() {
	if in.isLong() {
		clear(in.buf[:in.got]) // the connection ends within a message
	}
	in.scratch.giveBack()
}

// A tooLongError says that a message is longer than was agreed. Where the next begins is not known.
type tooLongError struct {
	size, msize uint32
	tag         uint16
}

func (e tooLongError) Error() string {
	return fmt.Sprintf("a message of %d bytes: msize is %d", e.size, e.msize)
}
